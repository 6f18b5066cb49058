import ErrandJSON
import Foundation
import Testing

@Suite struct ReaderTests {
    static let keys = JSONKeys(
        ["amount", "a", "a\"b", "grüße", "transactionIdentifier", ""],
        optional: ["amount", "a", "a\"b", "grüße", "transactionIdentifier", ""])

    @Test func keysInAnyOrderAndSpelling() throws {
        let text =
            #"{"\u0061mount": 1, "x": [{}, "\""], "a\"b": 2, "gr\u00fc\u00dfe": 3, "a": 4, "a": 5, "transactionIdentifier": 6, "transactionIdentifieR": 9, "": 7}"#
        let found = try read(text) { (reader: inout JSONReader) -> [[Int]]? in
            var found: [[Int]] = []
            var fields = reader.beginObject()
            while true {
                let index = reader.nextField(Self.keys, &fields)
                if index < 0 { return found }
                found.append([index, reader.readInt()])
            }
        }
        #expect(found == [[0, 1], [2, 2], [3, 3], [1, 4], [1, 5], [4, 6], [5, 7]])
    }

    /// `nil` in code means null where a JSON value is meant, and no value where an optional one is.
    @Test func nullIsNoOptionalValue() throws {
        let found = try read("[null, 1]") { (reader: inout JSONReader) -> [JSONValue?] in
            reader.readArray { reader in
                var value: JSONValue?
                reader.readOptionalValue(&value)
                return value
            }
        }
        #expect(found == [JSONValue?.none, .some(.number(JSONNumber(1)))])
    }

    static let wide = JSONKeys(
        (0..<70).map { "k\($0)" }, optional: (0..<69).filter { ![63, 65].contains($0) }.map { "k\($0)" })

    static func readWide(_ reader: inout JSONReader) -> Int? {
        var sum = 0
        var fields = reader.beginObject()
        while true {
            let index = reader.nextField(wide, &fields)
            if index < 0 { return reader.isFaulted ? nil : sum }
            sum += index
            // Wide objects inside wide objects.
            if reader.peekKind() == .object { sum += readWide(&reader) ?? 0 } else { reader.skipValue() }
        }
    }

    @Test func moreThan64Keys() throws {
        let all = (0..<70).shuffled().map { "\"k\($0)\": 0" }.joined(separator: ",")
        #expect(try read("{\(all)}", Self.readWide) == 69 * 35)
        #expect(try read(#"{"k69":{"k63":1,"k65":1,"k69":1},"k65":1,"k63":1}"#, Self.readWide) == 197 * 2)
        #expect(fault(#"{"k69":{"k63":1,"k65":1,"k69":1},"k63":1}"#, Self.readWide)?.code == .missingKey("k65"))
        #expect(fault(#"{"k65":1,"k69":{"k63":1,"k65":1},"k63":1}"#, Self.readWide)?.code == .missingKey("k69"))
        #expect(fault(#"{"k65":1,"k69":1}"#, Self.readWide)?.code == .missingKey("k63"))
        #expect(fault("{}", Self.readWide)?.code == .missingKey("k63"))
        #expect(fault(#"{"k63":0}"#, Self.readWide)?.code == .missingKey("k65"))
        let list = try read(#"[{"k65":{"k69":0}},{"k63":1,"k65":1,"k69":1},{"k69":1}]"#) {
            $0.readArraySkippingInvalid(Self.readWide)
        }
        #expect(list == [197])
    }

    @Test func lists() throws {
        #expect(try read("[]") { $0.readArray { $0.readInt() } } == [])
        #expect(try read(" [ 1 , 2 ] ") { $0.readArray { $0.readInt() } } == [1, 2])
        #expect(try read("7") { $0.readArrayOrSingle { $0.readInt() } } == [7])
        #expect(try read("[7, 8]") { $0.readArrayOrSingle { $0.readInt() } } == [7, 8])
        #expect(try read("null") { $0.readArrayOrSingle { $0.readInt() } } == [])
        #expect(fault("null") { $0.readArray { $0.readInt() } }?.code == .typeMismatch(found: .null))
        #expect(fault(#""x""#) { $0.readArrayOrSingle { $0.readInt() } }?.code == .typeMismatch(found: .string))
        #expect(try read("[1, null]") { $0.readArray { $0.readNullable { $0.readInt() } } } == [1, nil])
        #expect(try read(#"{"a": [1], "a": [2], "b": []}"#) { [String: [Int]].load(from: &$0) } == ["a": [2], "b": []])
        #expect(try read("[[1], [null]]") { [[Int?]].load(from: &$0) } == [[1], [nil]])
    }

    @Test func invalidElementsAreReported() throws {
        let (list, skipped) = try JSON.scanReportingSkipped(Array(#"{"l": [1, "a", {"b": [1]}, 2, null]}"#.utf8)) {
            (reader: inout JSONReader) in
            reader.readMap { $0.readArraySkippingInvalid { $0.readInt() } }
        }
        #expect(list == ["l": [1, 2]])
        #expect(skipped.faults.map(\.path) == ["$.l[1]", "$.l[2]", "$.l[4]"])
        #expect(skipped.faults.map(\.excerpt) == [#""a""#, "{…}", "null"])
        let single = try JSON.scanReportingSkipped(Array(#""x""#.utf8)) {
            $0.readArrayOrSingleSkippingInvalid { $0.readInt() }
        }
        #expect(single.value == [] && single.skipped.faults.map(\.path) == ["$"])
        // A list inside a bad element reports the element only.
        let nested = try JSON.scanReportingSkipped(Array(#"[["x", 1], {"y": ["z"]}, [2]]"#.utf8)) {
            (reader: inout JSONReader) in
            reader.readArraySkippingInvalid { (reader: inout JSONReader) -> [Int]? in
                let list = reader.readArraySkippingInvalid { $0.readInt() }
                if list == [1] { reader.fail("one") }
                return list
            }
        }
        #expect(nested.value == [[2]])
        #expect(nested.skipped.faults.map(\.path) == ["$[0]", "$[1]"])
        for text in ["[1, x]", "[1, \"a]", "[\"\\q\"]", "[{\"a\" 1}]", "[[1}]", "[1, \"a\"", "[\"a\",]"] {
            #expect(fault(text) { $0.readArraySkippingInvalid { $0.readInt() } }?.isMalformed == true, "\(text)")
        }
    }

    /// A value and the values of a map that do not fit are reported like the elements of a list.
    @Test func whatDoesNotFitIsSkipped() throws {
        let (map, skipped) = try JSON.scanReportingSkipped(Array(#"{"a": 1, "b": [2], "c": {"d": "e"}, "f": 3}"#.utf8))
        {
            (reader: inout JSONReader) in
            reader.readMapSkippingInvalid { $0.readInt() }
        }
        #expect(map == ["a": 1, "f": 3] && skipped.faults.map(\.path) == ["$.b", "$.c"])
        let one = try JSON.scanReportingSkipped(Array(#"{"a": ["x", 1], "b": [2, "y"]}"#.utf8)) {
            (reader: inout JSONReader) in
            reader.readMap { reader in reader.readOrSkip { $0.readArray { $0.readInt() } } ?? [] }
        }
        #expect(one.value == ["a": [], "b": []] && one.skipped.faults.map(\.path) == ["$.a[0]", "$.b[1]"])
        for text in ["tru", "{", "[1,", "\"a", "1x"] {
            let found = fault("[\(text)]") { $0.readArray { $0.readOrSkip { $0.readBool() } ?? false } }
            #expect(found?.isMalformed == true, "\(text)")
            #expect(fault(text) { $0.readMapSkippingInvalid { $0.readInt() } } != nil, "\(text)")
        }
    }

    @Test func manyInvalidElementsTakeOneWalk() throws {
        let text = "[" + Array(repeating: "\"x\"", count: 50_000).joined(separator: ",") + "]"
        let (list, skipped) = try JSON.scanReportingSkipped(Array(text.utf8)) {
            $0.readArraySkippingInvalid { $0.readInt() }
        }
        #expect(list.isEmpty && skipped.count == 50_000)
        #expect(skipped.faults.map(\.path) == (0..<SkippedElements.maximumFaults).map { "$[\($0)]" })
    }

    /// Faults in an element that is later skipped as a whole don't count. A value that is read twice counts once, also beyond
    /// the number of kept faults.
    @Test func invalidElementsAreCountedOnce() throws {
        let list = "[" + Array(repeating: "\"x\"", count: 30).joined(separator: ",") + "]"
        let (read, skipped) = try JSON.scanReportingSkipped(Array("[\(list), \(list), [\"y\"], 5]".utf8)) {
            (reader: inout JSONReader) -> [Int]? in
            let before = reader.mark()
            var counts: [Int] = []
            for _ in 0..<2 {
                reader.rewind(to: before)
                counts = reader.readArraySkippingInvalid { (reader: inout JSONReader) -> Int? in
                    reader.readArraySkippingInvalid { $0.readInt() }.count
                }
            }
            return counts
        }
        #expect(read == [0, 0, 0] && skipped.count == 62 && skipped.faults.count == SkippedElements.maximumFaults)
        let (_, wrong) = try JSON.scanReportingSkipped(Array("[\(list), \(list)]".utf8)) {
            (reader: inout JSONReader) -> [Int]? in
            reader.readArraySkippingInvalid { (reader: inout JSONReader) -> Int? in
                let list = reader.readArraySkippingInvalid { $0.readInt() }
                if list.isEmpty { reader.fail("empty") }
                return 1
            }
        }
        #expect(wrong.count == 2 && wrong.faults.map(\.path) == ["$[0]", "$[1]"])
    }

    @Test func words() throws {
        let tokens = JSONTokens(["on", "no", "a/b"])
        #expect(try read(#""no""#) { $0.readToken(tokens) } == 1)
        #expect(try read(#""a\/b""#) { $0.readToken(tokens) } == 2)
        let unknown = try read(#""o\u006e!""#) { (reader: inout JSONReader) -> String? in
            #expect(reader.readToken(tokens) == -1)
            return reader.takeToken()
        }
        #expect(unknown == "on!")
        #expect(fault("2") { $0.readToken(JSONTokens(["1", "2"])) }?.code == .typeMismatch(found: .number))
    }

    @Test func unions() throws {
        let tokens = JSONTokens(["image", "video"])
        for text in [
            #"{"kind": "video", "x": 1}"#, #"{"x": {"kind": "image"}, "kind": "video"}"#, #"{"\u006bind":"video"}"#,
        ] {
            let index = try read(text) { (reader: inout JSONReader) -> Int? in
                let index = reader.peekToken(at: "kind", tokens)
                _ = reader.readMap { $0.readValue() }
                return index
            }
            #expect(index == 1, "\(text)")
        }
        #expect(
            fault(#"{"a": {"x": 1}}"#) { (reader: inout JSONReader) in
                reader.read(at: JSONPath("a")) { $0.peekToken(at: "kind", tokens) }
            }?.description == "missing key 'kind' at $.a, byte 13")
        #expect(fault(#"{"kind": 1}"#) { $0.peekToken(at: "kind", tokens) }?.code == .typeMismatch(found: .number))
        #expect(fault("[1]") { $0.peekToken(at: "kind", tokens) }?.code == .typeMismatch(found: .array))
        #expect(
            fault(#"{"kind": "audio"}"#) { (reader: inout JSONReader) -> Int? in
                let index = reader.peekToken(at: "kind", tokens)
                if index < 0 { reader.faultUnknownToken(tokens) }
                return index
            }?.description == "unknownToken (one of image, video) at $.kind, byte 9")
    }

    /// A union with a case for all other objects needs no key, and takes any value of it.
    @Test(arguments: [
        (#"{"x": 1, "kind": "video"}"#, 1), (#"{"kind": "audio"}"#, -1), (#"{"kind": 1}"#, -1),
        (#"{"kind": null}"#, -1),
        ("{}", -1), (#"{"x": {"kind": "image"}}"#, -1),
    ])
    func unionsWithACaseForAllOthers(_ text: String, _ wanted: Int) throws {
        let tokens = JSONTokens(["image", "video"])
        let index = try read(text) { (reader: inout JSONReader) -> Int? in
            let index = reader.peekToken(at: "kind", orOther: tokens)
            _ = reader.readMap { $0.readValue() }
            return index
        }
        #expect(index == wanted)
        #expect(fault("[1]") { $0.peekToken(at: "kind", orOther: tokens) }?.code == .typeMismatch(found: .array))
        let number = try read(#"{"kind": 2}"#) { (reader: inout JSONReader) -> Int? in
            let index = reader.peekNumber(at: "kind", orOther: JSONTokens(["1", "2"]))
            _ = reader.readMap { $0.readValue() }
            return index
        }
        #expect(number == 1)
    }

    /// Which of the keys is there, in any order of them; of several, and of none, it is not said which.
    @Test(arguments: [
        (#"{"iban": "x"}"#, 1), (#"{"a": {"iban": 1}, "number": 7}"#, 0), (#"{"number": null, "iban": []}"#, 1),
        (#"{"\u0069ban": 1}"#, 1), ("{}", -1), (#"{"iban": 1, "number": 2}"#, -1), (#"{"number": 2, "iban": 1}"#, -1),
        (#"{"iban": null}"#, -1), (#"{"iban": 1, "iban": 2}"#, 1), (#"{"number": 1, "iban": 2, "number": 3}"#, -1),
    ])
    func unionsByKeys(_ text: String, _ wanted: Int) throws {
        let tokens = JSONTokens(["number", "iban"])
        let found = try read(text) { (reader: inout JSONReader) -> Int? in
            let index = reader.peekKey(tokens)
            _ = reader.readMap { $0.readValue() }
            return index
        }
        #expect(found == wanted)
    }

    @Test(arguments: [
        (#" "a""#, JSONKinds.string), ("-3", .integer), ("3.0", .integer), ("3e2", .integer), ("0.5", .number),
        ("18446744073709551616", .number), ("true", JSONKinds()), ("[1]", JSONKinds()), (#"{"a": 1}"#, .object),
    ])
    func unionsByKinds(_ text: String, _ wanted: JSONKinds) throws {
        let found = try read(text) { (reader: inout JSONReader) -> JSONKinds? in
            let kind = reader.peekKind(among: [.string, .integer, .number, .object])
            _ = reader.readValue()
            return kind
        }
        #expect(found == wanted)
    }

    @Test func aUnionWithoutWholeNumbersTakesThemAsNumbers() throws {
        func kind(_ text: String, _ kinds: JSONKinds) throws -> JSONKinds {
            try read(text) { (reader: inout JSONReader) -> JSONKinds? in
                let kind = reader.peekKind(among: kinds)
                _ = reader.readValue()
                return kind
            }
        }
        #expect(try kind("3", [.number, .bool]) == .number)
        #expect(try kind("0.5", [.integer, .bool]) == [])
        #expect(try kind("18446744073709551616", .integer) == .integer)
    }

    @Test func nullIsNoKind() {
        let found = fault("null") { $0.peekKind(among: [.string, .object]) }
        #expect(found?.code == .typeMismatch(found: .null) && found?.expectation == "one of string, object")
        #expect(fault("null") { $0.peekKind(among: .array) }?.expectation == "array")
        #expect(fault("") { $0.peekKind(among: .array) } != nil)
        #expect(fault("x") { $0.peekKind(among: .array) }?.code == .invalidSyntax)
    }

    @Test(arguments: [(#"{"a": "x", "op": 10}"#, 1), (#"{"op": -1}"#, 2), (#"{"op": 7}"#, -1)])
    func unionsByNumbers(_ text: String, _ wanted: Int) throws {
        let tokens = JSONTokens(["0", "10", "-1"])
        let found = try read(text) { (reader: inout JSONReader) -> Int? in
            let index = reader.peekNumber(at: "op", tokens)
            #expect(index >= 0 || reader.takeToken() == "7")
            _ = reader.readMap { $0.readValue() }
            return index
        }
        #expect(found == wanted)
        #expect(fault(#"{"op": "0"}"#) { $0.peekNumber(at: "op", tokens) }?.code == .typeMismatch(found: .string))
        #expect(fault("{}") { $0.peekNumber(at: "op", tokens) }?.code == .missingKey("op"))
    }

    @Test func unionsByKeysAreObjects() {
        let tokens = JSONTokens(["number", "iban"])
        #expect(fault("[1]") { $0.peekKey(tokens) }?.code == .typeMismatch(found: .array))
        #expect(fault(#"{"iban": 1, "#) { $0.peekKey(tokens) } != nil)
        #expect(fault(#"{"iban": nul}"#) { $0.peekKey(tokens) } != nil)
    }

    @Test func envelopes() throws {
        let text =
            #"{"data": {"items": [1, 2]}, "error": {"code": 900001, "messages": ["a", "b", {"c": 1}, null]}, "ok": true, "none": null, "msg": "fine"}"#
        _ = try read(text) { (reader: inout JSONReader) -> Bool? in
            #expect(reader.text(at: JSONPath("error", "code")) == "900001")
            #expect(reader.text(at: JSONPath("ok")) == "true")
            #expect(reader.text(at: JSONPath("msg")) == "fine")
            #expect(reader.text(at: JSONPath("data")) == nil && reader.text(at: JSONPath("none")) == nil)
            #expect(reader.text(at: JSONPath("data", "items", "1")) == "2")
            #expect(reader.text(at: JSONPath("data", "items", "2")) == nil)
            #expect(reader.texts(at: JSONPath("error", "messages")) == ["a", "b"])
            #expect(reader.texts(at: JSONPath("msg")) == ["fine"])
            #expect(reader.isPresent(at: JSONPath("error")) == true)
            #expect(reader.isPresent(at: JSONPath("none")) == false)
            #expect(reader.isPresent(at: JSONPath("error", "code", "x")) == false)
            #expect(reader.kind(at: JSONPath("data", "items")) == .array && reader.kind(at: JSONPath("q")) == .end)
            #expect(reader.kind(at: JSONPath()) == .object)
            #expect(reader.attempt(at: JSONPath("data"), { $0.readInt() }) == nil)
            #expect(reader.read(at: JSONPath("data", "items"), { $0.readArray { $0.readInt() } }) == [1, 2])
            #expect(reader.isFaulted == false)
            reader.skipValue()
            return true
        }
    }

    @Test func markAndRewind() throws {
        let keys = JSONKeys(["data", "code"])
        let result = try read(#"{"data": [1, "x"], "code": "100", "rest": {}}"#) {
            (reader: inout JSONReader) -> [Int]? in
            var data: JSONMark?
            var code = ""
            var fields = reader.beginObject()
            field: while true {
                switch reader.nextField(keys, &fields) {
                case 0:
                    data = reader.mark()
                    reader.skipValue()
                case 1: code = reader.readString()
                default: break field
                }
            }
            let end = reader.mark()
            guard code == "100", let data else { return nil }
            reader.rewind(to: data)
            let list = reader.readArraySkippingInvalid { $0.readInt() }
            reader.rewind(to: end)
            return list
        }
        #expect(result == [1])
    }

    @Test func readTwiceIsReportedOnce() throws {
        let (list, skipped) = try JSON.scanReportingSkipped(Array(#"[1, "x", 3]"#.utf8)) {
            (reader: inout JSONReader) -> [Int]? in
            let before = reader.mark()
            _ = reader.readArraySkippingInvalid { $0.readInt() }
            reader.rewind(to: before)
            return reader.readArraySkippingInvalid { $0.readInt() }
        }
        #expect(list == [1, 3] && skipped.faults.map(\.path) == ["$[1]"])
    }

    @Test func attempts() throws {
        let keys = JSONKeys(["data", "code"], optional: ["data", "code"])
        let result = try read(#"{"data": {"a": [1, {"b": "x"}]}, "code": 5}"#) { (reader: inout JSONReader) -> Int? in
            var code = 0
            var fields = reader.beginObject()
            field: while true {
                switch reader.nextField(keys, &fields) {
                case 0: #expect(reader.attempt { $0.readMap { $0.readArray { $0.readInt() } } } == nil)
                case 1: code = reader.readInt()
                default: break field
                }
            }
            return code
        }
        #expect(result == 5)
        #expect(
            fault(#"{"data": [1 2], "code": 5}"#) { (reader: inout JSONReader) in
                reader.readMap { $0.attempt { $0.readInt() } ?? 0 }
            }?.isMalformed == true)
    }

    @Test func strings() throws {
        #expect(
            try read(#""\"\\\/\b\f\n\r\t\u0041\u00e9\ud83d\ude00é😀\u0000""#) { $0.readString() }
                == "\"\\/\u{8}\u{C}\n\r\tAé😀é😀\0")
        #expect(try read("\"\u{2028}\u{7F}\"") { $0.readString() } == "\u{2028}\u{7F}")
        #expect(try read(#""""#) { $0.readString() } == "")
        for length in 0..<70 {
            for special in ["", "\\n", "é", "😀", "\\ud83d\\ude00"] {
                let text = String(repeating: "x", count: length) + special + String(repeating: "y", count: length % 11)
                let wanted = text.replacingOccurrences(of: "\\n", with: "\n").replacingOccurrences(
                    of: "\\ud83d\\ude00", with: "😀")
                #expect(try read("\"\(text)\"") { $0.readString() } == wanted)
            }
        }
    }
}
