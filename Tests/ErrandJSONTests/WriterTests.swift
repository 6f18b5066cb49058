import ErrandJSON
import Foundation
import Testing

@Suite struct WriterTests {
    @Test func structure() throws {
        let bytes = try JSON.bytes { writer in
            writer.beginObject()
            writer.key("a")
            writer.beginArray()
            writer.write(1)
            writer.write(Int32(-2))
            writer.beginObject()
            writer.endObject()
            writer.beginArray()
            writer.endArray()
            writer.writeNull()
            writer.write(true)
            writer.endArray()
            writer.key(dynamic: "b\"\n")
            writer.write(2.5)
            writer.key("q\"")
            writer.write(UInt.max)
            writer.key("i")
            writer.write(Int64.min)
            writer.key("f")
            writer.write(Float(0.1))
            writer.endObject()
        }
        #expect(
            String(decoding: bytes, as: UTF8.self)
                == #"{"a":[1,-2,{},[],null,true],"b\"\n":2.5,"q\"":18446744073709551615,"i":-9223372036854775808,"f":0.1}"#
        )
    }

    @Test func escapes() throws {
        let text = String(String.UnicodeScalarView((0..<0x80).compactMap(Unicode.Scalar.init))) + "é\u{2028}😀/"
        let bytes = try JSON.bytes { $0.write(text) }
        #expect(try JSON.scan(bytes) { $0.readString() } == text)
        #expect(try JSONDecoder().decode([String].self, from: Data("[".utf8 + bytes + "]".utf8)) == [text])
        #expect(
            String(decoding: bytes, as: UTF8.self).hasPrefix(
                #""\u0000\u0001\u0002\u0003\u0004\u0005\u0006\u0007\b\t\n\u000b\f\r\u000e\u000f\u0010"#))
        #expect(String(decoding: bytes, as: UTF8.self).hasSuffix("é\u{2028}😀/\""))
    }

    @Test func faultsStick() {
        for value in [Double.nan, .infinity, -.infinity] {
            let fault = #expect(throws: JSONError.self) {
                try JSON.bytes { writer in
                    writer.writeArray([1, value, 2]) { $1.write($0) }
                    writer.fail("later")
                }
            }
            #expect(fault?.code == .notWritable)
            #expect(fault?.expectation == "finite number")
        }
        #expect(throws: JSONError.self) { try JSON.bytes { $0.write(Float.nan) } }
        #expect(throws: JSONError.self) { try JSON.bytes { $0.write(Decimal.nan) } }
        #expect(throws: JSONError.self) { try JSON.bytes { $0.writeTimestamp(Date(timeIntervalSince1970: 1e15)) } }
        #expect(throws: JSONError.self) { try JSON.bytes { $0.writeUnixTimestamp(Date(timeIntervalSince1970: .nan)) } }
        #expect(throws: JSONError.self) { try JSON.bytes { _ in } }
        #expect(throws: JSONError.self) { try JSON.bytes { $0.beginObject() } }
    }

    @Test func mapsAreSorted() throws {
        let map = Dictionary(uniqueKeysWithValues: (0..<50).map { ("k\($0)", $0) })
        let bytes = try JSON.bytes(map.write)
        #expect(try JSON.scan(bytes) { $0.readValue() }.object?.keys == map.keys.sorted())
        #expect(try JSON.scan(bytes, [String: Int].load) == map)
    }
}
