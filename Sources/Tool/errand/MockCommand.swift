import ArgumentParser
import BuildCommands
import Diagnostics
import MockHost
import MockServer
import Pipeline
import ProjectTasks

/// `errand mock`.
struct MockCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mock",
        abstract: "Plays the service of a contract over HTTP or WebSocket, with all of its failures.",
        discussion: """
            The server makes its responses from the contract's types, constraints and examples. It checks each request against the \
            contract and prints a line for it. It takes an edited contract over while it runs.

            errand mock contracts/bank.contract.yaml --fail transferFunds=insufficientFunds --fail '*=slow=2s'
            curl -H 'Errand-Mock: unavailable' http://127.0.0.1:8080/v1/accounts

            docs/mock.md lists the failures. The server runs until it is interrupted.

            Exit status: 2 the contract has errors, or the server could not begin.
            """
    )

    @Argument(help: ArgumentHelp("A contract file.", valueName: "contract"))
    var contract: String

    @Option(help: "The port; 0 for any that is free.")
    var port = 8080

    @Option(help: "The IPv4 address to listen on. Another one than the default lets other machines in.")
    var host = "127.0.0.1"

    @Option(help: "The number from which samples and chances are made. (default: that of the scenario, or 0)")
    var seed: UInt64?

    @Option(
        name: .customLong("fail"),
        help: ArgumentHelp(
            "A failure of an endpoint, or of all with `*`. Repeat the option for several.",
            valueName: "endpoint=failure"))
    var failures: [String] = []

    @Option(help: "The part of the requests that --fail applies to, from 0 to 1. (default: 1)")
    var rate: Double?

    @Option(help: "The time before each response: `200ms`, or `100ms..2s` for a time between two.")
    var latency: String?

    @Option(name: .customLong("session-lifetime"), help: "How long a session lasts: `60s`.")
    var sessionLifetime: String?

    @Option(
        name: .customLong("event-interval"),
        help: "The time between two events of a connection: `10s`, or `0s` for none. (default: 10s)")
    var eventInterval: String?

    @Option(help: ArgumentHelp("A file with failures, times, rates and a seed.", valueName: "file"))
    var scenario: String?

    @OptionGroup var access: AccessArguments

    func validate() throws {
        guard (0...65_535).contains(port) else { throw ValidationError("--port takes a number from 0 to 65535.") }
        guard (0...1).contains(rate ?? 1) else { throw ValidationError("--rate takes a number from 0 to 1.") }
        guard rate == nil || !failures.isEmpty else {
            throw ValidationError(
                "--rate is the part of the requests that --fail applies to: add `--fail '*=unavailable'`, for example.")
        }
        if let latency, MockTime.range(latency) == nil {
            throw ValidationError("--latency takes a time such as `200ms`, or `100ms..2s`.")
        }
        if let sessionLifetime, MockTime.duration(sessionLifetime).map({ $0 == .zero }) ?? true {
            throw ValidationError("--session-lifetime takes a time such as `60s`.")
        }
        if let eventInterval, MockTime.duration(eventInterval) == nil {
            throw ValidationError("--event-interval takes a time such as `10s`, or `0s` for none.")
        }
        for failure in failures where Self.rule(failure, rate ?? 1) == nil {
            throw ValidationError(
                "--fail takes an endpoint and a failure: `transferFunds=insufficientFunds`, or `*=slow=2s`.")
        }
    }

    /// The rule of an argument `endpoint=failure`.
    private static func rule(_ text: String, _ rate: Double) -> FailureRule? {
        let parts = FailureNames.withoutBlanks(text).split(
            separator: "=", maxSplits: 1, omittingEmptySubsequences: false
        ).map(String.init)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { return nil }
        return FailureRule(endpoint: parts[0] == "*" ? nil : parts[0], failure: parts[1], rate: rate)
    }

    private var rules: [FailureRule] { failures.compactMap { Self.rule($0, rate ?? 1) } }

    /// The settings of the command line, and those of the scenario that it does not name.
    private func settings(_ scenario: Scenario) -> MockSettings {
        var settings = MockSettings()
        settings.seed = seed ?? scenario.seed ?? 0
        settings.latency = latency.flatMap(MockTime.range) ?? scenario.latency ?? settings.latency
        settings.sessionLifetime = sessionLifetime.flatMap(MockTime.duration) ?? scenario.sessionLifetime
        if let interval = eventInterval.flatMap(MockTime.duration) ?? scenario.eventInterval {
            settings.eventInterval = interval == .zero ? nil : interval
        }
        settings.rules = rules + scenario.rules.map(\.value)
        return settings
    }

    func run() async throws {
        Console.ignoreBrokenPipes()
        let project = CommandProject(naming: [contract] + (scenario.map { [$0] } ?? []), access.options)
        let mock = Mock(contract: contract, scenario: scenario, in: project.boundary)
        switch mock.load(rules) {
        case .findings(let findings, let sources):
            Console.complain(TextReport { sources[$0] }.render(findings))
            throw ExitStatus.couldNotRun
        case .loaded(let loaded):
            let engine = MockEngine(loaded.contract, settings(loaded.scenario))
            let server = try listen(engine)
            Console.out(
                "\(loaded.contract.service.value) on \(loaded.contract.connection == nil ? "http" : "ws")://\(host):\(server.port)\(engine.basePath)  (seed \(engine.settings.seed); Ctrl-C ends it)"
            )
            Console.out("Failures and log in the browser: http://\(host):\(server.port)/_errand/")
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await server.run() }
                group.addTask { try await follow(mock, loaded, server) }
                defer { group.cancelAll() }
                try await group.next()
            }
        }
    }

    private func listen(_ engine: MockEngine) throws -> MockHost {
        do {
            return try MockHost(
                engine, address: host == "localhost" ? "127.0.0.1" : host, port: port, log: Self.log,
                complain: { Console.complain("warning: \($0)") })
        } catch MockHost.StartError.portInUse(let port) {
            Console.complain(
                "error: port \(port) is in use by another program\nhelp: name another one with `--port`, or `--port 0` for any that is free"
            )
        } catch MockHost.StartError.noAddress(let address) {
            Console.complain(
                "error: `\(address)` is not an IPv4 address of this machine\nhelp: write `--host 127.0.0.1`, or `--host 0.0.0.0` to let other machines in"
            )
        } catch {
            Console.complain("error: the server cannot listen on port \(port): \(error)")
        }
        throw ExitStatus.couldNotRun
    }

    private static func log(_ entry: LogEntry) {
        let style = TextStyle(isColored: ColorChoice.auto.isOn(for: 1))
        Console.out(entry.text)
        for finding in entry.findings { Console.out("    " + style.faint(finding)) }
    }

    /// Takes over what is edited. With a mistake in it, the server goes on with what it has.
    private func follow(_ mock: Mock, _ first: Mock.Loaded, _ server: MockHost) async throws {
        var edits = Mock.Edits(mock, first, rules)
        while true {
            try await Task.sleep(for: .milliseconds(500))
            switch edits.next() {
            case .nothing: continue
            case .mistakes(let findings, let sources):
                Console.complain(TextReport { sources[$0] }.render(findings))
                Console.complain("The server goes on with the contract as it was.")
            case .undone: Console.out("The edit was undone, and the server plays what the files say")
            case .edited(let loaded, let hasNewContract):
                let settings = settings(loaded.scenario)
                let contract = hasNewContract ? loaded.contract : nil
                await server.change { $0.replace(contract, settings) }
                Console.out("\(loaded.contract.service.value) was edited, and the server plays it as it is now")
            }
        }
    }
}
