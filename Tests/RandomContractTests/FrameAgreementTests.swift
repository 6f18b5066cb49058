import Foundation
import Testing

/// The frames of compiled clients are those that the language describes: commands are sent over a scripted connection, which
/// replies, refuses, ends in the middle and sends an event. ``FrameModel`` predicts what the client sends and what its caller gets.
@Suite(.serialized) struct FrameAgreementTests {
    private static let count = ContractRun.count / 5
    private static let seed = ContractRun.seed

    @Test func framesCarryWhatTheLanguageSays() throws {
        print("seed \(Self.seed), services \(Self.count)")
        let workplace = try Workplace()
        var models: [FrameModel] = []
        for number in 0..<Self.count {
            let model = FrameModel(service: "F\(number)", seed: Self.seed + UInt64(number))
            let text = model.contract.contractText
            let verdict = try workplace.judge(["main.contract.yaml": text], of: model.service, into: "clients")
            #expect(verdict.isAccepted, "seed \(model.seed): \(verdict.generate.map(\.message))\n\(text)")
            if verdict.isAccepted { models.append(model) }
        }
        try #require(!models.isEmpty)
        let calls = models.map { "    await \($0.service.lowercased())()\n" }.joined()
        let answers = try workplace.answers(
            to: [],
            driver: Self.driver + models.map(\.swift).joined(separator: "\n")
                + "\nfunc runAll() async {\n\(calls)}\n")
        try #require(answers.count == models.count)
        for (model, answer) in zip(models, answers) {
            let seen = try JSONDecoder().decode(FrameModel.Seen.self, from: Data(answer.utf8))
            if let difference = try model.difference(seen) {
                Issue.record("seed \(model.seed): \(difference)\n\(model.contract.contractText)")
            }
        }
    }

    /// The shipped contract, and one with the keys that it lacks, compile in every mode of an app.
    @Test(arguments: ["contracts/presence", "Tests/SwiftEmitterTests/Cases/frames/frames"])
    func framesCompileInEveryMode(_ name: String) throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../..")
        let contract = root.appendingPathComponent("\(name).contract.yaml")
        let workplace = try Workplace()
        let verdict = try workplace.judge(
            ["main.contract.yaml": try String(contentsOf: contract, encoding: .utf8)], of: "Frames", into: "clients")
        #expect(verdict.isAccepted, "\(verdict.generate.map(\.message))")
        let compiler = try Compiler()
        for mode in Compiler.Mode.allCases {
            let problems = try compiler.problems(
                in: workplace.sources("clients", mode.style), mode, below: workplace.url)
            #expect(problems.isEmpty, "\(mode): \(problems)")
        }
    }

    private static let driver = """
        import ErrandRuntime
        import Foundation

        @main struct Driver {
            static func main() async {
                // A client that waits for ever ends the program, and the test fails.
                Task.detached {
                    try? await Task.sleep(for: .seconds(240))
                    exit(3)
                }
                await runAll()
            }
        }

        /// Replies to the frames of one client, by their kind.
        final class ScriptedServer: MessageTransport, @unchecked Sendable {
            let correlation: String
            let kind: String
            private let lock = NSLock()
            private var replies: [String: [[String]]]
            private var seen: [String: [String]] = ["urls": [], "subprotocols": [], "devices": [], "frames": []]

            init(correlation: String, kind: String, replies: [String: [[String]]]) {
                self.correlation = correlation
                self.kind = kind
                self.replies = replies
            }

            var dispatcher: Dispatcher {
                var settings = DispatcherSettings()
                settings.messageTransport = self
                return Dispatcher(transport: NoTransport(), settings: settings)
            }

            func open(_ opening: ConnectionOpening) async throws(OpeningFault) -> any MessageConnection {
                note("urls", opening.url)
                note("subprotocols", opening.subprotocol ?? "")
                note("devices", opening.headers["X-Device"] ?? "")
                return Line(server: self)
            }

            func note(_ what: String, _ text: String) { lock.withLock { seen[what, default: []].append(text) } }

            /// What the server sends after a frame.
            func turn(after frame: [UInt8]) -> [String] {
                note("frames", String(decoding: frame, as: UTF8.self))
                guard let object = try? JSONSerialization.jsonObject(with: Data(frame)) as? [String: Any],
                    let name = object[kind] as? String
                else { return [] }
                let id = object[correlation].map { $0 is String ? "\\"\\($0)\\"" : "\\($0)" } ?? "null"
                return lock.withLock {
                    guard let turns = replies[name], !turns.isEmpty else { return [] }
                    return replies[name]!.removeFirst().map { $0.replacing("#", with: id) }
                }
            }

            /// Waits until the client has ended a subscription, at most ten seconds. The connection may be lost afterwards.
            func waitForCancellation() async {
                for _ in 0..<10_000 where !lock.withLock({ seen["frames", default: []].contains { $0.contains("no more") } }) {
                    try? await Task.sleep(for: .milliseconds(1))
                }
            }

            func report(_ results: [String]) {
                let all = lock.withLock { seen.merging(["results": results]) { $1 } }
                let data = (try? JSONEncoder().encode(all)) ?? Data()
                print(String(decoding: data, as: UTF8.self))
            }
        }

        struct NoTransport: Transport {
            func send(_ request: TransportRequest) async throws(TransportFault) -> TransportResponse {
                throw TransportFault(.refused, evidence: .notSent)
            }
        }

        struct Line: MessageConnection {
            let server: ScriptedServer
            private let messages = AsyncStream<ReceivedMessage>.makeStream()

            init(server: ScriptedServer) { self.server = server }

            func send(_ message: [UInt8]) async throws(TransportFault) {
                for text in server.turn(after: message) {
                    if text.hasPrefix("!") {
                        messages.continuation.yield(.closed(CloseCode(rawValue: UInt16(text.dropFirst()) ?? 0)))
                    } else {
                        messages.continuation.yield(.text(Array(text.utf8)))
                    }
                }
            }

            func ping() async throws(TransportFault) { messages.continuation.yield(.pong) }

            func receive() async throws(TransportFault) -> ReceivedMessage {
                var iterator = messages.stream.makeAsyncIterator()
                guard let message = await iterator.next() else { throw TransportFault(.cancelled, evidence: .sent) }
                return message
            }

            func close(_ code: CloseCode) async { messages.continuation.yield(.closed(code)) }
        }


        """
}
