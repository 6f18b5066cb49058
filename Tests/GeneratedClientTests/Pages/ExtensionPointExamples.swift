import BankClient
import ErrandRuntime
import ErrandURLSession
import Foundation

// The examples of `docs/extension-points.md` that `PageTests` runs. `scripts/check pages` compares them with the page.

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

/// Keeps responses with an `ETag`, and asks the server whether they are current (RFC 9110 section 13.1.2).
actor ETagCache: Interceptor {
    private struct Key: Hashable {
        let url: String
        /// Other users get other responses.
        let authorization: String?
    }

    private var responses: [Key: TransportResponse] = [:]

    func intercept(
        _ request: TransportRequest,
        next: @Sendable (TransportRequest) async throws(TransportFault) -> TransportResponse
    ) async throws(TransportFault) -> TransportResponse {
        guard request.method == .get, !request.streamsResponse else { return try await next(request) }
        let key = Key(url: request.url, authorization: request.headers["Authorization"])
        let kept = responses[key]
        var conditional = request
        if let tag = kept?.headers["ETag"] { conditional.headers.set("If-None-Match", tag) }
        let response = try await next(conditional)
        if response.status == 304, let kept { return kept }
        guard response.status == 200, response.stream == nil, response.headers["ETag"] != nil,
            response.headers["Cache-Control"]?.contains("no-store") != true, response.body.count <= 100_000
        else { return response }
        if responses.count >= 100 { responses.removeAll() }
        responses[key] = response
        return response
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

/// A screen that shows by itself that the session is over, where others go to the login.
struct LockedScreen: Responder {
    func respond(to incident: Incident) async -> IncidentAnswer {
        incident.category == .requiresLogout ? .recategorize(.nonRetryable) : .pass
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

    static func cache() -> Dispatcher {
        let dispatcher = Dispatcher(interceptors: [ETagCache()])
        return dispatcher
    }

    static func responder(_ show: @escaping @Sendable (String, Bool) async -> Bool) -> Dispatcher {
        let dispatcher = Dispatcher(responder: Alerts(show: show))
        return dispatcher
    }

    static func oneScreen(_ bank: Bank) async throws -> [Bank.Account] {
        let accounts = try await bank.responding(with: LockedScreen()).listAccounts()
        return accounts
    }

    static func observer(_ log: @escaping @Sendable (String) -> Void) -> Bank {
        let bank = Bank(on: Dispatcher(observers: [SlowCommands(log: log)]))
        return bank
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
}
