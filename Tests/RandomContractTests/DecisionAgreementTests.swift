import Foundation
import TestSeeds
import Testing

/// A compiled client classifies a response as the language defines it: responses go through the clients of random decision
/// tables, and mean what ``DecisionModel`` says, which is independent of the tool.
@Suite(.serialized) struct DecisionAgreementTests {
    private static let count = ContractRun.count / 4
    private static let seed = ContractRun.seed
    private static let answersEach = 60

    private struct Question {
        var trial: Trial
        var answer: String
        var meaning: String
    }

    @Test func responsesMeanWhatTheLanguageSays() throws {
        print("seed \(Self.seed), contracts \(Self.count)")
        let workplace = try Workplace()
        var questions: [Question] = []
        var cases: [String] = []
        for number in 0..<Self.count {
            let seed = Self.seed + UInt64(number)
            let service = "D\(number)"
            let made = Trial(RandomContract(deciding: service, seed: seed), service: service, seed: seed)
            let trial = try workplace.accepted(made, into: "clients")
            guard let trial, let model = DecisionModel(trial.root) else { continue }
            cases.append("    case \"\(service)\": await meaning(\(service)(on: dispatcher), \(service).Ask())\n")
            var random = SeededGenerator(seed: seed)
            for _ in 0..<Self.answersEach {
                let answer = model.answer(&random)
                questions.append(
                    Question(trial: trial, answer: Self.line(answer), meaning: model.meaning(of: answer)))
            }
        }
        let answers = try workplace.answers(
            to: questions.map { "\($0.trial.service) \($0.answer)\n" },
            driver: Self.driver
                + "func answer(_ service: Substring, _ dispatcher: Dispatcher) async -> String {\n    switch service {\n"
                + cases.joined() + "    default: \"\"\n    }\n}\n")
        try #require(answers.count == questions.count)
        var met: [String: Int] = [:]
        for (question, answer) in zip(questions, answers) {
            met[question.meaning.filter { !$0.isNumber }, default: 0] += 1
            #expect(
                answer == question.meaning,
                "seed \(question.trial.seed), \(question.answer)\n\(question.trial.text)")
        }
        print("meanings: \(met.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", "))")
        for name in ["failure", "outcome", "success", "completed", "rejected", "malformed", "unavailable"] {
            #expect(met[name, default: 0] > Self.count / 5, "\(name) is hardly met")
        }
    }

    private static func line(_ answer: DecisionModel.Answer) -> String {
        switch answer {
        case .transport(let kind): "transport - \(kind)"
        case .response(let status, let left, let body): "\(status) \(left ?? "-") \(body.text)"
        }
    }

    private static let driver = """
        import ErrandRuntime

        @main struct Driver {
            static func main() async {
                while let line = readLine() {
                    let parts = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
                    let dispatcher = Dispatcher(transport: OneAnswer(kind: String(parts[1]), left: String(parts[2]), body: String(parts[3])))
                    print(await answer(parts[0], dispatcher))
                }
            }
        }

        struct OneAnswer: Transport {
            let kind: String
            let left: String
            let body: String

            func send(_ request: TransportRequest) async throws(TransportFault) -> TransportResponse {
                guard kind != "transport" else { throw TransportFault(TransportFault.Kind(rawValue: body) ?? .lost, evidence: .sent) }
                if request.url.hasSuffix("/moved") { return TransportResponse(status: 418) }
                var headers: HTTPHeaders = ["Location": "/moved"]
                if left != "-" { headers.append("x-left", left) }
                return TransportResponse(status: Int(kind) ?? 0, headers: headers, body: Array(body.utf8))
            }
        }

        func meaning<C: Command>(_ client: C.Service, _ command: C) async -> String where C.Service: ServiceClient {
            switch await client.result(of: command) {
            case .success(let response):
                guard Mirror(reflecting: response).displayStyle == .enum else { return "success" }
                return label(response)
            case .failure(let failure):
                let value = Mirror(reflecting: failure).children.first?.value
                if let fault = value as? CommandFault { return fault.kind.rawValue }
                guard let shared = value as? any CommandFailure else { return label(failure) }
                let fault = Mirror(reflecting: shared).children.first?.value as? CommandFault
                return fault?.kind.rawValue ?? label(shared)
            }
        }

        func label(_ value: Any) -> String {
            Mirror(reflecting: value).children.first?.label ?? "\\(value)"
        }


        """
}
