import Diagnostics
import YAMLTree

/// Reads a tree into a ``Contract``. It checks that every key is known and every value has its kind, and drops nothing
/// silently.
///
/// It continues after a problem, so that one run reports all problems. The result omits the parts that could not be read, and the
/// diagnostics name them. A contract with errors is returned as far as it could be read, so that the resolver can add its own
/// findings.
///
/// Architecture invariant: it looks at one file only. The resolver finds the targets of names.
package struct ContractDecoder {
    let document: YAMLDocument
    var findings = DiagnosticBag()
    /// The owner of the fields that are being read.
    var owner: InlinePlace.Owner?
    /// The structures that are the inside of a field.
    var inlineTypes: [TypeDefinition] = []
    /// Which pair is read for a key that is missing, since its own key is misspelt: by where the mapping begins.
    var corrections: [Int: [String: Int]] = [:]

    init(document: YAMLDocument) {
        self.document = document
    }

    /// The result of decoding a document.
    package struct Result: Sendable {
        /// `nil` where not even the service's name could be read.
        package var contract: Contract?
        package var diagnostics: [Diagnostic]
    }

    package static func decode(_ document: YAMLDocument) -> Result {
        var decoder = ContractDecoder(document: document)
        let contract = decoder.contract(document.root)
        return Result(contract: contract, diagnostics: decoder.findings.diagnostics)
    }

    private mutating func contract(_ node: YAMLNode) -> Contract? {
        if reportForeignDocument(node) { return nil }
        guard let mapping = open(node, as: LanguageKeys.contract) else { return nil }
        languageVersion(mapping)
        guard let service = serviceName(mapping) else { return nil }
        var contract = Contract(file: document.file, service: service)
        contract.version = text(mapping, "version")
        contract.stability = word(mapping, "stability", of: Stability.self)?.value ?? .stable
        contract.doc = text(mapping, "doc")?.value
        contract.imports = textList(mapping, "imports")
        if let node = value(mapping, "servers") { contract.servers = servers(node) }
        if let node = value(mapping, "common") { contract.common = common(node) }
        if let node = value(mapping, "session") { contract.session = session(node) }
        if let node = value(mapping, "signing") { contract.signing = signing(node) }
        if let node = value(mapping, "rateLimit") { contract.rateLimit = rateLimit(node) }
        if let node = value(mapping, "envelopes") {
            contract.envelopes = definitions(node, of: "envelopes", &contract.unreadableNames) { $0.envelope($1, $2) }
        }
        if let node = value(mapping, "errors") {
            contract.errors = definitions(
                node, of: "errors", &contract.unreadableNames, LanguageKeys.error, marks: ["category"]
            ) { $0.error($1, $2) }
        }
        if let node = value(mapping, "types") {
            contract.types = definitions(node, of: "types", &contract.unreadableNames) { $0.type($1, $2) }
        }
        if let node = value(mapping, "defaults") { contract.defaults = defaults(node) }
        if let node = value(mapping, "endpoints") {
            contract.endpoints = definitions(
                node, of: "endpoints", &contract.unreadableNames, LanguageKeys.endpoint, marks: Self.targetKeys
            ) { $0.endpoint($1, $2) }
        }
        contract.types += inlineTypes
        return contract
    }

    /// The entries that could be read; the names of the others go into `unreadable`.
    ///
    /// - Parameter marks: Keys of which every entry must have at least one. If there are such keys, a key of `description`
    ///   among the entries was indented by mistake.
    private mutating func definitions<Definition>(
        _ node: YAMLNode, of what: String, _ unreadable: inout Set<String>,
        _ description: MappingDescription? = nil, marks: [String] = [],
        _ decode: (inout ContractDecoder, Located<String>, YAMLNode) -> Definition?
    ) -> [Definition] {
        let entries = entries(node, of: what)
        var result: [Definition] = []
        // A list that grows takes up to twice the memory of its elements.
        result.reserveCapacity(entries.count)
        var previous: YAMLNode?
        for (name, node) in entries {
            if let description,
                reportKeyAmongDefinitions(name, node, after: previous, as: description, marks: marks)
            {
                continue
            }
            previous = node
            if let definition = decode(&self, name, node) {
                result.append(definition)
            } else {
                unreadable.insert(name.value)
            }
        }
        return result
    }

    private mutating func languageVersion(_ mapping: YAMLMapping) {
        guard let version = text(mapping, "errand"), version.value != "1" else { return }
        report(
            .unknownLanguageVersion,
            "the contract is in version \(quoted(version.value)) of the language, and this version of Errand reads version 1",
            at: version.range, help: "write `errand: 1`, or update Errand")
    }

    private mutating func serviceName(_ mapping: YAMLMapping) -> Located<String>? {
        guard let name = text(mapping, "service") else { return nil }
        let isUpper = name.value.first.map { ("A"..."Z").contains($0) } ?? false
        if !isUpper || !isIdentifier(name.value) {
            report(
                .invalidName, "\(quoted(name.value)) cannot name a service: it becomes a Swift type and a folder",
                at: name.range,
                help:
                    "begin with an uppercase letter A–Z and use letters, digits and `_`: `service: \(typeName(name.value))`"
            )
            return nil
        }
        return name
    }

    /// Letters, digits and `_` of ASCII, not beginning with a digit.
    func isIdentifier(_ name: String) -> Bool {
        guard let first = name.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else {
            return false
        }
        return name.utf8.allSatisfy { byte in
            (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x5A) || (byte >= 0x61 && byte <= 0x7A)
                || byte == 0x5F
        }
    }

    /// The nearest name that is valid for a type, for a message.
    func typeName(_ text: String) -> String {
        let words = text.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
        let joined = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        guard let first = joined.first else { return "Name" }
        return first.isNumber ? "Type" + joined : joined
    }
}
