import ContractModel

/// Makes the template input of one enumeration.
enum EnumerationPlan {
    static func input(_ context: EmissionContext, _ type: TypeDefinition, _ definition: EnumDefinition)
        -> EnumerationInput
    {
        let isText = definition.wireKind == .string
        let isRead = context.usage.read.contains(type.name.value)
        let isWritten = context.usage.written.contains(type.name.value)
        let raw = context.spelling.library(isText ? "String" : "Int")
        var input = EnumerationInput()
        input.doc = DocComment(Deprecation.doc(type.doc, type.deprecated))
        input.access = context.access.rawValue
        input.name = SwiftIdentifier.spelled(type.identifier)
        input.raw = raw
        input.open = !definition.isClosed
        input.isWritten = isWritten
        input.cases = definition.cases.enumerated().map { index, item in
            let word = item.wireValue.value
            var input = EnumerationInput.Case()
            input.indices = [index]
            input.name = SwiftIdentifier.spelled(item.identifier)
            input.literal = isText ? .string(word) : number(word)
            if definition.isClosed, !isText || word != item.identifier { input.rawLiteral = input.literal }
            input.isOnly = definition.cases.count == 1
            return input
        }
        input.isDecoded = context.isCodable && definition.isClosed && definition.hasOtherValues
        if definition.isClosed, isText { addOtherTokens(definition, to: &input) }
        if !definition.isClosed || !isText || input.isDecoded { input.others = others(definition) }
        var conformances: [SwiftType] = [.named("Sendable"), .named("Hashable")]
        if definition.isClosed {
            conformances.insert(raw, at: 0)
            conformances.append(context.spelling.library("CaseIterable"))
        }
        if context.isCodable, !definition.isClosed {
            conformances.append(.named("JSONCodable"))
        } else {
            // Swift's own coding of raw values is the same but for other values, and excludes another one.
            if context.isCodable { conformances.append(context.spelling.library("Codable")) }
            if isRead { conformances.append(.named("JSONReadable")) }
            if isWritten { conformances.append(.named("JSONWritable")) }
        }
        input.conformances = conformances
        if isRead {
            let values = definition.cases.map(\.wireValue.value)
            let others = definition.cases.flatMap { $0.otherValues.map(\.value) }
            // An open enum looks up the other words of a case where it would keep a word that it does not know.
            input.reader =
                isText ? .words(definition.isClosed ? values + others : values) : .numbers(values + others)
        }
        return input
    }

    /// Gives each case the positions of its other words, which follow those of all cases.
    private static func addOtherTokens(_ definition: EnumDefinition, to input: inout EnumerationInput) {
        var position = definition.cases.count
        for (index, item) in definition.cases.enumerated() {
            input.cases[index].indices += position..<(position + item.otherValues.count)
            position += item.otherValues.count
        }
    }

    private static func others(_ definition: EnumDefinition) -> [EnumerationInput.Other] {
        let isText = definition.wireKind == .string
        let all = definition.cases.flatMap { item in item.otherValues.map { (item, $0.value) } }
        return all.map { item, word in
            EnumerationInput.Other(
                literal: isText ? .string(word) : number(word), name: SwiftIdentifier.spelled(item.identifier),
                isOnly: all.count == 1)
        }
    }

    /// The resolver has checked that it is a number.
    private static func number(_ text: String) -> Expression { .integer(Int64(text) ?? 0) }
}
