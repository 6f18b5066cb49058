#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A model that is `Codable` by its own reader and writer, so that a coder sees exactly what the server sees, including wire
/// names, formats of dates and unknown words. Generated models conform only if `errand.yaml` asks for `Codable`, because a pull
/// parser over bytes is faster to compile and to run.
///
/// Each value is converted through its JSON text. This suits a cache or a test fixture, but is several times slower than `load`
/// and `write`. Use those to read and write JSON itself.
public protocol JSONCodable: Codable, JSONReadable, JSONWritable {}

extension JSONCodable {
    /// - Throws: `DecodingError.dataCorrupted`, with the `JSONError` as its underlying error.
    public init(from decoder: any Decoder) throws {
        let value = try JSONValue(from: decoder)
        do throws(JSONError) {
            let bytes = try JSON.bytes { $0.write(value) }
            self = try JSON.scan(bytes, Self.load)
        } catch {
            let context = DecodingError.Context(
                codingPath: decoder.codingPath, debugDescription: error.description, underlyingError: error)
            throw DecodingError.dataCorrupted(context)
        }
    }

    /// - Throws: `EncodingError.invalidValue`, with the `JSONError` as its underlying error.
    public func encode(to encoder: any Encoder) throws {
        let value: JSONValue
        do throws(JSONError) {
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
