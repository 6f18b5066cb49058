import ContractModel

/// Makes the template input of one enumeration.
enum EnumerationPlan {
    static func input(_ emission: Emission, _ type: TypeDefinition, _ definition: EnumDefinition) -> EnumerationInput {
        let isText = definition.wireKind == .string
        let isRead = emission.usage.read.contains(type.name.value)
        let isWritten = emission.usage.written.contains(type.name.value)
        let raw = emission.spelling.library(isText ? "String" : "Int")
        var input = EnumerationInput()
        input.doc = DocComment(Deprecation.doc(type.doc, type.deprecated))
        input.access = emission.access.rawValue
        input.name = SwiftIdentifier.spelled(type.identifier)
        input.raw = raw
        input.open = !definition.isClosed
        input.isWritten = isWritten
        input.cases = definition.cases.enumerated().map { index, item in
            let word = item.wireValue.value
            var input = EnumerationInput.Case()
            input.index = index
            input.name = SwiftIdentifier.spelled(item.identifier)
            input.literal = isText ? .string(word) : number(word)
            if definition.isClosed, !isText || word != item.identifier { input.rawLiteral = input.literal }
            input.isOnly = definition.cases.count == 1
            return input
        }
        var conformances: [SwiftType] = [.named("Sendable"), .named("Hashable")]
        if definition.isClosed {
            conformances.insert(raw, at: 0)
            conformances.append(emission.spelling.library("CaseIterable"))
        }
        if emission.isCodable, !definition.isClosed {
            conformances.append(.named("JSONCodable"))
        } else {
            // Swift's own coding of raw values is the same, and excludes another one.
            if emission.isCodable { conformances.append(emission.spelling.library("Codable")) }
            if isRead { conformances.append(.named("JSONReadable")) }
            if isWritten { conformances.append(.named("JSONWritable")) }
        }
        input.conformances = conformances
        if isRead {
            let values = definition.cases.map(\.wireValue.value)
            input.reader = isText ? .words(tokens(values)) : .numbers(values)
        }
        return input
    }

    /// The argument of `JSONTokens`.
    static func tokens(_ words: [String]) -> Argument { .joined(words) ?? Argument(.strings(words)) }

    /// The resolver has checked that it is a number.
    private static func number(_ text: String) -> Expression { .integer(Int64(text) ?? 0) }
}
