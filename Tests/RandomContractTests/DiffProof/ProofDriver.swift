/// The main file of a program with the clients of many contracts. Its input asks for a command: the number of the client, that of
/// the command, and a seed. The program sends the command in a simulation, in which time is virtual. It writes each
/// request to its output, reads the response from its input, and writes at the end what the app sees.
enum ProofDriver {
    static let source = """
        import ErrandJSON
        import ErrandRuntime
        import ErrandTesting
        import Foundation

        @main struct Driver {
            static func main() {
                while let line = readLine() {
                    let numbers = line.split(separator: " ").compactMap { Int($0) }
                    do {
                        let report = try Simulation.run(seed: UInt64(numbers[2])) { simulation in
                            await run(numbers[0], numbers[1], makeDispatcher(simulation))
                        }
                        say("result", report)
                    } catch {
                        say("result", Report(kind: "broken", name: "\\(error)"))
                    }
                }
            }
        }

        func say(_ word: String, _ value: some Encodable) {
            let text = (try? JSONEncoder().encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? ""
            FileHandle.standardOutput.write(Data((word + " " + text + "\\n").utf8))
        }

        struct Report: Encodable {
            var kind = ""
            var name = ""
            var category = ""
            var applied = ""
            var value = ""
            var hasSession = false
        }

        struct Sent: Encodable {
            var method: String
            var url: String
            var headers: [[String]]
            var body: Data
            var milliseconds: Int64
        }

        struct Answer: Decodable {
            var fault: String?
            var status = 0
            var headers: [[String]] = []
            var body = Data()
        }

        func makeDispatcher(_ simulation: Simulation) -> Dispatcher {
            let environment = DispatcherEnvironment(
                clock: simulation.clock, wallTime: { Date(timeIntervalSince1970: 1_760_000_000) },
                generator: Numbers(), start: { simulation.task($0) })
            return Dispatcher(transport: Wire(simulation: simulation), environment: environment)
        }

        struct Numbers: RandomNumberGenerator, Sendable {
            var state: UInt64 = 1
            mutating func next() -> UInt64 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return state ^ (state >> 29)
            }
        }

        struct Wire: Transport {
            let simulation: Simulation

            func send(_ request: TransportRequest) async throws(TransportFault) -> TransportResponse {
                let past = simulation.clock.now.offset.components
                say(
                    "request",
                    Sent(
                        method: request.method.rawValue, url: request.url,
                        headers: request.headers.fields.map { [$0.name, $0.value] }, body: Data(request.body ?? []),
                        milliseconds: past.seconds * 1000 + past.attoseconds / 1_000_000_000_000_000))
                guard let line = readLine(), let answer = try? JSONDecoder().decode(Answer.self, from: Data(line.utf8))
                else { throw TransportFault(.offline, evidence: .notSent) }
                switch answer.fault {
                case "refused": throw TransportFault(.refused, evidence: .notSent)
                case "lost": throw TransportFault(.lost, evidence: .sent)
                case "silence":
                    await simulation.sleep(for: .seconds(86_400 * 365))
                    throw TransportFault(.cancelled, evidence: .sent)
                default: break
                }
                await simulation.sleep(for: .milliseconds(20))
                var headers = HTTPHeaders()
                for field in answer.headers { headers.append(field[0], field[1]) }
                return TransportResponse(status: answer.status, headers: headers, body: Array(answer.body))
            }
        }

        func report<C: Command>(_ client: C.Service, _ session: Session, _ command: C) async -> Report
        where C.Service: ServiceClient {
            var report = Report()
            switch await client.result(of: command) {
            case .success(let value):
                report.kind = "success"
                report.value = text(of: value)
            case .failure(let failure):
                let context = failure.context
                report.kind = "failure"
                report.name = context.name
                report.category = "\\(context.category)"
                report.applied = "\\(context.applied)"
                report.value = text(of: failure)
            }
            report.hasSession = session.tokens != nil
            return report
        }

        func walk<C: PagedCommand>(_ client: C.Service, _ session: Session, _ command: C) async -> Report
        where C.Service: ServiceClient {
            var report = Report(kind: "pages")
            do throws(C.Failure) {
                var pages = client.pages(of: command).makeAsyncIterator()
                for _ in 0..<5 {
                    guard let page = try await pages.next() else { break }
                    report.value += text(of: page.elements) + "; "
                }
            } catch {
                report.name = error.context.name
                report.category = "\\(error.category)"
            }
            report.hasSession = session.tokens != nil
            return report
        }

        /// A failure with data, which its own description leaves out.
        protocol FailureWithData {
            var anyData: Any? { get }
        }

        extension FailureDetails: FailureWithData {
            var anyData: Any? { data }
        }

        /// A value without the names of types, which have the client's name in them.
        func text(of value: Any) -> String {
            switch value {
            case let failure as any FailureWithData: return failure.anyData.map { text(of: $0) } ?? "no data"
            case is FailureContext, is Receipt, is CommandFault: return "-"
            case let date as Date: return "\\(date.timeIntervalSince1970)"
            case is Decimal, is UUID, is URL, is String, is Data: return "\\(value)"
            default: break
            }
            let mirror = Mirror(reflecting: value)
            switch mirror.displayStyle {
            case .optional: return mirror.children.first.map { text(of: $0.value) } ?? "nil"
            case .dictionary:
                let pairs = mirror.children.map { text(of: $0.value) }
                return "{" + pairs.sorted().joined(separator: ", ") + "}"
            case .collection, .tuple, .set:
                return "[" + mirror.children.map { text(of: $0.value) }.joined(separator: ", ") + "]"
            default:
                if mirror.children.isEmpty { return "\\(value)" }
                let parts = mirror.children.map { ($0.label ?? "") + ": " + text(of: $0.value) }
                return "(" + parts.joined(separator: ", ") + ")"
            }
        }


        """

    /// The part of the driver for some clients.
    static func functions(of clients: [ProofClient]) -> String {
        let functions = clients.map { client in
            let cases = client.commands.enumerated().map { number, command -> String in
                let function = command.inputs == .pages ? "walk" : "report"
                return "    case \(number): return await \(function)(\(command.client), session, \(command.swift))\n"
            }
            return """
                func run\(client.contract.service.value)(_ number: Int, _ dispatcher: Dispatcher) async -> Report {
                    let session = \(client.session)
                    switch number {
                \(cases.joined())    default: return Report()
                    }
                }


                """
        }
        let calls = clients.enumerated().map { number, client in
            "    case \(number): return await run\(client.contract.service.value)(number, dispatcher)\n"
        }
        return functions.joined() + """
            func run(_ client: Int, _ number: Int, _ dispatcher: Dispatcher) async -> Report {
                switch client {
            \(calls.joined())    default: return Report()
                }
            }

            """
    }
}
