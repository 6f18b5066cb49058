import ErrandJSON
import TestSeeds
import Testing

@testable import ErrandConnections
@testable import ErrandRuntime

@Suite struct FrameFormatTests {
    private static let nested = FrameFormat(kind: "type", correlation: "id", payload: "data")
    private static let flat = FrameFormat(kind: "type", correlation: "id", isNumeric: true)

    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    private func problem(_ text: String, _ format: FrameFormat = nested, limit: Int = 1_000) -> FrameError? {
        do throws(FrameError) {
            _ = try format.read(bytes(text), limit: limit)
            return nil
        } catch {
            return error
        }
    }

    @Test func aPayloadHasItsMember() throws {
        let message = try #require(Self.nested.message("info.query", correlation: 7, payload: bytes(#"{"of":1}"#)))
        #expect(String(decoding: message, as: UTF8.self) == #"{"type":"info.query","id":"7","data":{"of":1}}"#)
        let frame = try Self.nested.read(message, limit: 100)
        #expect(frame.kind == "info.query")
        #expect(frame.correlation == 7)
        #expect(frame.payload.map { String(decoding: message[$0], as: UTF8.self) } == #"{"of":1}"#)
        let list = try #require(Self.nested.message("a\"b", correlation: nil, payload: bytes("[1]")))
        #expect(String(decoding: list, as: UTF8.self) == #"{"type":"a\"b","data":[1]}"#)
    }

    @Test func aPayloadWithoutAMemberIsBesideTheOthers() throws {
        let message = try #require(Self.flat.message("ping", correlation: 7, payload: bytes(#"{"of":1}"#)))
        #expect(String(decoding: message, as: UTF8.self) == #"{"type":"ping","id":7,"of":1}"#)
        let frame = try Self.flat.read(message, limit: 100)
        #expect(frame.payload == 0..<message.count)
        #expect(Self.flat.message("ping", correlation: nil, payload: bytes("{}")) == bytes(#"{"type":"ping"}"#))
        #expect(Self.flat.message("ping", correlation: nil, payload: nil) == bytes(#"{"type":"ping"}"#))
        #expect(Self.flat.message("ping", correlation: nil, payload: bytes("[1]")) == nil)
    }

    @Test(
        arguments: [
            (#"{"type":"a","id":"12"}"#, 12), (#"{"id":12,"type":"a"}"#, 12), (#"{"type":"a"}"#, nil),
            (#"{"type":"a","id":null}"#, nil), (#"{"type":"a","id":{"id":3}}"#, 0), (#"{"type":"a","id":"x1"}"#, 0),
            (#"{"type":"a","id":-1}"#, 0), (#"{"type":"a","id":1.5}"#, 0), (#"{"type":"a","id":"\u0031"}"#, 1),
            (#"{"type":"a","id":true}"#, 0), (#"{"type":"a","id":""}"#, 0), (#"{"type":"a","id":"0"}"#, 0),
            (#"{"type":"a","id":"99999999999999999999999"}"#, 0),
            (#"{"type":"a","id":"\#(String(repeating: "1", count: 900))"}"#, 0),
        ] as [(String, UInt64?)])
    func aCorrelationIsOneOfTheClient(_ text: String, _ wanted: UInt64?) throws {
        #expect(try Self.nested.read(bytes(text), limit: 2_000).correlation == wanted)
    }

    @Test func whatIsNoFrameIsAProblem() {
        #expect(problem("") == .unreadable(.unexpectedEnd))
        #expect(problem("hello") == .unreadable(.invalidSyntax))
        #expect(problem("[1]") == .unreadable(.typeMismatch(found: .array)))
        #expect(problem(#"{"type":"a"#) == .unreadable(.unexpectedEnd))
        #expect(problem(#"{"type":"a"} {}"#) == .unreadable(.trailingContent))
        #expect(problem("{}") == .withoutKind)
        #expect(problem(#"{"type":7}"#) == .withoutKind)
        #expect(problem(#"{"type":"\#(String(repeating: "a", count: 257))"}"#) == .kindTooLong)
        #expect(problem(#"{"type":"\#(String(repeating: "a", count: 5_000))"}"#, limit: 10_000) == .kindTooLong)
        #expect(problem(#"{"type":"a"}"#, limit: 5) == .tooLong(limit: 5))
        #expect(problem(#"{"type":"a","data":[1,]}"#) == .unreadable(.invalidSyntax))
        #expect(problem(#"{"type":"a","other":"\#u{7}"}"#) == .unreadable(.controlCharacter))
        let deep = String(repeating: "[", count: 100_000)
        #expect(problem(#"{"type":"a","data":\#(deep)"#, limit: 1 << 20) == .unreadable(.tooDeep))
    }

    /// The last of two members with one name counts, as everywhere in `ErrandJSON`.
    @Test func theLastMemberCounts() throws {
        let frame = try Self.nested.read(bytes(#"{"type":"a","type":"b","id":1,"id":2}"#), limit: 100)
        #expect(frame.kind == "b")
        #expect(frame.correlation == 2)
    }

    /// No text makes the reader trap, and what it makes of any is within the text.
    @Test func anyTextIsRead() throws {
        let seed = TestSeeds.SeededGenerator.newSeed()
        var chance = TestSeeds.SeededGenerator(seed: seed)
        let whole = bytes(#"{"type":"room.event","id":"42","data":{"a":[1,2,{"b":"\u00e9\n"}],"c":null}}"#)
        for number in 0..<5_000 {
            var text = whole
            for _ in 0..<chance.below(4) {
                let place = chance.below(text.count)
                switch chance.below(3) {
                case 0: text[place] = UInt8(chance.below(256))
                case 1: text.removeSubrange(place...)
                default: text.insert(contentsOf: bytes(#"{"id":"#), at: place)
                }
                if text.isEmpty { text = whole }
            }
            for format in [Self.nested, Self.flat] {
                guard let frame = try? format.read(text, limit: 1_000), let payload = frame.payload else { continue }
                #expect(
                    payload.lowerBound >= 0 && payload.upperBound <= text.count, "seed \(seed), case \(number): \(text)"
                )
            }
        }
    }
}

@Suite struct SubscriptionPositionTests {
    @Test func anElementThatWasReachedIsADuplicate() {
        var position = SubscriptionPosition()
        #expect(position.note(StreamPosition(4)) == .isNew)
        #expect(position.note(StreamPosition(4)) == .isDuplicate)
        #expect(position.note(StreamPosition(3)) == .isDuplicate)
        #expect(position.note(StreamPosition(9)) == .isNew)
        #expect(position.last == StreamPosition(9))
    }

    @Test func textsHaveNoOrder() {
        var position = SubscriptionPosition()
        #expect(position.note(StreamPosition("b")) == .isNew)
        #expect(position.note(StreamPosition("b")) == .isDuplicate)
        #expect(position.note(StreamPosition("a")) == .isNew)
        #expect(position.last?.text == "a")
    }

    @Test func afterAnElementWithoutAPlaceNothingContinues() {
        var position = SubscriptionPosition()
        _ = position.note(StreamPosition(1))
        #expect(position.note(nil) == .isWithoutPlace)
        #expect(position.last == nil)
        #expect(position.note(StreamPosition("")) == .isWithoutPlace)
        #expect(position.note(StreamPosition(String(repeating: "a", count: 1_025))) == .isWithoutPlace)
        #expect(position.last == nil)
    }
}

@Suite struct WebSocketURLTests {
    @Test(arguments: [
        ("wss://presence.example/v1?a=b", "https://presence.example", "/v1?a=b", "presence.example"),
        ("WS://localhost:8080", "http://localhost:8080", "/", "localhost:8080"),
        ("ws://[::1]:80?x", "http://[::1]", "/?x", "[::1]"),
    ])
    func aURLHasItsParts(_ url: String, _ origin: String, _ target: String, _ authority: String) throws {
        let url = try #require(WebSocketURL(url))
        #expect(url.origin.description == origin)
        #expect(url.target == target)
        #expect(url.authority == authority)
    }

    @Test(arguments: ["http://a", "wss://a#b", "wss://", "ws://u@a", "a", "wss:/a", "ws://a b"])
    func anythingElseIsNone(_ url: String) { #expect(WebSocketURL(url) == nil) }

    @Test func aCodeMeansWhatTheNearestStatusMeans() {
        let meanings: [(UInt16, BuiltInError)] = [
            (1000, .connectionLost), (1001, .connectionLost), (1006, .connectionLost), (1002, .malformed),
            (1008, .rejected), (1011, .serverFault),
            (1012, .unavailable), (1013, .unavailable), (3000, .unauthenticated), (4000, .rejected),
        ]
        for (code, meaning) in meanings { #expect(CloseCode(rawValue: code).meaning == meaning, "\(code)") }
        #expect(CloseCode.normal.isSendable && !CloseCode.abnormal.isSendable && !CloseCode.noStatus.isSendable)
        #expect(CloseCode(rawValue: 4999).isSendable && !CloseCode(rawValue: 2000).isSendable)
    }
}
