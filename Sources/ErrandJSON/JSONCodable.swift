#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A model that is `Codable` by its own reader and writer, so that a coder sees exactly what the server sees:
/// wire names, formats of dates, unknown words and all. Generated models conform where `errand.yaml` asks for
/// `Codable`.
///
/// Each value goes through its JSON text on the way: right for a cache or a test fixture, and several times slower than
/// `load` and `write`, which stay the way to read and write JSON itself.
public protocol JSONCodable: Codable, JSONReadable, JSONWritable {}

extension JSONCodable {
    /// - Throws: `DecodingError.dataCorrupted`, with the `JSONFault` as its underlying error.
    public init(from decoder: any Decoder) throws {
        let value = try JSONValue(from: decoder)
        do throws(JSONFault) {
            let bytes = try JSON.bytes { $0.write(value) }
            self = try JSON.scan(bytes, Self.load)
        } catch {
            let context = DecodingError.Context(
                codingPath: decoder.codingPath, debugDescription: error.description, underlyingError: error)
            throw DecodingError.dataCorrupted(context)
        }
    }

    /// - Throws: `EncodingError.invalidValue`, with the `JSONFault` as its underlying error.
    public func encode(to encoder: any Encoder) throws {
        let value: JSONValue
        do throws(JSONFault) {
            let bytes = try JSON.bytes { self.write(to: &$0) }
            value = try JSON.scan(bytes, JSONValue.load)
        } catch {
            let context = EncodingError.Context(
                codingPath: encoder.codingPath, debugDescription: error.description, underlyingError: error)
            throw EncodingError.invalidValue(Self.self, context)
        }
        try value.encode(to: encoder)
    }
}
