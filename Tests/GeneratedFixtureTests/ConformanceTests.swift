import ErrandJSON
import Foundation
import NotesClient
import Testing

/// Models that were asked to be `Hashable` and `Codable`.
@Suite struct ConformanceTests {
    static let document = """
        {"id":"6BA7B810-9DAD-11D1-80B4-00C04FD430C8","body_text":"é\\"","mood":"curious","size":"large","written":1763693821250,\
        "attachment":"AQID","place":{"kind":"point","x":1.5,"y":-2},"replies":[{"id":"6BA7B811-9DAD-11D1-80B4-00C04FD430C8",\
        "body_text":"","mood":"sad","size":"small","written":0,"place":{"kind":"street","number":7},"replies":[]}],\
        "extra":{"a":[1,null,true]},"pinned":null,"price":0.10}
        """

    private func note() throws -> Notes.Note {
        try JSON.scan(Array(Self.document.utf8), Notes.Note.load)
    }

    /// A coder writes the JSON that the server would receive, and reads it back as the same value.
    @Test func codersSeeWhatTheServerSees() throws {
        let note = try note()
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let encoded = try encoder.encode(note)
        let written = try JSON.bytes { note.write(to: &$0) }
        let fromServer = try JSON.scan(Array(encoded)) { $0.readValue() }
        #expect(try fromServer == JSON.scan(written) { $0.readValue() })
        #expect(try JSONDecoder().decode(Notes.Note.self, from: encoded) == note)
        #expect(try JSONDecoder().decode(Notes.Note.self, from: Data(Self.document.utf8)) == note)
        let list = PropertyListEncoder()
        var plain = note
        plain.pinned = .absent
        plain.extra = nil
        #expect(try PropertyListDecoder().decode(Notes.Note.self, from: list.encode(plain)) == plain)
    }

    @Test func aMisfitIsADecodingError() throws {
        let broken = Self.document.replacingOccurrences(of: "1763693821250", with: "\"soon\"")
        do {
            _ = try JSONDecoder().decode([Notes.Note].self, from: Data("[\(broken)]".utf8))
            Issue.record("decoded")
        } catch let DecodingError.dataCorrupted(context) {
            #expect((context.underlyingError as? JSONError)?.path == "$.written")
            #expect(context.codingPath.count == 1)
        }
        #expect(throws: EncodingError.self) {
            try JSONEncoder().encode(Notes.Point(x: .nan, y: 0))
        }
    }

    @Test func modelsAndCommandsAreCompared() throws {
        let note = try note()
        var other = note
        other.replies[0].mood = .glad
        #expect(note != other)
        #expect(Set([note, other, note]).count == 2)
        #expect(Notes.AddNote(note: note) == Notes.AddNote(note: note))
        #expect(Set([Notes.FindNotes(mood: .sad), Notes.FindNotes(mood: nil), Notes.FindNotes(mood: .sad)]).count == 2)
    }

    /// Closed enumerations are coded by the standard library.
    @Test func closedEnumerationsAreCoded() throws {
        #expect(try JSONDecoder().decode([Notes.Size].self, from: Data("[\"large\"]".utf8)) == [.large])
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([Notes.Size].self, from: Data("[\"huge\"]".utf8))
        }
        #expect(try JSONDecoder().decode([Notes.Mood].self, from: Data("[\"huge\"]".utf8)) == [.unrecognized("huge")])
    }
}
