#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// For models that are asked to be `Codable` as well. A coder decides on the type of a number and on
/// the order of an object, so neither survives it; `JSONReader` and `JSONWriter` keep both.
extension JSONValue: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int.self) {
            self = .number(JSONNumber(value))
        } else if let value = try? container.decode(Decimal.self), let number = JSONNumber(value) {
            self = .number(number)
        } else if let value = try? container.decode(Double.self), let number = JSONNumber(value) {
            self = .number(number)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .array(value)
        } else {
            var object = JSONObject()
            for (key, value) in try container.decode([String: JSONValue].self).sorted(by: { $0.key < $1.key }) {
                object[key] = value
            }
            self = .object(object)
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let list): try container.encode(list)
        case .object(let object):
            try container.encode(Dictionary(uniqueKeysWithValues: object.map { ($0.key, $0.value) }))
        case .number(let number):
            if let value = number.int {
                try container.encode(value)
            } else if let value = number.decimal {
                try container.encode(value)
            } else if let value = number.double {
                try container.encode(value)
            } else {
                throw EncodingError.invalidValue(
                    number.text,
                    EncodingError.Context(
                        codingPath: encoder.codingPath, debugDescription: "a number beyond all types"))
            }
        }
    }
}
