import ContractModel
import Diagnostics
import YAMLTree

/// A part of a document that the contract does not have.
package struct DocumentLoss: Sendable {
    /// The way to it, which is the same in two versions of a document: an element of a list is named by what is in it, and the parameters
    /// of a path have no names.
    package let way: [String]
    /// What it says, without descriptions, examples and the order of keys.
    package let text: String
    /// What becomes of it in the contract, if that has it in another form.
    package let message: String?
    package let origin: ContractNotes.Origin

    init(_ element: Element, at way: [String], _ message: String?) {
        self.way = way
        self.message = message
        text = message ?? element.fingerprint(depth: 1)
        origin = ContractNotes.Origin(pointer: element.pointer, range: element.range)
    }

    /// The key of it, or what tells an element from others of its list: `anyOf/1` for one without a name.
    package var name: String {
        guard let last = way.last, Int(last) != nil, let list = way.dropLast().last else { return way.last ?? "" }
        return "\(list)/\(last)"
    }
    package var isExtension: Bool { name.hasPrefix("x-") }
    /// Whether a sentence can have the text.
    package var isShort: Bool { text.count <= 40 }
}

/// What the contract of a document does not have.
package struct DocumentLosses: Sendable {
    /// Each part once, in the order of the import.
    package private(set) var all: [DocumentLoss] = []
    private var byWay: [[String]: DocumentLoss] = [:]
    /// The roots of the document's files, by their names relative to the first one.
    private var roots: [String: YAMLNode] = [:]

    /// The parts that differ between two documents: in both and with another text, or in one of them although both have what is around
    /// it. What is in a new operation is a part of its addition.
    package static func differences(
        from old: DocumentLosses, to new: DocumentLosses
    ) -> [(old: DocumentLoss?, new: DocumentLoss?)] {
        let ways = Set(new.all.map(\.way))
        func elements(_ losses: DocumentLosses) -> [String: Element] {
            losses.roots.mapValues { Element(root: $0, file: 0) }
        }
        let roots = (old: elements(old), new: elements(new))
        return new.all.compactMap { loss in
            old.counterpart(of: loss, in: roots.old).flatMap { $0?.text == loss.text ? nil : ($0, loss) }
        }
            + old.all.filter { !ways.contains($0.way) }.compactMap { loss in
                new.counterpart(of: loss, in: roots.new).flatMap { $0?.text == loss.text ? nil : (loss, $0) }
            }
    }

    /// What is at the way of another document's part: nil if nothing is there, and nil in an optional if nothing is around it either.
    private func counterpart(of loss: DocumentLoss, in roots: [String: Element]) -> DocumentLoss?? {
        if let own = byWay[loss.way] { return own }
        guard let element = Self.element(at: loss.way[...], in: roots) else {
            return Self.element(at: loss.way.dropLast(), in: roots) == nil ? .none : .some(nil)
        }
        // Of a part in another form, the finding says what differs, and this document has none.
        guard loss.message == nil else { return .some(nil) }
        return DocumentLoss(element, at: loss.way, nil)
    }

    // MARK: Ways

    package init() {}

    init(_ lost: [(element: Element, message: String?)], in documents: DocumentSet) {
        var elements: [String: Element] = [:]
        for file in 0..<documents.fileCount {
            guard let root = documents.root(ofFile: file) else { continue }
            elements[documents.relativeName(ofFile: file)] = root
            roots[documents.relativeName(ofFile: file)] = root.withoutMerges
        }
        var seen = Set<ElementKey>()
        for (element, message) in lost where seen.insert(element.key).inserted {
            let name = documents.relativeName(ofFile: element.file)
            let loss = DocumentLoss(element, at: [name] + way(to: element.tokens, in: elements[name]), message)
            guard byWay[loss.way] == nil else { continue }
            byWay[loss.way] = loss
            all.append(loss)
        }
    }

    private func way(to tokens: [String], in root: Element?) -> [String] {
        var way: [String] = []
        var place = root
        for token in tokens {
            let item = Int(token).flatMap { place?.item($0) }
            way.append(item.map { Self.name($0, token) } ?? Self.name(token, at: way))
            place = item ?? place?[token]
        }
        return way
    }

    private static func element(at way: ArraySlice<String>, in roots: [String: Element]) -> Element? {
        guard let name = way.first, var place = roots[name] else { return nil }
        var passed: [String] = []
        for step in way.dropFirst() {
            let next =
                place.items.enumerated().first { Self.name($1, String($0)) == step }?.element
                ?? place.entries.first { Self.name($0.name, at: passed) == step }?.value
            guard let next else { return nil }
            passed.append(step)
            place = next
        }
        return place
    }

    private static func name(_ token: String, at way: [String]) -> String {
        way == ["paths"] ? PathShape.of(token) : token
    }

    /// What tells an element from others of its list: a parameter has a name, and a reference a target.
    private static func name(_ element: Element, _ position: String) -> String {
        guard let name = element.text("name") else { return element.text("$ref") ?? position }
        return [element.text("in"), name].compactMap { $0 }.joined(separator: " ")
    }
}
