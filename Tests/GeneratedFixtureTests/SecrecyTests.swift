import ErrandRuntime
import EverythingClient
import Foundation
import Testing

/// A value that a contract calls `sensitive` appears in no printed text, even if the document is broken.
@Suite struct SecrecyTests {
    /// The key of a secret as it may be spelled, and the value, of any kind. No four characters of them
    /// occur anywhere else.
    private static let secret = "c4nary-Xq7w"
    private static let number = "8204713359"
    private static let keys = [#""na\"me""#, #""na\u0022me""#, #""\u006e\u0061\"me""#]
    private static let tokens = [#""token""#, #""tok\u0065n""#, #""renewal""#]
    private static let values = [
        #""c4nary-Xq7w""#, "8204713359", #"["c4nary-Xq7w"]"#, #"{"c4nary-Xq7w":1}"#,
        #"{"a":{"c4nary-Xq7w":[8204713359]}}"#,
        #""c4nary-Xq7w\q""#, #""c4nary-Xq7w\ud800""#, "8204713359x", "-8204713359.", "c4nary-Xq7w",
        #"[{"b":"c4nary-Xq7w"},,]"#,
    ]

    private static let fragments: [String] = [secret, number].flatMap { text in
        let characters = Array(text)
        return (0...characters.count - 4).map { String(characters[$0..<$0 + 4]) }
    }

    /// A document with secrets in it, and the places of their keys.
    private struct Letter {
        var bytes: [UInt8]
        var keys: [Range<Int>] = []

        /// `%` represents `key: value`.
        init(_ form: String, _ names: [String], _ random: inout SeededGenerator) {
            bytes = []
            for byte in form.utf8 {
                guard byte == UInt8(ascii: "%") else {
                    bytes.append(byte)
                    continue
                }
                let name = random.pick(names)
                keys.append(bytes.count..<bytes.count + name.utf8.count)
                // Correct values are more frequent than wrong ones, so that some faults come late.
                bytes += "\(name):\(random.flip() ? "\"\(secret)\"" : random.pick(values))".utf8
            }
        }

        /// Changes one byte, but not one of a secret's key: under another key it would not be a secret.
        mutating func breakSomewhere(_ random: inout SeededGenerator) {
            let alphabet = Array(#"{}[]",:\tfnu0123.eE- "#.utf8) + [0x09, 0x80, 0xC3, 0xFF]
            let place = random.below(bytes.count)
            if keys.contains(where: { $0.contains(place) }) { return }
            switch random.below(5) {
            case 0: bytes[place] = random.pick(alphabet)
            case 1: bytes.insert(random.pick(alphabet), at: place)
            case 2: bytes.remove(at: place)
            case 3: bytes.removeSubrange(place...)
            default: break
            }
        }
    }

    private static let items: [(form: String, load: @Sendable (inout JSONReader) -> (any Sendable)?)] = [
        (#"{"id":1,%,"level":"low","old":null}"#, { Everything.Item.load(from: &$0) }),
        (#"{%,"id":"x"}"#, { Everything.Item.load(from: &$0) }),
        (
            #"{"list":[1],"map":{"a":{"id":1,%},"b":{"id":2,%}},"changedItem":{%,"id":3}}"#,
            { Everything.Optionals.load(from: &$0) }
        ),
        (
            #"{"lists":[],"maps":{},"optionals":[],"dates":[],"optionalDates":[],"bytes":[],"levels":[],"grades":{},"items":[{"id":1,%},{"id":2,%,"level":"x"}],"values":[]}"#,
            { Everything.Nested.load(from: &$0) }
        ),
        (
            #"{"int":1,"bool":1,"unix":1,"numbers":[],"items":[{"id":"1",%},{%,"id":1}],"single":{"id":1,%},"either":[{%,"id":null}]}"#,
            { Everything.Lenient.load(from: &$0) }
        ),
        (
            #"{"a":[[{"b":{%}}]],%}"#,
            { (reader: inout JSONReader) in reader.readMap { $0.readArray { $0.readString() } } }
        ),
        (
            #"[{%,"x":1}]"#,
            { (reader: inout JSONReader) in
                reader.skipValue()
                reader.fail("for a reason")
                return 1
            }
        ),
    ]

    @Test(arguments: items.indices) func faultsAndModelsSayNothing(_ index: Int) throws {
        let (form, load) = Self.items[index]
        let seed = UInt64.random(in: 0 ... .max)
        var random = SeededGenerator(seed: seed)
        var faults = 0
        for _ in 0..<1_000 {
            var letter = Letter(form, Self.keys, &random)
            letter.breakSomewhere(&random)
            var printed: String
            do throws(JSONError) {
                let (model, skipped) = try JSON.scanReportingSkipped(
                    letter.bytes, sensitive: Everything.service.sensitive, load)
                printed = Printout.of(model) + skipped.faults.map(Printout.of).joined()
            } catch {
                printed = Printout.of(error)
                faults += 1
            }
            if let found = Self.fragments.first(where: printed.contains) {
                Issue.record(
                    "seed \(seed): \(found) of \(String(decoding: letter.bytes, as: UTF8.self)) in: \(printed)")
                return
            }
        }
        #expect(faults > 100)
    }

    /// The same through a client: for any document of the server, its failure and its response print no secret.
    @Test func answersSayNothing() async throws {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SeededGenerator(seed: seed)
        var failures = 0
        for _ in 0..<300 {
            var letter = Letter(#"{"data":{"grant":{%,"lifetime":1,%}},"error":null}"#, Self.tokens, &random)
            letter.breakSomewhere(&random)
            let transport = RecordingTransport(200, String(decoding: letter.bytes, as: UTF8.self))
            let client = Everything(
                .fixed, on: Dispatcher(transport: transport),
                common: Everything.Common(xDevice: random.uuid(), apiKey: "k"), secretKey: "s")
            let printed: String
            switch await client.result(of: Everything.LogIn(user: "u", password: "long enough", since: [])) {
            case .success(let response): printed = Printout.of(response)
            case .failure(let failure):
                failures += 1
                printed =
                    Printout.of(failure) + Printout.of(failure.context)
                    + (failure.context.decodingError.map(Printout.of) ?? "")
            }
            if let found = Self.fragments.first(where: printed.contains) {
                Issue.record(
                    "seed \(seed): \(found) of \(String(decoding: letter.bytes, as: UTF8.self)) in: \(printed)")
                return
            }
        }
        #expect(failures > 30)
    }

    /// A case that the contract does not know prints nothing of its payload where a known one holds a secret, however deep.
    @Test func unknownCasesSayNothing() throws {
        let payload = JSONValue.object(["kind": "c4nary-Xq7w", "digits": "8204713359"])
        let unknown = Everything.Payment.unrecognized("c4nary-Xq7w", payload)
        let values: [Any] = [
            unknown, Optional(unknown) as Any, [unknown], Everything.Split(parts: [unknown]),
            Everything.Payment.both(Everything.Split(parts: [unknown, .card(Everything.Card(digits: "8204713359"))])),
        ]
        for value in values {
            let printed = Printout.of(value)
            for fragment in Self.fragments { #expect(!printed.contains(fragment), "\(printed)") }
        }
        #expect(Printout.of(Everything.Payment.cash(Everything.Cash(amount: 4711))).contains("4711"))
        #expect("\(unknown)" == "Payment(unrecognized: •••)")
    }

    /// The test itself would see a secret.
    @Test func whatIsNotSensitiveIsPrinted() throws {
        let document = Array(#"{"id":"c4nary-Xq7w","na\"me":"n"}"#.utf8)
        let fault = #expect(throws: JSONError.self) {
            try JSON.scan(document, sensitive: Everything.service.sensitive) { Everything.Item.load(from: &$0) }
        }
        #expect(fault.map(Printout.of)?.contains(Self.secret) == true)
    }
}

/// All that can be got from a value by printing it.
enum Printout {
    static func of(_ value: Any) -> String {
        var dumped = ""
        dump(value, to: &dumped)
        var text = "\(value)\n\(String(reflecting: value))\n\(dumped)\n"
        for child in Mirror(reflecting: value).children { text += "\(child.label ?? "")=\(child.value)\n" }
        if let error = value as? any Error { text += "\(error.localizedDescription)\n" }
        if let fault = value as? JSONError { text += "\(fault.path)\n\(fault.excerpt)\n\(fault.expectation)\n" }
        return text
    }
}
