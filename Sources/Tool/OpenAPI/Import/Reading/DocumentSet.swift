import ContractModel
import Diagnostics
import YAMLTree

/// The files that a document consists of: read once each, and followed by their references.
final class DocumentSet {
    private static let mostHops = 64
    private static let mostFiles = 2_000
    private let provider: any SourceProvider
    let findings: ImportFindings
    private var paths: [String: Int] = [:]
    private var roots: [Element?] = []
    private var names: [String] = []
    private var resolved: [ReferenceKey: Element?] = [:]
    private var resources: [Int: SchemaResources] = [:]
    /// Why the first file couldn't be read.
    private(set) var failures: [Diagnostic] = []

    private struct ReferenceKey: Hashable {
        let file: Int
        let text: String
    }

    init(provider: any SourceProvider, findings: ImportFindings) {
        self.provider = provider
        self.findings = findings
    }

    var fileCount: Int { names.count }

    func name(ofFile file: Int) -> String { names.indices.contains(file) ? names[file] : "" }

    /// The root of a file; nil if it could not be read.
    func root(ofFile file: Int) -> Element? { roots.indices.contains(file) ? roots[file] : nil }

    /// The name of a file beside the first one: the same for two versions of a document in two folders.
    func relativeName(ofFile file: Int) -> String {
        guard file > 0, let first = names.first else { return "" }
        let folder = first.lastIndex(of: "/").map { first[...$0] } ?? ""
        let name = name(ofFile: file)
        return name.hasPrefix(folder) ? String(name.dropFirst(folder.count)) : name
    }

    /// The root of a file; `nil` if it can't be read. The reason is reported at `reference`, or is among ``failures``.
    func root(of path: String, for reference: Element? = nil) -> Element? {
        if let known = paths[path] { return roots[known] }
        let index = names.count
        paths[path] = index
        names.append(path)
        roots.append(nil)
        guard index < Self.mostFiles else {
            return refuse("the document has more than \(Self.mostFiles) files", path, reference)
        }
        switch provider.read(path) {
        case .failure(let rule, let message, let help):
            guard let reference else {
                failures.append(Diagnostic(rule: rule, message: message, file: path, help: help))
                return nil
            }
            findings.add(.openAPIBrokenReference, message, at: reference, help: help)
            return nil
        case .bytes(let bytes):
            var parser = YAMLParser()
            parser.limits.depth = 200
            let result = parser.parse(JSONText.readableAsYAML(bytes), file: path)
            guard let document = result.document else {
                if let reference {
                    _ = refuse("`\(path)` cannot be read as YAML or JSON", path, reference)
                    for finding in result.diagnostics { findings.add(finding) }
                } else {
                    failures += result.diagnostics
                }
                return nil
            }
            // Contracts have no merge keys. A document that others wrote may have them.
            let isMerge: (Diagnostic) -> Bool = { $0.rule == FindingKind.yamlMergeKey.name }
            for finding in result.diagnostics where !isMerge(finding) { findings.add(finding) }
            let hasMerges = result.diagnostics.contains(where: isMerge)
            roots[index] = Element(root: document.root, file: index, hasMerges: hasMerges)
            return roots[index]
        }
    }

    private func refuse(_ message: String, _ path: String, _ reference: Element?) -> Element? {
        if let reference {
            findings.add(.openAPIBrokenReference, message, at: reference)
        } else {
            failures.append(Diagnostic(rule: .openAPIBrokenReference, message: message, file: path))
        }
        return nil
    }

    /// Replaces the content of the first file, before anything has been read from it.
    func replaceFirst(by root: YAMLNode) -> Element {
        let element = Element(root: root, file: 0)
        roots[0] = element
        return element
    }

    // MARK: References

    /// The target of an element: itself, or the target of its `$ref`, over at most `mostHops` steps. `nil` if the reference has no
    /// target, which has been reported.
    func followed(_ element: Element) -> Element? {
        var current = element
        for _ in 0..<Self.mostHops {
            guard let reference = current["$ref"], reference.text != nil else { return current }
            guard let next = target(of: reference) else { return nil }
            current = next
        }
        findings.add(
            .openAPIBrokenReference, "the reference leads back to itself", at: element,
            help: "refer to a definition")
        return nil
    }

    /// The value of a key, in this file or in another. Documents of many files use references where OpenAPI does not allow
    /// them, such as in `responses` and `paths`.
    func entered(_ element: Element?) -> Element? { element.flatMap(followed) }

    /// An operation, which may be in a file of its own. Keys beside the reference have no effect.
    func operation(_ element: Element) -> Element? {
        guard element.isReference else { return element }
        for (name, value) in element.named where name != "$ref" {
            findings.add(
                .openAPIKeywordUnknown, "`\(name)` has no effect beside the `$ref` of an operation", at: value,
                help: "write it in the file that the reference names")
        }
        return followed(element)
    }

    /// The target of an element, over references that have been followed before; nil if one of them has not, or has no target.
    func known(_ element: Element) -> Element? {
        var current = element
        for _ in 0..<Self.mostHops {
            guard let reference = current["$ref"], let text = reference.text else { return current }
            guard let next = resolved[ReferenceKey(file: reference.file, text: text)] ?? nil else { return nil }
            current = next
        }
        return nil
    }

    /// The target of a `$ref`, after one step.
    func target(of reference: Element) -> Element? {
        guard let text = reference.text else { return nil }
        let key = ReferenceKey(file: reference.file, text: text)
        if let known = resolved[key] { return known }
        resolved[key] = Element?.none  // a reference through itself ends here
        let found = find(text, from: reference)
        resolved[key] = found
        return found
    }

    /// The same for a text that isn't a `$ref`, such as an entry of a discriminator's mapping.
    private func find(_ text: String, from reference: Element) -> Element? {
        let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let path = String(parts[0])
        let fragment = parts.count > 1 ? String(parts[1]) : ""
        if path.contains("://") || path.hasPrefix("//") || path.hasPrefix("urn:") {
            // A URI may be the name of a schema that is here.
            if let root = root(ofResource: path) {
                return found(fragment, below: root) ?? missing(text, reference)
            }
            findings.add(
                .openAPIRemoteReference, "`\(text)` is not a local file, and the import does not fetch URLs",
                at: reference, help: "save it beside the document, and refer to it by a relative path")
            return nil
        }
        guard path.isEmpty else {
            let full = Self.joined(names[reference.file], PercentText.decoded(path))
            // `customer` may be the `$id` of a schema beside this one, and no file.
            if paths[full] == nil, let file = roots[reference.file] {
                let base = schemaResources(reference.file).resource(around: reference, in: file)
                if !base.isEmpty, let root = root(ofResource: SchemaResources.resolved(path, base)) {
                    return found(fragment, below: root) ?? missing(text, reference)
                }
            }
            guard let root = root(of: full, for: reference) else { return nil }
            return found(fragment, below: root) ?? missing(text, reference)
        }
        guard let file = roots[reference.file] else { return nil }
        if let target = found(fragment, below: file) { return target }
        // In a schema with an `$id`, a pointer starts from that schema.
        let own = schemaResources(reference.file)
        if fragment.hasPrefix("/"), let root = own.root(of: own.resource(around: reference, in: file)),
            let target = found(fragment, below: root)
        {
            return target
        }
        return missing(text, reference)
    }

    /// The names of the schemas in a file.
    private func schemaResources(_ file: Int) -> SchemaResources {
        if let known = resources[file] { return known }
        guard let root = roots[file] else { return SchemaResources() }
        let found = SchemaResources(file: root)
        resources[file] = found
        return found
    }

    /// The schema with a URI, in any of the files.
    private func root(ofResource uri: String) -> Element? {
        for file in roots.indices {
            if let root = schemaResources(file).root(of: uri) { return root }
        }
        return nil
    }

    /// The element that a fragment names: by a JSON pointer, or by an anchor.
    private func found(_ fragment: String, below root: Element) -> Element? {
        if fragment.isEmpty { return root }
        guard fragment.hasPrefix("/") else {
            let own = schemaResources(root.file)
            guard let file = roots[root.file] else { return nil }
            return own.schema(at: PercentText.decoded(fragment), in: own.resource(around: root, in: file))
        }
        let raw = fragment.dropFirst()
        let decoded = PercentText.decoded(String(raw))
        if let target = followed(decoded.split(separator: "/", omittingEmptySubsequences: false), from: root) {
            return target
        }
        // `#/` is the whole file to many tools, and `%2F` a slash inside of a name.
        if raw.isEmpty { return root }
        guard fragment.utf8.contains(UInt8(ascii: "%")) else { return nil }
        let tokens = raw.split(separator: "/", omittingEmptySubsequences: false).map { PercentText.decoded(String($0)) }
        return followed(tokens.map { $0[...] }, from: root)
    }

    /// The element that the tokens of a JSON pointer lead to.
    private func followed(_ tokens: [Substring], from root: Element) -> Element? {
        guard tokens.count <= 200 else { return nil }
        var place = root
        for raw in tokens {
            let token = String(raw.replacing("~1", with: "/").replacing("~0", with: "~"))
            if place.isReference, place[token] == nil {
                guard let next = followed(place) else { return nil }
                place = next
            }
            guard let next = place[token] ?? Int(token).flatMap({ place.item($0) }) else { return nil }
            place = next
        }
        return place
    }

    private func missing(_ text: String, _ reference: Element) -> Element? {
        findings.add(.openAPIBrokenReference, "`\(text)` does not exist", at: reference)
        return nil
    }

    /// A path beside a file, without `.` and `..` if they can be resolved.
    static func joined(_ base: String, _ path: String) -> String {
        if path.hasPrefix("/") { return path }
        let isAbsolute = base.hasPrefix("/")
        var folders = base.split(separator: "/").dropLast().map(String.init)
        for part in path.split(separator: "/") {
            switch part {
            case ".": continue
            case ".." where !folders.isEmpty && folders.last != "..": folders.removeLast()
            default: folders.append(String(part))
            }
        }
        return (isAbsolute ? "/" : "") + folders.joined(separator: "/")
    }
}
