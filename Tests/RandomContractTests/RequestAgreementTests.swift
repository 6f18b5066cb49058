import Foundation
import TestSeeds
import Testing

/// The requests of compiled clients are those that the language describes: commands with random inputs in each place are sent,
/// and the server reads exactly what ``RequestModel`` predicts.
@Suite(.serialized) struct RequestAgreementTests {
    private static let count = ContractRun.count / 4
    private static let seed = ContractRun.seed

    @Test func requestsCarryWhatTheLanguageSays() throws {
        print("seed \(Self.seed), commands \(Self.count)")
        let workplace = try Workplace()
        var models: [RequestModel] = []
        var cases: [String] = []
        for number in 0..<Self.count {
            let service = "R\(number)"
            let seed = Self.seed + UInt64(number)
            let model = RequestModel(service: service, seed: seed)
            let verdict = try workplace.judge(
                ["main.contract.yaml": model.contract.contractText], of: service, into: "clients")
            #expect(
                verdict.isAccepted,
                "seed \(seed): \(verdict.generate.map(\.message))\n\(model.contract.contractText)")
            guard verdict.isAccepted else { continue }
            cases.append("        await send(\(service)(on: dispatcher), \(service).Ask(\(model.arguments)))\n")
            models.append(model)
        }
        let answers = try workplace.answers(
            to: [], driver: Self.driver + "func sendAll(_ dispatcher: Dispatcher) async {\n" + cases.joined() + "}\n")
        try #require(answers.count == models.count)
        for (model, answer) in zip(models, answers) {
            guard let sent = try? JSONDecoder().decode(RequestModel.Sent.self, from: Data(answer.utf8)) else {
                Issue.record("not sent: \(answer)\n\(model.arguments)\n\(model.contract.contractText)")
                continue
            }
            if let difference = try model.difference(sent) {
                Issue.record(
                    "\(difference)\nsent \(sent.url)\n\(sent.headers)\n\(String(decoding: sent.body, as: UTF8.self))\n\(model.arguments)\n\(model.contract.contractText)"
                )
            }
        }
    }

    private static let driver = """
        import ErrandRuntime
        import Foundation

        @main struct Driver {
            static func main() async { await sendAll(Dispatcher(transport: Printer())) }
        }

        struct Sent: Encodable {
            var method: String
            var url: String
            var headers: [[String]]
            var body: [UInt8]
        }

        struct Printer: Transport {
            func send(_ request: TransportRequest) async throws(TransportFault) -> TransportResponse {
                let sent = Sent(
                    method: request.method.rawValue, url: request.url,
                    headers: request.headers.fields.map { [$0.name, $0.value] }, body: request.body ?? [])
                print((try? JSONEncoder().encode(sent)).map { String(decoding: $0, as: UTF8.self) } ?? "")
                return TransportResponse(status: 200)
            }
        }

        func send<C: Command>(_ client: C.Service, _ command: C) async where C.Service: ServiceClient {
            if case .failure(let failure) = await client.result(of: command) { print("\\(failure)") }
        }


        """
}
