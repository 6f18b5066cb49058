/// Accounts for every key of a document: it is in the contract, a finding says that it is left out, or it means nothing to a client.
///
/// Decision: the account compares two things that do not know each other. One is what the code *asked* for: each look-up of a key by
/// its name marks the value in ``ReadingMarks``, and so does each branch of a switch that handles a key. The other is what the document
/// *has*: this type walks from the root through the references that the import has followed, with the grammar of ``ObjectKind``. A key
/// that nothing asked for, that no finding is about (at it or above it), and that ``MeaninglessKeys`` does not name, is a finding. So a
/// new keyword of OpenAPI, a misspelled one, and one that an importer's branch forgets are all said, without a list of known keys.
///
/// A key that is read may still be dropped later. The account cannot see this, and a test does: it erases one key after the other from
/// documents that have all of them. The contract or the findings have to change, unless the key means nothing to a client.
///
/// Values are no objects: an example, a default, or an extension is accounted for as a whole. The walk visits each node once, so its
/// cost follows the size of the document.
struct DocumentAccount {
    /// What became of a key.
    enum Fate: CaseIterable {
        /// The import has used it.
        case kept
        /// A finding says that it is left out, or the client deals with it by itself.
        case settled
        case meaningless
        case unread
    }

    typealias Key = MeaninglessKeys.Key

    /// The number of keys by their fates.
    private(set) var counts: [Key: [Fate: Int]] = [:]
    private let documents: DocumentSet
    /// The places of schemas that have become types, which their unions may have found without a reference.
    private let planned: Set<ElementKey>
    private var pending: [(kind: ObjectKind, element: Element)] = []
    /// The number of components that nothing in the contract uses, by their section.
    private var unused: [(section: String, count: Int)] = []
    private var root: Element?
    private var unread: [(key: Key, value: Element)] = []

    init(documents: DocumentSet, planned: Set<ElementKey>) {
        self.documents = documents
        self.planned = planned
    }

    // MARK: The walk

    /// - Parameter isWhole: whether all of the document's operations were chosen.
    mutating func take(_ document: APIDocument, isWhole: Bool) {
        root = document.root
        chosen = isWhole ? nil : Set(document.operations.map(\.element.key))
        visit(.document, document.root)
        for (name, section) in Self.sections(of: document.root) where name == "schemas" {
            for (_, schema) in section.entries where planned.contains(schema.key) { visit(.schema, schema) }
        }
        while let (kind, element) = pending.popLast() { visit(kind, element) }
        if isWhole { countUnused(document.root) }
    }

    /// The operations that were chosen; nil for all.
    private var chosen: Set<ElementKey>?

    private mutating func visit(_ kind: ObjectKind, _ element: Element) {
        guard element.isMapping, !element.mark.contains(.visited) else { return }
        if kind == .operation, let chosen, let operation = documents.known(element), !chosen.contains(operation.key) {
            return
        }
        if kind == .path, let chosen, !hasOperation(element, of: chosen) { return }
        element.note(.visited)
        guard !element.mark.contains(.settled) else { return }
        let isReference = element.isReference
        if isReference, let target = documents.known(element) { pending.append((kind, target)) }
        let kind = isReference && kind != .schema && kind != .path ? .reference : kind
        let isLost = kind == .path && hasOnlyLost(element)
        for (name, value) in element.entries {
            if isLost, name == "parameters" || name == "servers" {
                add(.settled, Key(kind, name))
            } else {
                visit(name, value, of: kind)
            }
        }
    }

    /// Whether all operations of a path are left out, so that what they share is left out with them.
    private func hasOnlyLost(_ path: Element) -> Bool {
        path.entries.allSatisfy { name, value in
            guard case .one(.operation)? = ObjectKind.path.part(name) else { return name != "additionalOperations" }
            return (documents.known(value) ?? value).mark.contains(.settled)
        }
    }

    private mutating func visit(_ name: String, _ value: Element, of kind: ObjectKind) {
        let key = Key(kind, name)
        let mark = value.mark
        if kind == .components, Self.sectionNames.contains(name) { return add(.kept, key) }
        // A discriminator that no union has tells children apart where no endpoint takes their parent.
        if key == Self.discriminator, !Self.isUsed(value) { return add(.meaningless, key) }
        if mark.contains(.settled) { return add(.settled, key) }
        if MeaninglessKeys.contains(kind, name) { return add(.meaningless, key) }
        guard mark.contains(.read) || kind == .path && kind.part(name) != nil else {
            if value.node.isAbsent { return }
            unread.append((key, value))
            return add(name.hasPrefix("x-") ? .settled : .unread, key)
        }
        add(mark.contains(.reported) ? .settled : .kept, key)
        switch kind.part(name) {
        case .one(let inner): visit(inner, value)
        case .list(let inner): for item in value.items { visit(inner, item) }
        case .map(let inner):
            for (name, item) in value.entries {
                // Among paths and responses, these are no names.
                let isExtension = name.hasPrefix("x-") && (inner == .path || inner == .response)
                if isExtension { visit(name, item, of: kind) } else { visit(inner, item) }
            }
        case .values:
            for (_, item) in value.entries where !item.mark.contains(.read) && !item.mark.contains(.settled) {
                unread.append((Key(kind, name), item))
                add(.unread, Key(kind, name))
            }
        case nil: break
        }
    }

    private mutating func add(_ fate: Fate, _ key: Key) {
        counts[key, default: [:]][fate, default: 0] += 1
    }

    private func hasOperation(_ path: Element, of chosen: Set<ElementKey>) -> Bool {
        guard let path = documents.known(path) else { return false }
        return path.entries.contains { name, value in
            guard case .one(.operation)? = ObjectKind.path.part(name) else {
                return name == "additionalOperations"
                    && value.entries.contains { documents.known($0.value).map { chosen.contains($0.key) } == true }
            }
            return documents.known(value).map { chosen.contains($0.key) } == true
        }
    }

    // MARK: Components

    private static let sectionNames: Set<String> = [
        "schemas", "responses", "parameters", "examples", "requestBodies", "headers", "links", "callbacks", "pathItems",
        "mediaTypes",
    ]
    private static let discriminator = Key(.schema, "discriminator")

    private static func isUsed(_ discriminator: Element) -> Bool {
        discriminator.entries.first { $0.name == "propertyName" }?.value.mark.contains(.read) ?? true
    }

    private static func sections(of root: Element) -> [(name: String, value: Element)] {
        (root["components"]?.named ?? []).filter { $0.name != "securitySchemes" }
            + [("schemas", "definitions"), ("parameters", "parameters"), ("responses", "responses")].compactMap {
                name, key in root.text("swagger") == nil ? nil : root[key].map { (name, $0) }
            }
    }

    /// Whether a reference leads to a component, or to a part of it by its own name.
    private static func isUsed(component: Element) -> Bool {
        !component.mark.isDisjoint(with: [.visited, .read])
            || component.entries.contains { isUsed(component: $0.value) }
            || component.items.contains { isUsed(component: $0) }
    }

    private mutating func countUnused(_ root: Element) {
        for (name, section) in Self.sections(of: root) {
            let count = section.named.count { !Self.isUsed(component: $0.value) }
            if count > 0 { unused.append((name, count)) }
        }
    }

    // MARK: Findings

    func report() {
        let findings = documents.findings
        for (key, value) in unread {
            if key.name.hasPrefix("x-") {
                findings.count(.openAPIExtensionLost, key.name, at: value)
            } else {
                findings.count(.openAPIUnread, key.name, of: key.kind.title, at: value)
            }
        }
        guard let root, !unused.isEmpty else { return }
        let parts = unused.map { "\($0.count) of `\($0.section)`" }
        findings.add(
            .openAPIUnused,
            "the contract has no use for \(parts.joined(separator: ", ")), because none of its endpoints does",
            at: root["components"] ?? root)
    }
}
