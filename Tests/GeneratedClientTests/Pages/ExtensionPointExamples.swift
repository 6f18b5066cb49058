import BankClient
import ConversationsClient
import ErrandRuntime
import Foundation

// The examples of `docs/extension-points.md`, word for word. `PageTests` compares the two.

/// Plays answers that were recorded, for previews.
struct RecordedTransport: Transport {
    let answers: [String: String]

    func send(_ request: TransportRequest) async throws(TransportFault) -> TransportResponse {
        guard let path = URL(string: request.url)?.path, let answer = answers[path] else {
            throw TransportFault(.refused, evidence: .notSent)
        }
        return TransportResponse(status: 200, body: Array(answer.utf8))
    }
}

/// Tells the server which build of the app sends the request.
struct BuildStamp: Interceptor {
    let build: String

    func intercept(
        _ request: TransportRequest,
        next: @Sendable (TransportRequest) async throws(TransportFault) -> TransportResponse
    ) async throws(TransportFault) -> TransportResponse {
        var request = request
        request.headers.set("X-App-Build", build)
        return try await next(request)
    }
}

/// Tells the user, who may try again where that can help.
struct Alerts: Responder {
    let show: @Sendable (_ text: String, _ canRetry: Bool) async -> Bool

    func respond(to incident: Incident) async -> IncidentAnswer {
        let wantsRetry = await show(incident.message, incident.category == .retryable)
        return wantsRetry ? .retry : .fail
    }
}

/// Shows a sheet whose button tries the server until it responds.
struct OutageSheet: Responder {
    let bank: Bank
    let show: @Sendable (_ text: String, _ canReach: @escaping @Sendable () async -> Bool) async -> Bool

    func respond(to incident: Incident) async -> IncidentAnswer {
        let bank = incident.client(bank)
        let isBack = await show(incident.message) { (try? await bank.listAccounts()) != nil }
        return isBack ? .retry : .fail
    }
}

/// A screen that shows by itself that the session is over, where others go to the login.
struct LockedScreen: Responder {
    func respond(to incident: Incident) async -> IncidentAnswer {
        incident.category == .requiresLogout ? .recategorize(.nonRetryable) : .pass
    }
}

/// Counts mobile networks as unmetered: the users of this app have paid for the volume.
struct PrepaidPath: PathMonitor {
    let system: any PathMonitor

    var current: NetworkPath { prepaid(system.current) }

    func paths() -> AsyncStream<NetworkPath> {
        let paths = system.paths()
        return AsyncStream { continuation in
            let task = Task {
                for await path in paths { continuation.yield(prepaid(path)) }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    private func prepaid(_ path: NetworkPath) -> NetworkPath {
        var path = path
        path.isExpensive = false
        return path
    }
}

/// Says where the time went, where it was long.
struct SlowCommands: CommandObserver {
    let log: @Sendable (String) -> Void

    func observe(_ event: CommandEvent) {
        switch event.kind {
        case .resumed(let wait, let time) where time > .seconds(1):
            log("\(event.command.endpoint) waited \(time): \(wait.reason)")
        case .attemptEnded(let attempt, let result) where result.duration > .seconds(1):
            log("\(attempt.url) took \(result.duration): \(result.error ?? "fine")")
        default: break
        }
    }
}

/// What is one or two lines on the page.
enum ExtensionPointLines {
    static func transport(_ answers: [String: String]) -> Bank {
        let bank = Bank(on: Dispatcher(transport: RecordedTransport(answers: answers)))
        return bank
    }

    static func interceptor() -> Dispatcher {
        let dispatcher = Dispatcher(interceptors: [BuildStamp(build: "4711")])
        return dispatcher
    }

    static func common(_ dispatcher: Dispatcher, _ device: UUID) -> Conversations {
        let messages = Conversations(on: dispatcher, common: .init(language: "de", deviceID: device))
        return messages
    }

    static func responder(_ show: @escaping @Sendable (String, Bool) async -> Bool) -> Dispatcher {
        let dispatcher = Dispatcher(responder: Alerts(show: show))
        return dispatcher
    }

    static func oneScreen(_ bank: Bank) async throws -> [Bank.Account] {
        let accounts = try await bank.responding(with: LockedScreen()).listAccounts()
        return accounts
    }

    static func raised(_ bank: Bank, _ error: any Error, _ reload: @escaping @Sendable () async -> Void) async
        -> IncidentAnswer?
    {
        let answer = await bank.raise(error) { await reload() }
        return answer
    }

    static func observer(_ log: @escaping @Sendable (String) -> Void) -> Bank {
        let bank = Bank(on: Dispatcher(observers: [SlowCommands(log: log)]))
        return bank
    }

    static func incidents(_ dispatcher: Dispatcher, _ log: (String) -> Void) async {
        for await event in dispatcher.incidents {
            switch event {
            case .opened(let incident), .updated(let incident):
                log("\(incident.id) \(incident.scope): \(incident.message)")
            case .unanswered(let incident): log("no responder has decided about \(incident.context)")
            case .closed(let incident): log("\(incident.id) affected \(incident.cohort.count) commands")
            case .dropped(let count): log("\(count) events were missed")
            case .answered, .withdrawn: break
            }
        }
    }

    static func completions(_ dispatcher: Dispatcher, _ log: (String) -> Void) async {
        for await completion in dispatcher.completions(of: Bank.TransferFunds.self) {
            if case .success = completion.result { log("the balance has changed") }
        }
    }

    static func network() -> Dispatcher {
        let dispatcher = Dispatcher(network: PrepaidPath(system: SystemPathMonitor.shared))
        return dispatcher
    }

    static func budget() -> Dispatcher {
        var settings = DispatcherSettings()
        settings.retryBudget = RetryBudget(maximumTokens: 20, tokenRatio: 0.2)
        let dispatcher = Dispatcher(settings: settings)
        return dispatcher
    }

    static func texts(_ translations: [String: String]) -> Dispatcher {
        let settings = DispatcherSettings(localize: { key, _ in translations[key] })
        let dispatcher = Dispatcher(settings: settings)
        return dispatcher
    }

    static func categories(_ error: any Error) -> ErrorCategory {
        let categories = ErrorCategories.urlSession.adding(CocoaError.self) { error in
            error.code == .fileReadNoSuchFile ? .nonRetryable : .retryable
        }
        let category = ErrorCategory(of: error, using: categories)
        return category
    }

    static func environment(_ transport: some Transport, _ clock: some Clock<Duration>) -> Dispatcher {
        let environment = DispatcherEnvironment(
            clock: clock, wallTime: { Date(timeIntervalSince1970: 0) }, generator: SeededGenerator(seed: 7))
        let dispatcher = Dispatcher(transport: transport, environment: environment)
        return dispatcher
    }
}

func quickAccounts(_ bank: Bank) async throws -> [Bank.Account] {
    let quick = bank.with { options in
        options.timeout = .seconds(5)
        options.deadline = .seconds(10)
        options.patience = .upTo(.zero)
        options.headers["X-Screen"] = "accounts"
        options.priority = .high
        options.attempts = 1
    }
    let accounts = try await quick.listAccounts()
    return accounts
}
