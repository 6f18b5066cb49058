import Testing

@testable import JSONTree

/// The elements of a list in a document that comes in chunks.
@Suite struct JSONElementScannerTests {
    private static func scan(
        _ text: String, chunk: Int, longest: Int = 1_000
    ) -> (elements: [String], end: JSONElementScanner.End) {
        scan(Array(text.utf8), chunk: chunk, longest: longest)
    }

    private static func scan(
        _ bytes: [UInt8], chunk: Int, longest: Int = 1_000
    ) -> (elements: [String], end: JSONElementScanner.End) {
        var scanner = JSONElementScanner(listAt: ["log", "entries"], keeping: ["a", "b"], longest: longest)
        var found: [String] = []
        bytes.withUnsafeBytes { all in
            var start = 0
            while start < all.count {
                let end = min(start + chunk, all.count)
                scanner.read(UnsafeRawBufferPointer(rebasing: all[start..<end])) { element in
                    let place = "\(element.index) \(element.place.line):\(element.place.column)"
                    switch element.content {
                    case .object(let bytes): found.append("\(place) \(String(decoding: bytes, as: UTF8.self))")
                    case .other: found.append("\(place) other")
                    case .tooLong: found.append("\(place) long")
                    }
                }
                start = end
            }
        }
        return (found, scanner.end())
    }

    /// A document, and its elements with their places.
    private static let documents: [(text: String, elements: [String])] = [
        (#"{"log":{"entries":[]}}"#, []),
        (#"{"log":{"entries":[{"a":1},{"b":"x"}]}}"#, [#"0 1:20 {"a":1}"#, #"1 1:28 {"b":"x"}"#]),
        (
            "\u{FEFF}{\"log\": {\n  \"entries\": [\n  { \"a\" : [1, {\"c\": \"]}\"}] }\n]}}\n",
            [#"0 3:3 {"a":[1, {"c": "]}"}]}"#]
        ),
        // Only what is asked for is kept, also of what is named alike elsewhere.
        (
            #"{"entries":[1],"log":{"log":{"entries":[2]},"pages":["\"","}"],"entries":[{"z":{"a":"\\"},"a":"é\"","y":[[]],"b":{}}]},"x":null}"#,
            [#"0 1:75 {"a":"é\"","b":{}}"#]
        ),
        (
            #"{"log":{"entries":[1, "two", [3], null ,{"a":-1.5e3 }]}}"#,
            ["0 1:20 other", "1 1:23 other", "2 1:30 other", "3 1:35 other", #"4 1:41 {"a":-1.5e3}"#]
        ),
        (#"{"log":{"entries":[{}]}}"#, ["0 1:20 {}"]),
    ]

    @Test(arguments: [1, 2, 3, 7, 1_000]) func theElementsAreTheSameInChunksOfAnySize(_ chunk: Int) {
        for (text, elements) in Self.documents {
            let found = Self.scan(text, chunk: chunk)
            #expect(found.elements == elements, "\(text)")
            #expect(found.end == .complete, "\(text)")
        }
    }

    @Test func aDocumentWithoutTheListSaysSo() {
        for text in ["{}", #"{"log":[]}"#, #"{"log":{"entries":{}}}"#, #"{"log":{"pages":[]}}"#, #"{"log":null}"#] {
            #expect(Self.scan(text, chunk: 4).end == .withoutList, "\(text)")
        }
    }

    /// Each beginning of a document is cut, and has the elements that are whole.
    @Test func aCutDocumentHasItsWholeElements() {
        for (text, elements) in Self.documents {
            let bytes = Array(text.utf8)
            let last = bytes.lastIndex(of: UInt8(ascii: "}")) ?? 0
            for count in 0...last {
                let found = Self.scan(Array(bytes[..<count]), chunk: 5)
                #expect(found.end == .truncated, "\(String(decoding: bytes[..<count], as: UTF8.self))")
                #expect(elements.starts(with: found.elements))
            }
        }
    }

    /// What is no JSON, with the place at which that shows.
    private static let wrong: [(text: String, message: String, column: Int)] = [
        ("[]", "`{` is missing", 1),
        ("<html>", "`{` is missing", 1),
        (#"{"log":{"entries":[{"a":1} {"a":2}]}}"#, "`,` is missing", 28),
        (#"{"log":{"entries":[{"a":1},]}}"#, "a value is missing", 28),
        (#"{"log":{"entries":[{"a" 1}]}}"#, "`:` is missing", 25),
        (#"{"log":{"entries":[{a:1}]}}"#, "the name of a member is missing", 21),
        (#"{"log":{}} x"#, "more text follows the value", 12),
        (#"{"log":{"entries":[]]}"#, "`,` is missing", 21),
    ]

    @Test func whatIsNoJSONIsReportedWithItsPlace() {
        for (text, message, column) in Self.wrong {
            guard case .failure(let failure) = Self.scan(text, chunk: 3).end else {
                Issue.record("\(text) is read")
                continue
            }
            #expect(failure.message == message && failure.place.column == column, "\(text): \(failure)")
        }
        #expect(
            Self.scan([0xFF, 0xFE, 0x7B, 0x00], chunk: 2).end
                == .failure(.init(message: "the text is not UTF-8", place: .init())))
    }

    @Test func aLongElementIsPassedAndTheNextOneIsFound() {
        let long = String(repeating: "x", count: 5_000)
        let text = #"{"log":{"entries":[{"a":"\#(long)","b":1},{"c":"\#(long)","b":2}]}}"#
        let found = Self.scan(text, chunk: 100)
        #expect(found.elements.map { $0.split(separator: " ").last.map(String.init) } == ["long", #"{"b":2}"#])
        #expect(found.end == .complete)
    }

    /// What fits of a long element is kept, and of a noted member only whether it has content.
    @Test func ofALongElementTheRestIsKept() {
        let long = String(repeating: "x", count: 5_000)
        let elements = #"{"n":["\#(long)"],"a":"\#(long)","b":1},{"a":2,"n":null},{"n":[{}, 1],"b":3}"#
        let text = #"{"log":{"entries":[\#(elements)]}}"#
        for chunk in [1, 3, 100, 20_000] {
            var scanner = JSONElementScanner(
                listAt: ["log", "entries"], keeping: ["a", "b"], noting: ["n"], longest: 100)
            var found: [String] = []
            let bytes = Array(text.utf8)
            bytes.withUnsafeBytes { all in
                for start in stride(from: 0, to: all.count, by: chunk) {
                    let part = all[start..<min(start + chunk, all.count)]
                    scanner.read(UnsafeRawBufferPointer(rebasing: part)) { element in
                        switch element.content {
                        case .object(let bytes): found.append(String(decoding: bytes, as: UTF8.self))
                        case .tooLong(let bytes): found.append("long \(String(decoding: bytes, as: UTF8.self))")
                        case .other: found.append("other")
                        }
                    }
                }
            }
            #expect(found == [#"long {"n":true,"b":1}"#, #"{"a":2,"n":false}"#, #"{"n":true,"b":3}"#])
        }
    }

    /// Brackets take no memory and no stack.
    @Test func deepNestingIsPassed() {
        let deep = String(repeating: "[", count: 200_000) + String(repeating: "]", count: 200_000)
        let text = #"{"x":\#(deep),"log":{"entries":[{"c":\#(deep),"b":2}]}}"#
        let found = Self.scan(text, chunk: 4_096)
        #expect(found.elements.count == 1 && found.elements.first?.hasSuffix(#"{"b":2}"#) == true)
        #expect(found.end == .complete)
    }
}
