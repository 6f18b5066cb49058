import BankClient
import ErrandTesting
import Testing

@testable import ErrandRuntime

/// A server's text is bounded, and one failure is one line in every kind of output.
@Suite(.overSocketsToo) struct ServerTextTests {
    private static let tricks =
        "\n\r\t\u{0}\u{1B}\u{7F}\u{85}\u{2028}\u{2029}\u{202A}\u{202E}\u{2066}\u{2069}\u{200E}\u{200F}\u{61C}\u{FEFF}"

    private func failure(
        _ status: Int, _ body: String, _ headers: HTTPHeaders = [:], settings: DispatcherSettings? = nil
    ) async -> CommandFault? {
        guard
            case .failure(.fault(let fault)) = await bank(status, body, headers, settings).result(
                of: Bank.ListAccounts())
        else { return nil }
        return fault
    }

    private func bank(
        _ status: Int, _ body: String, _ headers: HTTPHeaders, _ settings: DispatcherSettings?
    ) -> Bank {
        let dispatcher = Dispatcher(
            transport: ScriptedTransport { _, _ in .json(status, body, headers) },
            settings: settings ?? DispatcherSettings(retry: RetryRule(attempts: 1)))
        return Bank(on: dispatcher, session: .begun)
    }

    private func escaped(_ text: String) -> String {
        text.utf16.map {
            "\\u" + String(repeating: "0", count: 4 - String($0, radix: 16).count) + String($0, radix: 16)
        }.joined()
    }

    @Test func oneFailureIsOneLine() async throws {
        let said = escaped("a" + Self.tricks + "z")
        let fault = try #require(await failure(400, #"{"error":{"code":"\#(said)","messages":["\#(said)"]}}"#))
        let context = fault.context
        var dumped = ""
        dump(context, to: &dumped)
        #expect(context.message == "a\n\n \n\n\nz" && context.serverMessage == context.message)
        #expect(context.code == "a  z")
        // Nothing has cleaned what an app makes up for a test.
        let madeUp = FailureContext(name: "a" + Self.tricks + "z", message: "")
        #expect(!"\(madeUp)".unicodeScalars.contains(where: PrintedText.isUnprintable), "\(madeUp)")
        for text in ["\(fault)", String(reflecting: fault), context.technicalMessage(isDebugging: true), "\(context)"] {
            #expect(
                text.contains("a  z")
                    && !text.unicodeScalars.contains(where: PrintedText.isUnprintable), "\(text)")
        }
        #expect(!dumped.unicodeScalars.contains { $0 != "\n" && PrintedText.isUnprintable($0) }, "\(dumped)")
    }

    /// Each is the whole text of a message, and what people see of it.
    @Test(arguments: [
        ("\u{1B}[31mred\u{1B}[0m", "red"), ("\u{9B}1;31mred\u{9B}m", "red"), ("\u{1B}[38;2;1;2;3mx", "x"),
        ("\u{1B}]0;title\u{7}x", "x"), ("\u{1B}]8;;https://evil.example\u{1B}\\link\u{1B}]8;;\u{1B}\\", "link"),
        ("\u{9D}0;title\u{9C}x", "x"), ("\u{1B}Pq#0\u{1B}\\x", "x"), ("\u{1B}_G\u{1B}\\x", "x"),
        ("\u{1B}^a\u{7}x", "x"),
        ("\u{1B}(0x\u{1B}(Py", "xy"), ("\u{1B}cx", "x"), ("\u{1B}7x\u{1B}8", "x"), ("\u{1B}[2J\u{1B}[Hx", "x"),
        // Sequences without an end, and one in another.
        ("x\u{1B}", "x"), ("x\u{1B}[31", "x"), ("x\u{1B}]0;title\ny", "x\ny"), ("\u{1B}[3\u{1B}[1mx", "x"),
        ("\u{1B}]a\u{1B}[1mx", "x"),
        ("\u{1B}[3\nx", "\nx"), ("\u{1B}ä", "ä"),
        ("over\rwritten", "over\nwritten"), ("a\r\nb\u{85}c\u{2028}d\u{B}e", "a\nb\nc\nd\ne"), ("a\tb", "a b"),
        ("a\u{8}\u{8}b\u{7F}\u{0}c", "abc"), ("a\u{202E}b\u{202C}\u{2066}c\u{2069}\u{200E}\u{200F}\u{61C}", "abc"),
        ("a\u{200B}\u{FEFF}\u{2060}\u{AD}\u{180E}\u{115F}\u{3164}\u{E0041}b", "ab"), ("❤\u{FE0F}", "❤\u{FE0F}"),
        ("👩\u{200D}👧", "👩\u{200D}👧"), ("Größe: 5 €", "Größe: 5 €"),
    ])
    func nothingControlsATerminal(text: String, shown: String) async throws {
        let body = #"{"error":{"code":"\#(escaped(text))","messages":["\#(escaped(text))"]}}"#
        let context = try #require(await failure(400, body)).context
        #expect(context.message == shown)
        #expect(context.code == DisplayText.line(shown))
    }

    /// Without anything to show, there is the text of the kind of failure.
    @Test func aMessageOfControlsAloneIsNone() async throws {
        let body = #"{"error":{"code":"x","messages":["\#(escaped("\u{1B}[2J\u{200B}"))"]}}"#
        let context = try #require(await failure(400, body)).context
        #expect(context.serverMessage == nil && context.message == CommandFault(.rejected).context.message)
    }

    /// Invisible characters inside a secret would otherwise hide it from the search, and be removed afterwards.
    @Test func aSecretIsFoundBetweenInvisibleCharacters() async throws {
        let bank = bank(400, #"{"error":{"code":"x","messages":["You sent love\u200blace."]}}"#, [:], nil)
        guard case .failure(let failure) = await bank.result(of: Bank.LogIn(user: "ada", password: "lovelace")) else {
            Issue.record("it succeeded")
            return
        }
        #expect(failure.context.message == "You sent •••.")
    }

    @Test func textIsBounded() async throws {
        let long = String(repeating: "ä", count: 100_000)
        let context = try #require(await failure(400, #"{"error":{"code":"\#(long)","messages":["\#(long)"]}}"#))
            .context
        #expect(context.code?.count == 1_001 && context.serverMessage?.count == 1_001 && context.message.count == 1_001)
        #expect(context.code?.hasSuffix("ä…") == true)
        #expect(context.description.count < 1_300 && context.technicalMessage(isDebugging: true).count < 2_200)
    }

    /// The text is searched for the secrets of the request, and bounded then, too.
    @Test func textIsBoundedWhereARequestHasSecrets() async throws {
        let long = String(repeating: "ä", count: 100_000)
        let bank = bank(400, #"{"error":{"code":"\#(long)","messages":["\#(long)"]}}"#, [:], nil)
        let result = await bank.result(of: Bank.LogIn(user: "ada", password: "lovelace"))
        guard case .failure(.shared(.fault(let fault))) = result else {
            Issue.record("\(result)")
            return
        }
        let context = fault.context
        #expect(context.code?.count == 1_001 && context.serverMessage?.count == 1_001 && context.message.count == 1_001)
    }

    @Test(.inMemoryOnly("a server adds headers of its own"))
    func aFailureCarriesHeadersAndBody() async throws {
        let body = #"{"error":{"code":"E1"},"token":"c4nary","password":123,"owner":{"a":["b"]},"ok":true}"#
        let headers: HTTPHeaders = [
            "X-Request-ID": "r-1", "Set-Cookie": "c4nary", "WWW-Authenticate": "Bearer c4nary",
            "authorization": "c4nary",
            "Location": "https://x.example/?code=c4nary", "X-Access-Token": "c4nary",
        ]
        let fault = try #require(await failure(418, body, headers))
        let context = fault.context
        #expect(context.headers["x-request-id"] == "r-1" && context.headers["set-cookie"] == "c4nary")
        #expect(context.body == #"{"error":{"code":"E1"},"token":•••,"password":•••,"owner":•••,"ok":true}"#)
        #expect(context.headers.fields.filter { !$0.isSensitive }.map(\.name) == ["X-Request-ID"])
        let printed =
            CanaryTests.printout(fault) + CanaryTests.printout(context) + CanaryTests.printout(context.headers.fields)
        #expect(!printed.contains("c4nary") && !printed.contains("\"ok\"") && printed.contains("X-Request-ID: r-1"))
    }

    @Test func theBodyIsBoundedAndLeftOutWhereItCannotBeCleaned() async throws {
        let long = String(repeating: "x", count: 100_000)
        #expect(await failure(500, long)?.context.body?.count == 8_193)
        #expect(await failure(500, "a\u{0}b")?.context.body == nil)
        #expect(await failure(500, "")?.context.body == nil)
        #expect(await failure(500, "<h1>Down</h1>")?.context.body == "<h1>Down</h1>")
        // It isn't JSON, and it names a token: where the token is, is unknown.
        for body in [#"{"token":"c4nary"#, "token=c4nary", #"{"tok\u0065n":"c4nary""#, "<input name=password value=x>"]
        {
            #expect(await failure(500, body)?.context.body == "•••", "\(body)")
        }
        var settings = DispatcherSettings(retry: RetryRule(attempts: 1), maximumFailureBodySize: 3)
        #expect(await failure(500, "abcdef", settings: settings)?.context.body == "abc…")
        settings.maximumFailureBodySize = 0
        #expect(await failure(500, "abcdef", settings: settings)?.context.body == nil)
    }

    /// A later attempt's failure does not contain the response to an earlier attempt.
    @Test func anAttemptWithoutAnswerHasNoHeaders() async throws {
        let transport = ScriptedTransport.scripted { (_, number) throws(TransportFault) in
            if number == 1 { return .json(503, "busy", ["Retry-After": "0", "X-A": "1"]) }
            throw TransportFault(.tls, evidence: .notSent)
        }
        let bank = Bank.scripted(transport)
        guard case .failure(let failure) = await bank.result(of: Bank.ListAccounts()) else {
            Issue.record("?")
            return
        }
        #expect(failure.context.status == nil && failure.context.headers.fields.isEmpty && failure.context.body == nil)
    }

    /// A list of wrong elements as long as a response may be: the first ones tell why.
    @Test func aLongListOfWrongElementsIsCounted() async throws {
        let list = "{\"data\":[" + Array(repeating: "1", count: 100_000).joined(separator: ",") + "]}"
        let bank = Bank.scripted(ScriptedTransport.scripted { _, _ in .json(200, list) })
        let reply = try await bank.reply(to: Bank.ListAccountsLeniently())
        #expect(reply.value.isEmpty && reply.skipped.count == 20 && reply.skippedCount == 100_000)
        #expect(reply.skipped.last?.path == "$.data[19]")
    }

    /// A secret of the request that comes back as the key of a map, or as a value of another kind than was wanted.
    @Test func faultsShowNoSecretOfTheRequest() async throws {
        struct Put: ErrandRuntime.Command {
            typealias Service = Bank
            typealias Failure = CommandFault
            typealias Response = [String: Int]
            /// A service without a list of its keys: the reader hides all keys that are not on such a list.
            static let service = ServiceDescription(name: "Bare", version: "1")
            static let endpoint = EndpointDescription(service, "put", .put, effect: .idempotent)
            let secret: String
            func encode(into request: inout RequestEncoder) {
                request.path("/put")
                request.header("X-Secret", secret, sensitive: true)
            }
            static func load(from reader: inout JSONReader) -> Response? { Response.load(from: &reader) }
        }
        let secrets = [
            "c4nary-token", "c4nary-" + String(repeating: "x", count: 60),
            "c4nary-" + String(repeating: "y", count: 5_000),
        ]
        for secret in secrets {
            for body in [
                #"{"\#(secret)":"x"}"#, #"{"a":"\#(secret)"}"#, #"{"a":{"\#(secret)":1}}"#, #"{"\#(secret)\q"#,
            ] {
                let bank = Bank.scripted(ScriptedTransport.scripted { _, _ in .json(200, body) })
                guard case .failure(let fault) = await bank.result(of: Put(secret: secret)) else {
                    Issue.record("?")
                    return
                }
                let printed = CanaryTests.printout(fault) + CanaryTests.printout(fault.context.decodingError as Any)
                #expect(fault.kind == .malformed && !printed.contains("c4nar"), "\(printed)")
            }
        }
    }
}
