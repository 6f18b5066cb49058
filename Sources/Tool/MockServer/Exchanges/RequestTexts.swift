import ContractModel
import JSONTree

/// Spells values outside of JSON as a generated client does: those of a query, a path, headers, cookies and forms.
enum RequestTexts {
    /// The texts of a parameter: one, or one for each element of a list. An empty list has none.
    static func texts(_ value: JSONNode) -> [String] {
        switch value {
        case .array(let elements): elements.compactMap(\.scalarText)
        default: value.scalarText.map { [$0] } ?? []
        }
    }

    /// The pairs of a form. The name of an inner value has its place in brackets.
    static func pairs(_ name: String, _ value: JSONNode, isInside: Bool = false) -> [(name: String, value: String)] {
        switch value {
        case .null: return []
        case .object(let members): return members.flatMap { pairs("\(name)[\($0.name)]", $0.value, isInside: true) }
        case .array(let elements):
            let hasIndices = isInside || elements.contains { $0.scalarText == nil }
            return elements.enumerated().flatMap { position, element in
                pairs(hasIndices ? "\(name)[\(position)]" : name, element, isInside: true)
            }
        default: return value.scalarText.map { [(name, $0)] } ?? []
        }
    }

    /// The parts of a multipart body.
    static func parts(_ field: FieldDefinition, _ value: JSONNode, _ nesting: BodyDefinition.Nesting) -> [RequestSample
        .Part]
    {
        func part(_ text: String) -> RequestSample.Part {
            RequestSample.Part(name: field.wireName, value: text, isFile: field.isFile)
        }
        if let text = value.scalarText { return [part(text)] }
        if value == .null { return [] }
        if !field.isJSONPart, case .array(let elements) = value, elements.allSatisfy({ $0.scalarText != nil }) {
            return elements.compactMap(\.scalarText).map(part)
        }
        if nesting == .brackets, !field.isJSONPart {
            return pairs(field.wireName, value).map {
                RequestSample.Part(name: $0.name, value: $0.value, isFile: false)
            }
        }
        return [part(String(decoding: value.bytes, as: UTF8.self))]
    }
}
