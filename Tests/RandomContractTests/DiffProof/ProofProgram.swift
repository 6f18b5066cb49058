import ContractModel
import Foundation
import SwiftEmitter

@testable import MockServer

/// A client in the driver, with the commands that it can be asked for.
struct ProofClient {
    struct Command {
        enum Inputs: Equatable {
            /// All of them.
            case all
            /// Those that an app must give.
            case least
            /// All of them, and the client walks over the pages of the list.
            case pages
            /// All of them, with the values that the edit of this number takes away.
            case focus(Int)
        }

        /// The endpoint's name in the client's contract.
        let endpoint: String
        let inputs: Inputs
        let swift: String
        let client: String
    }

    /// The contract, without the endpoints that are not called.
    let contract: ResolvedContract
    let commands: [Command]
    let session: String

    /// The client of some endpoints of a contract.
    ///
    /// - Parameter focuses: the contract with the samples of some edits, by their numbers (``ProofFocus``).
    init(_ whole: ResolvedContract, endpoints: Set<String>, focuses: [(number: Int, contract: ResolvedContract)] = []) {
        let names = whole.endpoints.map(\.name).filter { endpoints.contains($0.value) }
        let contract = ContractCustomization(endpoints: names).apply(to: whole).contract
        let sample = SampleCall(contract: contract)
        self.contract = contract
        session = sample.session
        let focused = focuses.flatMap { number, contract -> [Command] in
            let sample = SampleCall(contract: contract)
            return contract.endpoints.filter { endpoints.contains($0.name.value) }.compactMap { endpoint in
                guard let command = sample.command(endpoint, hasAll: true), let client = sample.client(hasAll: true)
                else { return nil }
                return Command(endpoint: endpoint.name.value, inputs: .focus(number), swift: command, client: client)
            }
        }
        let usual = contract.endpoints.filter { endpoints.contains($0.name.value) }.flatMap {
            (endpoint) -> [Command] in
            let inputs: [Command.Inputs] = [.all, .least] + (endpoint.pagination == nil ? [] : [.pages])
            return inputs.compactMap { inputs in
                guard let command = sample.command(endpoint, hasAll: inputs != .least),
                    let client = sample.client(hasAll: inputs != .least)
                else { return nil }
                return Command(endpoint: endpoint.name.value, inputs: inputs, swift: command, client: client)
            }
        }
        commands = usual + focused
    }
}

/// A contract's service in this process, which starts anew for each command.
struct ProofServer {
    let contract: ResolvedContract
    private let engine: MockEngine
    private let origins: Set<String>

    /// - Parameter isLeast: whether responses lack what the contract does not require.
    init(_ contract: ResolvedContract, isLeast: Bool = false) {
        self.contract = contract
        engine = MockEngine(isLeast ? contract.withoutOptionalMembers : contract)
        let declared = Set(contract.servers.flatMap(\.urls).map { Self.split(Self.text(of: $0)).origin })
        origins = declared.isEmpty ? [SampleCall.undeclaredServer] : declared
    }

    /// A service that is ready, and that plays a failure.
    ///
    /// - Parameters:
    ///   - failure: the failure's name; nil for none.
    ///   - stays: whether it plays the failure again when the client tries again.
    func start(_ failure: String?, at endpoint: String, stays: Bool) -> MockEngine {
        var engine = engine
        let times = stays || failure == "unavailable" ? 9 : 1
        engine.settings.rules = failure.map { [FailureRule(endpoint: endpoint, failure: $0, times: times)] } ?? []
        return engine
    }

    func hasOrigin(of url: String) -> Bool { origins.contains(Self.split(url).origin) }

    /// The failures that an endpoint of the contract has.
    func failures(at endpoint: String) -> [String] {
        guard let endpoint = contract.endpoints.first(where: { $0.name.value == endpoint }) else { return [] }
        return FailureNames(contract).declared(at: endpoint) + ProofProgram.usualFailures
    }

    private static func text(of url: [ServerDefinition.Part]) -> String {
        url.map { part in
            switch part {
            case .text(let text): text
            case .variable(_, let value): value
            }
        }.joined()
    }

    static func split(_ url: String) -> (origin: String, path: String, query: String) {
        guard let scheme = url.range(of: "://") else { return ("", url, "") }
        let rest = url[scheme.upperBound...]
        let host = rest.prefix { $0 != "/" && $0 != "?" }
        let target = rest[host.endIndex...]
        let path = target.prefix { $0 != "?" }
        let query = target.dropFirst(path.count + 1)
        return (String(url[..<host.endIndex]), path.isEmpty ? "/" : String(path), String(query))
    }
}

extension ResolvedContract {
    /// A contract whose structures have only the members that are required. Requests may have the others all the same.
    fileprivate var withoutOptionalMembers: ResolvedContract {
        func least(_ fields: [FieldDefinition]) -> [FieldDefinition] { fields.filter(\.isRequired) }
        func least(_ data: ErrorData?) -> ErrorData? {
            if case .fields(let fields)? = data { .fields(least(fields)) } else { data }
        }
        var contract = self
        for index in contract.errors.indices { contract.errors[index].data = least(contract.errors[index].data) }
        for index in contract.types.indices {
            if case .structure(let fields) = contract.types[index].form {
                contract.types[index].form = .structure(least(fields))
            }
        }
        for index in contract.endpoints.indices {
            let response = contract.endpoints[index].definition.response
            if case .fields(let fields) = response.value {
                contract.endpoints[index].definition.response = Located(.fields(least(fields)), at: response.range)
            }
            let outcomes = contract.endpoints[index].definition.outcomes
            contract.endpoints[index].definition.outcomes = outcomes.map { outcome in
                var outcome = outcome
                outcome.data = least(outcome.data)
                return outcome
            }
        }
        return contract
    }
}

/// A running program of clients (``ProofDriver``).
final class ProofProgram {
    /// What can happen to any command.
    static let usualFailures = [
        "unavailable", "serverFault", "throttled", "rejected", "cut-before", "cut-after", "hang", "expired",
    ]
    /// More requests than any client makes for one command.
    private static let mostRequests = 40

    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var buffer = Data()
    private(set) var conversations = 0
    private var known: [String: Observation] = [:]

    init(_ program: URL) throws {
        // A program that ends early is a failed test, and does not end this process.
        signal(SIGPIPE, SIG_IGN)
        process.executableURL = program
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    /// Ends the program, and waits for its end.
    func finish() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    struct Ended: Error {}

    private struct Sent: Decodable {
        var method: String
        var url: String
        var headers: [[String]]
        var body: Data
        var milliseconds: Int64
    }

    private struct Answer: Encodable {
        var fault: String?
        var status = 0
        var headers: [[String]] = []
        var body = Data()
    }

    /// What was observed under a name, or what is observed now.
    func remembered(_ name: String, _ observe: () throws -> Observation?) throws -> Observation? {
        if let known = known[name] { return known }
        let observation = try observe()
        known[name] = observation
        return observation
    }

    /// Lets a client send a command to a server.
    func observe(
        client: Int, command: Int, seed: UInt64, server: ProofServer, endpoint: String, failure: String?, stays: Bool
    ) throws -> Observation {
        conversations += 1
        var engine = server.start(failure, at: endpoint, stays: stays)
        var observation = Observation()
        var keys: [String] = []
        var carriedOut: Set<String> = []
        write("\(client) \(command) \(seed)\n")
        while true {
            let line = try readLine()
            let parts = line.split(separator: " ", maxSplits: 1)
            guard parts.count == 2 else { throw Ended() }
            let data = Data(parts[1].utf8)
            if parts[0] == "result" {
                observation.report = try JSONDecoder().decode(Observation.Report.self, from: data)
                return observation
            }
            let sent = try JSONDecoder().decode(Sent.self, from: data)
            var answer = Answer(fault: "refused")
            if observation.requests.count < Self.mostRequests {
                answer = respond(to: sent, &engine, server, &observation, &keys, &carriedOut)
            }
            write(String(decoding: try JSONEncoder().encode(answer), as: UTF8.self) + "\n")
        }
    }

    private func respond(
        to sent: Sent, _ engine: inout MockEngine, _ server: ProofServer, _ observation: inout Observation,
        _ keys: inout [String], _ carriedOut: inout Set<String>
    ) -> Answer {
        let headers = sent.headers.map { (name: $0[0], value: $0[1]) }
        let key = headers.first { $0.name.lowercased() == "idempotency-key" }?.value
        if let key, !keys.contains(key) { keys.append(key) }
        let shown = sent.headers.filter { $0[0].lowercased() != "user-agent" }.map { $0.joined(separator: "=") }
            .sorted()
        let wire =
            "\(sent.method) \(sent.url) \(shown.joined(separator: "; ")) \(String(decoding: sent.body, as: UTF8.self))"
        var request = Observation.Request(
            wire: wire, server: "", result: "elsewhere", key: key.flatMap { keys.firstIndex(of: $0) }, isRepeated: false
        )
        defer { observation.requests.append(request) }
        guard server.hasOrigin(of: sent.url) else { return Answer(fault: "refused") }
        let (_, path, query) = ProofServer.split(sent.url)
        let reply = engine.respond(
            to: MockRequest(method: sent.method, path: path, query: query, headers: headers, body: Array(sent.body)),
            at: .milliseconds(sent.milliseconds))
        let entry = reply.entry
        request.remarks = entry.findings.joined(separator: "; ")
        let problems = entry.result == .refused ? request.remarks : ""
        request.endpoint = entry.endpoint ?? ""
        request.server = "\(entry.endpoint ?? "-") \(entry.status) \(entry.name ?? "") \(problems)"
        request.result = entry.result.rawValue
        // A cut after the server has carried it out is its effect all the same.
        let isKnown = entry.name == "known by its key"
        let hasEffect = entry.result == .success || entry.result == .outcome || reply.delivery.cut == .beforeResponse
        let effect = "\(entry.endpoint ?? "") \(path)"
        if hasEffect, entry.name != "cut-before", !isKnown { request.isRepeated = !carriedOut.insert(effect).inserted }
        if reply.delivery.hangs { return Answer(fault: "silence") }
        if reply.delivery.cut != .never { return Answer(fault: "lost") }
        // It has the name of the service, which is another one for each edit.
        let fields = reply.response.headers.filter { $0.name != "WWW-Authenticate" }
        request.answer =
            "\(reply.response.status) \(fields.map { "\($0): \($1)" }) \(String(decoding: reply.response.body.bytes, as: UTF8.self))"
        return Answer(
            status: reply.response.status, headers: reply.response.headers.map { [$0.name, $0.value] },
            body: Data(reply.response.body.bytes))
    }

    // MARK: Lines

    private func write(_ text: String) { input.fileHandleForWriting.write(Data(text.utf8)) }

    private func readLine() throws -> String {
        while true {
            if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: buffer[buffer.startIndex..<end], as: UTF8.self)
                buffer = Data(buffer[(end + 1)...])
                return line
            }
            let more = output.fileHandleForReading.availableData
            guard !more.isEmpty else { throw Ended() }
            buffer.append(more)
        }
    }
}
