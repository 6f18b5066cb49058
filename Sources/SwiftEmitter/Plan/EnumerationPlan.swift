import ContractModel

/// Makes the template input of one enumeration.
enum EnumerationPlan {
    static func input(_ emission: Emission, _ type: TypeDefinition, _ definition: EnumDefinition) -> EnumerationInput {
        let isText = definition.wireKind == .string
        let isRead = emission.usage.read.contains(type.name.value)
        let isWritten = emission.usage.written.contains(type.name.value)
        let raw = emission.spelling.library(isText ? "String" : "Int")
        let cases = definition.cases.map { SwiftIdentifier.spelled($0.identifier) }
        let values = definition.cases.map {
            isText ? SwiftLiteral.string($0.wireValue.value) : number($0.wireValue.value)
        }

        var input = EnumerationInput()
        input.doc = DocComment.lines(Deprecation.doc(type.doc, type.deprecated), indent: "    ")
        input.access = emission.access.rawValue
        input.name = SwiftIdentifier.spelled(type.identifier)
        input.raw = raw
        input.open = !definition.isClosed
        input.isWritten = isWritten
        var conformances = ["Sendable", "Hashable"]
        if emission.isCodable, !definition.isClosed {
            conformances.append("JSONCodable")
        } else {
            // Swift's own coding of raw values is the same, and stands in the way of another.
            if emission.isCodable { conformances.append("Codable") }
            if isRead { conformances.append("JSONReadable") }
            if isWritten { conformances.append("JSONWritable") }
        }
        if definition.isClosed { conformances.insert(raw, at: 0) }
        input.conformances = conformances.joined(separator: ", ")

        let pairs = zip(cases, values)
        let declarations = definition.isClosed ? pairs.map { "\($0) = \($1)" } : cases
        input.cases = SourceLayout.fill(declarations, separator: ", ", first: "        case ", indent: "            ")
        if !definition.isClosed {
            input.values = SourceLayout.cases(pairs.map { "case .\($0): \($1)" }, indent: "            ") + "\n"
            input.matches = SourceLayout.cases(pairs.map { "case \($1): self = .\($0)" }, indent: "            ") + "\n"
        }
        if isRead { input.reader = reader(cases, definition.cases.map(\.wireValue.value), isText: isText) }
        return input
    }

    private static func reader(_ cases: [String], _ words: [String], isText: Bool) -> EnumerationInput.Reader {
        var reader = EnumerationInput.Reader()
        reader.isText = isText
        guard isText else {
            // In one line: it stands inside of a text.
            reader.tokens = words.joined(separator: ", ")
            return reader
        }
        reader.tokens = SwiftLiteral.joined(words) ?? SwiftLiteral.strings(words)
        // With the type before the dot: a case called `none` would otherwise be the optional's.
        reader.cases =
            SourceLayout.cases(
                cases.enumerated().map { "case \($0): return Self.\($1)" }, indent: "            ") + "\n"
        return reader
    }

    /// The number in Swift's spelling; the resolver has checked that it is one.
    private static func number(_ text: String) -> String { Int64(text).map { String($0) } ?? "0" }
}

/// Makes the template input of one union.
enum UnionPlan {
    static func input(_ emission: Emission, _ type: TypeDefinition, _ union: UnionDefinition) -> UnionInput {
        let name = type.name.value
        let isRead = emission.usage.read.contains(name)
        let isWritten = emission.usage.written.contains(name)
        let string = emission.spelling.library("String")
        var input = UnionInput()
        input.doc = DocComment.lines(Deprecation.doc(type.doc, type.deprecated), indent: "    ")
        input.access = emission.access.rawValue
        input.indirect = emission.recursion.indirectUnions.contains(name) ? "indirect " : ""
        input.name = SwiftIdentifier.spelled(type.identifier)
        input.isSensitive = SensitiveNames.areReached(from: name, in: emission.contract)
        input.conformances = emission.conformances(isRead: isRead, isWritten: isWritten, isSensitive: input.isSensitive)
        input.discriminator = SwiftLiteral.string(union.discriminator.value)
        let names = union.cases.map(\.name.value)
        input.tokens = SwiftLiteral.joined(names) ?? SwiftLiteral.strings(names)

        var cases: [String] = []
        var reads: [String] = []
        var writes: [String] = []
        var checks: [String] = []
        var mirrors: [String] = []
        for (index, item) in union.cases.enumerated() {
            let identifier = SwiftIdentifier.spelled(item.identifier)
            let shape = emission.contract.shape(of: item.type)
            cases.append("        case \(identifier)(\(emission.spelling.spelled(item.type)))\n")
            reads.append(
                "case \(index): return \(emission.spelling.spelled(shape)).load(from: &reader).map(Self.\(identifier))")
            let tag =
                writesDiscriminator(emission, shape, union)
                ? "writer.key(\(input.discriminator)); writer.write(\(SwiftLiteral.string(item.name.value))); " : ""
            writes.append(
                "case .\(identifier)(let value): writer.beginObject(); \(tag)value.writeFields(to: &writer); writer.endObject()"
            )
            let label = SwiftLiteral.string(item.identifier)
            mirrors.append(
                "case .\(identifier)(let value): Mirror(self, children: [\(label): value], displayStyle: .enum)")
            if ConstraintChecks(emission).isConstrained(shape) {
                checks.append("case .\(identifier)(let value): value.validate(&check)")
            }
        }
        input.cases = cases.joined() + "        case unrecognized(\(string), JSONValue)"
        let indent = "            "
        input.isRead = isRead
        input.isWritten = isWritten
        if input.isSensitive { input.mirrors = SourceLayout.cases(mirrors, indent: indent) + "\n" }
        if isRead { input.reads = SourceLayout.cases(reads, indent: indent) + "\n" }
        if isWritten { input.writes = SourceLayout.cases(writes, indent: indent) + "\n" }
        if !checks.isEmpty, emission.usage.constrained.contains(name) {
            if checks.count <= union.cases.count { checks.append("default: break") }
            input.isChecked = true
            input.checks = SourceLayout.cases(checks, indent: indent) + "\n"
        }
        return input
    }

    /// Whether the union writes the discriminator, because the structure itself does not.
    private static func writesDiscriminator(_ emission: Emission, _ shape: Shape, _ union: UnionDefinition) -> Bool {
        guard case .structure(let name) = shape,
            case .structure(let fields)? = emission.contract.type(named: name)?.form
        else { return true }
        return !fields.contains { $0.wireName == union.discriminator.value }
    }
}
