import ErrandRuntime
import EverythingClient
import Foundation
import Testing

/// Fields in several forms: timestamps in any of some formats, days or instants, and enums with several values for a case.
@Suite struct ValueFormTests {
    private func read<Model: JSONReadable>(_ json: String, as type: Model.Type = Model.self) throws -> Model {
        try JSON.scan(Array(json.utf8)) { (reader: inout JSONReader) in Model.load(from: &reader) }
    }

    private func text(_ model: some JSONWritable) throws -> String {
        String(decoding: try JSON.bytes { (writer: inout JSONWriter) in model.write(to: &writer) }, as: UTF8.self)
    }

    private static func document(seen: String, paid: String, log: String, phase: String, step: String) -> String {
        """
        {"seen":\(seen),"paid":\(paid),"log":[\(log)],"starts":"2026-11-21","ends":"2026-11-21T08:00:00Z",\
        "breaks":["2026-11-21","2026-11-21T08:00:00Z"],"phase":\(phase),"step":\(step),"pace":"fast","gear":1}
        """
    }

    private static let written = document(
        seen: #""2026-11-21T08:00:00Z""#, paid: "1795248000", log: #""21.11.2026 09:00""#, phase: #""open""#, step: "1")

    @Test(arguments: [
        (#""2026-11-21T08:00:00Z""#, "1795248000", #""21.11.2026 09:00""#, #""open""#, "1"),
        (#""2026-11-21 08:00:00""#, #""2026-11-21T08:00:00Z""#, "1795248000000", #""OPEN""#, "10"),
        ("1795248000", #""2026-11-21T10:00:00+02:00""#, "1795248000000", #""re,opened""#, "10"),
    ])
    func anyFormIsReadAndTheFirstIsWritten(
        _ seen: String, _ paid: String, _ log: String, _ phase: String, _ step: String
    ) throws {
        let json = Self.document(seen: seen, paid: paid, log: log, phase: phase, step: step)
        let forms = try read(json, as: Everything.Forms.self)
        #expect(forms.seen == Date(timeIntervalSince1970: 1_795_248_000))
        #expect(forms.phase == .open && forms.step == .first)
        #expect(try text(forms) == Self.written)
    }

    @Test func aDayIsNotAnInstant() throws {
        let forms = try read(Self.written, as: Everything.Forms.self)
        let day = try #require(CalendarDate("2026-11-21"))
        #expect(forms.starts == .date(day))
        #expect(forms.ends == .timestamp(Date(timeIntervalSince1970: 1_795_248_000)))
        #expect(forms.breaks == [forms.starts, forms.ends])
    }

    @Test func aClosedEnumReadsTheOtherValuesOfItsCases() throws {
        #expect(try read(#"["quick","fast","slow"]"#, as: [Everything.Pace].self) == [.fast, .fast, .slow])
        #expect(try read("[-1,1,5]", as: [Everything.Gear].self) == [.low, .low, .high])
        #expect(try text([Everything.Pace.fast]) == #"["fast"]"#)
        #expect(throws: JSONError.self) { try self.read(#"["quicker"]"#, as: [Everything.Pace].self) }
        #expect(throws: JSONError.self) { try self.read("[2]", as: [Everything.Gear].self) }
    }

    @Test func anOpenEnumKnowsItsOtherValues() throws {
        #expect(Everything.Phase(rawValue: "OPEN") == .open && Everything.Phase.open.rawValue == "open")
        #expect(try read(#"["opened"]"#, as: [Everything.Phase].self) == [.unrecognized("opened")])
        #expect(Everything.Step(rawValue: 10) == .first)
        #expect(Everything.Phase.knownCases == [.open, .closed])
    }

    @Test(arguments: [
        ("\"seen\":true", "typeMismatch"), ("\"seen\":\"21.11.2026 09:00\"", "malformedText (RFC 3339 timestamp)"),
        ("\"starts\":\"2026-02-30\"", "malformedText (date or RFC 3339 timestamp)"), ("\"ends\":7", "typeMismatch"),
    ])
    func anotherFormIsAFault(_ field: String, _ saying: String) throws {
        let key = try #require(field.split(separator: ":").first)
        let start = try #require(Self.written.range(of: key + ":"))
        let end = try #require(Self.written[start.upperBound...].range(of: ",\""))
        let json = Self.written.replacingCharacters(in: start.lowerBound..<end.lowerBound, with: field)
        let fault = #expect(throws: JSONError.self) { try self.read(json, as: Everything.Forms.self) }
        #expect(fault.map { "\($0)".contains(saying) } == true, "\(fault.map { "\($0)" } ?? "")")
    }
}
