import BankClient
import ErrandTesting
import Testing

@testable import ErrandRuntime

/// Secrets of every shape, in every place of a request, repeated by a server in every spelling: nothing that is printed of
/// the failure, of the reply or of what observers are told holds them.
@Suite(.overSocketsToo) struct CanaryTests {
    /// How a body is written.
    enum Form: String, CaseIterable {
        case json, vendorJSON, whole, form, multipart, rawJSON
    }

    /// Puts secrets into a path, a query, a header and a body.
    struct Put: ErrandRuntime.Command {
        typealias Service = Bank
        typealias Failure = CommandFault
        typealias Response = Void
        static let endpoint = EndpointDescription(
            Bank.service, "put", .put, effect: .idempotent, session: .required,
            envelope: Bank.ListAccounts.endpoint.envelope,
            response: .none)
        let form: Form
        let secrets: [String]

        func encode(into request: inout RequestEncoder) {
            request.path("/put/")
            request.query("q", secrets[0], sensitive: true)
            request.header("X-Device", secrets[1], sensitive: true)
            switch form {
            case .json, .vendorJSON: request.beginBody(.json)
            case .form: request.beginBody(.form)
            case .multipart: request.beginBody(.multipart)
            case .whole: return request.bodyJSON(model)
            case .rawJSON:
                let bytes = (try? JSON.bytes(model)) ?? []
                return request.body(bytes: bytes, contentType: "text/plain")
            }
            if form == .vendorJSON { request.header("Content-Type", "application/vnd.bank+json; charset=utf-8") }
            request.field("account", model)
            request.field("password", secrets[3])
        }

        private func model(_ writer: inout JSONWriter) {
            writer.beginObject()
            writer.key("owner")
            writer.write(secrets[2])
            writer.key("plain")
            writer.write("plain-id")
            writer.key("token")
            writer.beginObject()
            writer.key(dynamic: secrets[4])
            writer.write(1)
            writer.endObject()
            writer.endObject()
        }

        /// Those that this form carries.
        var carried: [String] {
            form == .whole || form == .rawJSON ? [0, 1, 2, 4].map { secrets[$0] } : secrets
        }
    }

    /// What makes a spelling hard: escapes of URLs, forms, JSON and HTML, and what is more than a byte.
    private static let alphabet = Array("abcXYZ0189 +&%/\\\"'<>=?#-_.~äß€😀")

    private static func secret(_ random: inout SeededGenerator, _ number: Int) -> String {
        "c4n\(number)"
            + String((0..<Int.random(in: 4...20, using: &random)).map { _ in alphabet.randomElement(using: &random)! })
            + "y"
    }

    private static func percent(_ text: String) -> String {
        text.utf8.map { byte in
            let digits = String(byte, radix: 16)
            return "%" + (digits.count == 1 ? "0" : "") + digits
        }.joined()
    }

    private static func form(_ text: String) -> String {
        var bytes: [UInt8] = []
        PercentEncoding.appendForm(text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func json(_ text: String) -> String {
        let bytes = (try? JSON.bytes { $0.write(text) }) ?? []
        return String(decoding: bytes.dropFirst().dropLast(), as: UTF8.self)
    }

    private static func unicode(_ text: String) -> String {
        text.utf16.map { unit in
            let digits = String(unit, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined()
    }

    private static func html(_ text: String) -> String { text.unicodeScalars.map { "&#\($0.value);" }.joined() }

    private static let spellings: [@Sendable (String) -> String] = [
        { $0 }, percent, form, PercentEncoding.encode, json, unicode, html, { json($0).replacing("/", with: "\\/") },
        { percent(percent($0)) }, { percent(json($0)) }, { form(unicode($0)) },
        { $0.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;") },
    ]

    /// All that can be got from a value by printing it.
    static func printout(_ value: Any) -> String {
        var text = "\(value)\n\(String(reflecting: value))\n"
        dump(value, to: &text)
        for child in Mirror(reflecting: value).children { text += "\(child.label ?? "")=\(child.value)\n" }
        if let error = value as? any Error { text += "\(error.localizedDescription)\n" }
        return text
    }

    @Test func noSpellingOfASecretIsPrinted() async throws {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SeededGenerator(seed: seed)
        for _ in 0..<40 {
            let secrets = (0..<5).map { Self.secret(&random, $0) }
            let command = Put(form: Form.allCases.randomElement(using: &random)!, secrets: secrets)
            let spelled = (command.carried + ["c4nary-access"]).map {
                Self.spellings.randomElement(using: &random)!($0)
            }
            let said = "before \(spelled.joined(separator: Bool.random(using: &random) ? " " : "x")) after"
            let body =
                #"{"error":{"code":"\#(Self.json(said))","messages":["\#(Self.json(said))"]},"token":"c4nary-new","extra":{"\#(Self.json(said))":1}}"#
            let status = [200, 400, 401, 500].randomElement(using: &random)!
            let headers: HTTPHeaders = ["X-Echo": said, "Set-Cookie": "s=c4nary-cookie", "Content-Language": "en"]
            let feed = Collector()
            let dispatcher = Dispatcher(
                transport: ScriptedTransport { _, _ in .json(status, body, headers) },
                observers: [feed], settings: DispatcherSettings(retry: RetryRule(attempts: 1)))
            let bank = Bank(on: dispatcher, session: .begun)
            await bank.session.begin(SessionTokens(access: "c4nary-access"))
            let result = await bank.result(of: command)
            guard case .failure(let failure) = result else {
                Issue.record("seed \(seed): it succeeded")
                return
            }
            let context = failure.context
            let printed =
                Self.printout(failure) + Self.printout(context) + Self.printout(context.headers)
                + context.technicalMessage
                + context.headers.fields.map(Self.printout).joined() + (context.serverMessage ?? "")
                + (context.code ?? "")
                + (context.body ?? "") + context.message + feed.printed
            let canaries = command.carried + ["c4nary-access", "c4nary-new", "c4nary-cookie"] + spelled
            if let canary = canaries.first(where: printed.contains) {
                Issue.record("seed \(seed): \(canary) of \(said) in: \(printed)")
                return
            }
            #expect(context.headers["X-Echo"] == said && context.headers["content-language"] == "en")
        }
    }

    /// Keeps all that an observer can print.
    private final class Collector: CommandObserver {
        private let text = LockedState<String> { "" }
        var printed: String { text.withLock { $0 } }
        func observe(_ event: CommandEvent) { text.withLock { $0 += CanaryTests.printout(event) } }
    }

    /// A card's check number occurs in other text by chance. Where it may occur, nothing is shown.
    @Test func textThatMayHoldAShortSecretIsLeftOut() {
        func blank(_ text: String, _ secrets: [String] = ["cvv-is-123", "123"]) -> String {
            Redaction.blank(SecretSearch(secrets), in: Array(text.utf8), limit: 1_000)
        }
        for text in ["123", "no 123!", "cvv123", "cvv=123&x", "a%31%32%33b", "\"\\u0031\\u00323\"", "x &#49;23 y"] {
            #expect(blank(text) == "•••", "\(text)")
        }
        for text in ["1234", "0123", "12 3", "status 41235"] { #expect(blank(text) == text) }
        #expect(blank("cvv-is-123 5", ["cvv-is-123"]) == "••• 5")
        #expect(blank("yes", ["y"]) == "yes" && blank("y: 1", ["y"]) == "•••")
        #expect(blank("abcdefgh", ["abcd", "cdef", "abc d"]) == "•••gh")
        #expect(blank("a+b c+d", ["b+c d"]) == "a+•••" || blank("a+b c+d", ["b+c d"]) == "a•••")
    }

    /// A secret across the end of what is shown is not shown in part.
    @Test func cutTextShowsNoPartOfASecret() {
        let secret = String(repeating: "c4nary", count: 40)
        for start in stride(from: 0, to: 300, by: 7) {
            let text = String(repeating: ".", count: 900 + start) + secret + "."
            let blanked = Redaction.blank(SecretSearch([secret]), in: Array(text.utf8), limit: 1_000)
            #expect(!blanked.contains("c4na") && blanked.count <= 1_001)
        }
        let start = Redaction.blank(
            SecretSearch([secret]), in: Array(("x " + secret.prefix(30)).utf8), limit: 1_000, isCut: true)
        #expect(start == "x •••")
    }

    /// The comparisons are bounded: many secrets don't take long, and neither does a text that repeats a near match. A text
    /// that could not be searched is left out.
    @Test func theSearchIsBounded() {
        let many = (0..<20_000).map { "secret-\($0)" }
        let text = String(repeating: "secret-", count: 2_000)
        #expect(Redaction.blank(SecretSearch(many), in: Array(text.utf8), limit: 8_192) == "•••")
        let alike = String(repeating: "a", count: 8_000)
        #expect(Redaction.blank(SecretSearch([alike + "b"]), in: Array((alike + alike).utf8), limit: 8_192) == "•••")
    }
}
