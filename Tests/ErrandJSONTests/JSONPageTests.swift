import ErrandJSON
import Foundation
import Testing

/// `docs/json.md` says what the code does.
@Suite struct JSONPageTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private let page: String

    init() throws {
        page = try String(contentsOf: Self.root.appendingPathComponent("docs/json.md"), encoding: .utf8)
    }

    /// What the page's lines give. `scripts/check pages` compares them, and the type in `JSONPageExample.swift`, with the page.
    @Test func theExampleReadsAndWrites() throws {
        let bytes = Array(#"{"number":7,"total":12.50,"due":"2026-11-21","lines":["a","b"],"other":[1]}"#.utf8)
        let invoice = try JSON.scan(bytes) { (reader: inout JSONReader) in Invoice.load(from: &reader) }
        let written = try JSON.bytes { (writer: inout JSONWriter) in invoice.write(to: &writer) }
        #expect(
            String(decoding: written, as: UTF8.self)
                == #"{"number":7,"total":12.5,"due":"2026-11-21","lines":["a","b"]}"#)
        let fault = #expect(throws: JSONError.self) {
            try JSON.scan(Array(#"{"number":7,"total":"1"}"#.utf8)) { Invoice.load(from: &$0) }
        }
        #expect(fault?.description == "typeMismatch (decimal) at $.total, byte 20")
    }

    /// A row of the table of documents that RFC 8259 leaves to the parser.
    private struct Row {
        var name: String
        var isAccepted: Bool
        var reason: String
    }

    private var rows: [Row] {
        page.split(separator: "\n").filter { $0.hasPrefix("| `i_") }.map { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            return Row(
                name: cells[0].trimmingCharacters(in: ["`"]), isAccepted: cells[2] == "accepted", reason: cells[3])
        }
    }

    @Test func theTableIsComplete() {
        let verdicts = Dictionary(rows.map { ($0.name, $0.isAccepted) }) { first, _ in first }
        #expect(verdicts == JSONTestSuiteTests.choices)
        #expect(verdicts.count == rows.count)
    }

    /// Each document has the verdict of its row, and the reason is the code that the reader gives.
    @Test func theTableIsTrue() throws {
        guard FileManager.default.fileExists(atPath: JSONTestSuiteTests.folder.path) else {
            print("skipped: no JSONTestSuite at \(JSONTestSuiteTests.folder.path)")
            return
        }
        for row in rows {
            let bytes = [UInt8](
                try Data(contentsOf: JSONTestSuiteTests.folder.appendingPathComponent(row.name + ".json")))
            do throws(JSONError) {
                let value = try JSON.scan(bytes) { $0.readValue() }
                #expect(row.isAccepted, "\(row.name)")
                guard let number = value[0]?.number else { continue }
                #expect(
                    "[\(number.text)]" == String(decoding: bytes, as: UTF8.self) && row.reason.contains("text is kept"),
                    "\(row.name)")
                checkNumber(bytes, row.reason, row.name)
            } catch {
                #expect(!row.isAccepted && row.reason.hasPrefix("`\(name(error))`"), "\(row.name): \(error)")
            }
        }
    }

    private func checkNumber(_ bytes: [UInt8], _ reason: String, _ document: String) {
        let double = Result { () throws(JSONError) in try JSON.scan(bytes) { $0.readArray { $0.readDouble() } } }
        let int = Result { () throws(JSONError) in try JSON.scan(bytes) { $0.readArray { $0.readInt() } } }
        func isOutOfRange<Value>(_ result: Result<Value, JSONError>) -> Bool {
            if case .failure(let fault) = result { fault.code == .numberOutOfRange } else { false }
        }
        if reason.contains("`readDouble` gives 0") {
            #expect((try? double.get()) == [0], "\(document)")
        } else if reason.contains("`readDouble` refuses") {
            #expect(isOutOfRange(double), "\(document)")
        } else {
            #expect(reason.contains("`readInt` refuses") && isOutOfRange(int), "\(document)")
        }
    }

    /// The code's name, which a fault's text begins with.
    private func name(_ fault: JSONError) -> String { String(fault.description.prefix { $0 != " " }) }

    /// The rows of the page's table of policies.
    @Test func thePoliciesAreTrue() throws {
        func value(_ text: String) throws -> JSONValue { try JSONValue(parsing: text) }
        func code<Value>(_ text: String, _ read: (inout JSONReader) -> Value?) -> JSONError.Code? {
            do throws(JSONError) {
                _ = try JSON.scan(Array(text.utf8), read)
                return nil
            } catch {
                return error.code
            }
        }
        // Numbers
        #expect(try JSON.scan(Array("[1.0,1e2]".utf8)) { $0.readArray { $0.readInt() } } == [1, 100])
        #expect(code("1.5") { $0.readInt() } == .typeMismatch(found: .number))
        #expect(
            code("1e19") { $0.readInt() } == .numberOutOfRange && code("1e309") { $0.readDouble() } == .numberOutOfRange
        )
        #expect(code(String(repeating: "9", count: 38)) { $0.readDecimal() } == nil)
        #expect(code(String(repeating: "9", count: 39)) { $0.readDecimal() } == .numberOutOfRange)
        // Equal keys
        #expect(try value(#"{"a":1,"a":2}"#) == ["a": 2])
        #expect(
            try JSON.scan(Array(#"{"a":1,"a":2}"#.utf8)) { reader in
                let text = reader.text(at: JSONPath("a"))
                reader.skipValue()
                return text
            } == "1")
        #expect(try value("{\"\u{E9}\":1,\"e\u{301}\":2}").object?.count == 1)
        // Depth
        let deep = String(repeating: "[", count: 513) + String(repeating: "]", count: 513)
        #expect(
            code(deep) { $0.skipValue() } == .tooDeep
                && code(String(deep.dropFirst().dropLast())) { $0.skipValue() } == nil)
        // Encoding, surrogates, and what is after
        #expect(code("\u{FEFF}1") { $0.skipValue() } == .byteOrderMark)
        #expect(try value(#""\ud83d\ude00""#) == "😀")
        #expect(code(#""\ud83d""#) { $0.skipValue() } == .loneSurrogate)
        #expect(code("1 2") { $0.skipValue() } == .trailingContent)
    }
}
