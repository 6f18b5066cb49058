import ErrandJSON
import Foundation
import Testing

/// A generated client reads and writes as the language defines it: documents of random types go through the compiled client of
/// a random contract. The result is what ``WireModel`` predicts, which is independent of the tool.
@Suite(.serialized) struct WireAgreementTests {
    private static let count = ContractRun.count / 8
    private static let seed = ContractRun.seed

    private struct Question {
        var trial: Trial
        var type: String
        var exchange: WireModel.Exchange
    }

    @Test func clientsReadAndWriteWhatTheLanguageSays() throws {
        print("seed \(Self.seed), contracts \(Self.count)")
        let workplace = try Workplace()
        var questions: [Question] = []
        var lines: [String] = []
        var cases: [String] = []
        for number in 0..<Self.count {
            let seed = Self.seed + UInt64(number)
            let service = "S\(number)"
            let made = Trial(RandomContract(echoing: service, seed: seed), service: service, seed: seed)
            guard let trial = try workplace.accepted(made, into: "clients") else { continue }
            guard case .mapping(let echoes)? = trial.root["endpoints"], let types = trial.root["types"] else {
                continue
            }
            var model = WireModel(types: types, seed: seed)
            for echo in echoes {
                guard case .text(let type)? = echo.value["body"], model.isModel(type) else { continue }
                let command = "\(service).\(echo.key.capitalized)"
                cases.append("    case \"\(command)\": echo(text) { \(command).load(from: &$0) }\n")
                for _ in 0..<12 {
                    guard let exchange = try? model.exchange(type) else { continue }
                    questions.append(Question(trial: trial, type: type, exchange: exchange))
                    lines.append("\(command) \(exchange.sent)\n")
                }
            }
        }
        let answers = try workplace.answers(
            to: lines,
            driver: EchoDriver.source
                + "func answer(_ command: Substring, _ text: String) -> String {\n    switch command {\n"
                + cases.joined() + "    default: \"\"\n    }\n}\n")
        try #require(answers.count == questions.count)
        var kinds: [String: Int] = [:]
        for (question, answer) in zip(questions, answers) {
            let wanted = question.exchange.wanted
            kinds[wanted == nil ? "refused" : "read", default: 0] += 1
            if let problem = try difference(answer, wanted) {
                Issue.record(
                    """
                    seed \(question.trial.seed), \(question.type): \(problem)
                    sent   \(question.exchange.sent)
                    wanted \(wanted ?? "a refusal")
                    got    \(answer)
                    \(question.trial.text)
                    """)
            }
        }
        print("documents: \(kinds)")
        #expect(kinds["read", default: 0] > 10 * Self.count && kinds["refused", default: 0] > Self.count / 2)
    }

    private func difference(_ answer: String, _ wanted: String?) throws -> String? {
        guard let wanted else { return answer.hasPrefix("refused: ") ? nil : "it is taken" }
        if answer.hasPrefix("refused: ") { return "it is refused" }
        return try JSONValue(parsing: answer) == JSONValue(parsing: wanted) ? nil : "it is sent otherwise"
    }
}
