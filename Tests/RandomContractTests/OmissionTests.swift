import Foundation
import Testing

/// Nothing is sent that the caller did not ask for: an input that was left out is in no query, header or body, and a null that
/// was asked for is there. Only what the contract itself writes is added: defaults, constants, `each`, and the first page.
///
/// The commands of random contracts are sent once with all inputs, once without each of them, and once with the least. The
/// server must find exactly what ``OmissionModel`` predicts, and nothing else.
@Suite(.serialized) struct OmissionTests {
    /// So many contracts are compiled into one program.
    private static let batch = 60
    private static let environment = ProcessInfo.processInfo.environment
    /// A contract counts for twenty simulations.
    private static let count =
        environment["ERRAND_RELIABILITY_SEEDS"].flatMap { Int($0) }.map { max(1, $0 / 20) }
        ?? (ContractRun.takesAll ? ContractRun.count / 8 : 8)

    private struct Question {
        var model: OmissionModel
        var variation: OmissionModel.Variation
    }

    @Test func nothingIsSentThatWasNotAskedFor() throws {
        let seed = ContractRun.seed
        print("seed \(seed), contracts \(Self.count)")
        let start = ContinuousClock.now
        var cases = 0
        var violations: [String] = []
        for first in stride(from: 0, to: Self.count, by: Self.batch) {
            let models = (first..<min(first + Self.batch, Self.count)).map {
                OmissionModel(service: "O\($0)", seed: seed + UInt64($0))
            }
            let found = try Self.run(models)
            cases += found.cases
            violations += found.violations.map(\.text)
        }
        let tenths = ((ContinuousClock.now - start) / .seconds(1) * 10).rounded() / 10
        print(
            "| 15 nothing is sent that was not asked for | \(Self.count) from \(seed) | \(cases) | \(violations.count) | \(tenths) |"
        )
        #expect(violations.isEmpty, "\(violations.prefix(3).joined(separator: "\n\n"))")
        #expect(cases > 4 * Self.count)
    }

    /// The comparison finds clients that send a value by themselves, that send an optional which is nil, and that lose a null.
    @Test func unaskedValuesAndLostNullsAreFound() throws {
        let models = ["Unasked", "Always", "Lost"].map(OmissionModel.init(planted:))
        let found = try Self.run(models) { service, text in
            switch service {
            case "Unasked": text.replacing("optional: Int? = nil", with: "optional: Int? = 3")
            case "Always": text.replacing("if let value = self.optional {", with: "do { let value = self.optional ?? 0")
            default: text.replacing("{ $0.writeNull() }", with: "{ $0.write(0) }")
            }
        }
        #expect(Set(found.violations.map(\.service)) == ["Unasked", "Always", "Lost"])
    }

    // MARK: A run

    /// Compiles the clients, and compares each request with the model.
    ///
    /// - Parameter plant: what becomes of the text of a service's client.
    private static func run(
        _ models: [OmissionModel], plant: ((_ service: String, _ text: String) -> String)? = nil
    ) throws -> (cases: Int, violations: [(service: String, text: String)]) {
        let workplace = try Workplace()
        var questions: [Question] = []
        var functions: [String] = []
        for model in models {
            let verdict = try workplace.judge(
                ["main.contract.yaml": model.contract.contractText], of: model.service, into: "clients")
            #expect(
                verdict.isAccepted,
                "seed \(model.seed): \(verdict.generate.map(\.message))\n\(model.contract.contractText)")
            guard verdict.isAccepted else { continue }
            for variation in model.variations {
                let (client, command) = model.swift(variation)
                let call = model.isPaged ? "walk" : "send"
                functions.append(
                    """
                    func ask\(questions.count)() async {
                        let dispatcher = Dispatcher(transport: Printer(number: \(questions.count)))
                        await \(call)(\(client), \(command))
                    }

                    """)
                questions.append(Question(model: model, variation: variation))
            }
        }
        if let plant {
            for file in workplace.sources("clients", .plain) {
                let service = URL(fileURLWithPath: file).deletingLastPathComponent().lastPathComponent
                let text = try String(contentsOfFile: file, encoding: .utf8)
                try Data(plant(service, text).utf8).write(to: URL(fileURLWithPath: file))
            }
        }
        let calls = questions.indices.map { "    await ask\($0)()\n" }.joined()
        let answers = try workplace.answers(
            to: [], driver: driver + functions.joined() + "func askAll() async {\n\(calls)}\n")
        var requests: [[RequestModel.Sent]] = Array(repeating: [], count: questions.count)
        for answer in answers {
            let parts = answer.split(separator: " ", maxSplits: 1)
            guard parts.count == 2, let number = Int(parts[0]), requests.indices.contains(number),
                let sent = try? JSONDecoder().decode(RequestModel.Sent.self, from: Data(parts[1].utf8))
            else {
                Issue.record("not sent: \(answer)")
                continue
            }
            requests[number].append(sent)
        }
        var violations: [(service: String, text: String)] = []
        for (question, sent) in zip(questions, requests) {
            let (model, variation) = (question.model, question.variation)
            let problem =
                sent.count == 1 ? model.difference(sent[0], variation) : "\(sent.count) requests instead of one"
            guard let problem else { continue }
            let body = sent.first.map { String(decoding: $0.body, as: UTF8.self) } ?? ""
            violations.append(
                (
                    model.service,
                    "seed \(model.seed): \(problem)\n\(model.swift(variation))\n\(sent.first?.url ?? "")\n\(body)\n\(model.contract.contractText)"
                ))
        }
        return (questions.count, violations)
    }

    private static let driver = """
        import ErrandRuntime
        import Foundation

        @main struct Driver {
            static func main() async { await askAll() }
        }

        let day = CalendarDate(year: 2026, month: 2, day: 28)!

        struct Sent: Encodable {
            var method: String
            var url: String
            var headers: [[String]]
            var body: [UInt8]
        }

        struct Printer: Transport {
            let number: Int

            func send(_ request: TransportRequest) async throws(TransportFault) -> TransportResponse {
                let sent = Sent(
                    method: request.method.rawValue, url: request.url,
                    headers: request.headers.fields.map { [$0.name, $0.value] }, body: request.body ?? [])
                print(number, (try? JSONEncoder().encode(sent)).map { String(decoding: $0, as: UTF8.self) } ?? "")
                return TransportResponse(
                    status: 200, headers: ["Content-Type": "application/json"],
                    body: Array(#"{"items":[],"total":0}"#.utf8))
            }
        }

        func send<C: Command>(_ client: C.Service, _ command: C) async where C.Service: ServiceClient {
            if case .failure(let failure) = await client.result(of: command) { print("\\(failure)") }
        }

        func walk<C: PagedCommand>(_ client: C.Service, _ command: C) async where C.Service: ServiceClient {
            do { for try await _ in client.pages(of: command) {} } catch { print("\\(error)") }
        }


        """
}
