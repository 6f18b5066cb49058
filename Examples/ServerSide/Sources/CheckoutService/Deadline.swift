import HTTPTypes
import Hummingbird

/// The moment by which the caller needs a response. Work after it is useless.
struct Deadline: Sendable {
    /// How long the sender of a request waits, in milliseconds. Envoy sends this header to the services behind it, and this
    /// service sends it to the services that it calls.
    static let header = "x-envoy-expected-rq-timeout-ms"

    /// The deadline of the request that the task handles.
    @TaskLocal static var current: Deadline?

    let instant: ContinuousClock.Instant

    init(in time: Duration) { instant = ContinuousClock.now + time }

    var timeLeft: Duration { ContinuousClock.now.duration(to: instant) }

    /// Runs work for the request that the task handles, and cancels it when the sender no longer waits. Every command under way
    /// then ends, on the wire too.
    static func run<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        guard let current else { return try await work() }
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { try await work() }
            group.addTask {
                try await Task.sleep(until: current.instant, clock: .continuous)
                return nil
            }
            defer { group.cancelAll() }
            guard let first = try await group.next(), let value = first else { throw HTTPError(.gatewayTimeout) }
            return value
        }
    }
}

/// Reads how long the sender of a request waits.
struct DeadlineMiddleware<Context: RequestContext>: RouterMiddleware {
    /// The default if the request doesn't set one.
    let usual: Duration

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let asked = HTTPField.Name(Deadline.header).flatMap { request.headers[$0] }.flatMap(Int.init)
        let deadline = Deadline(in: asked.map { min(.milliseconds(max(0, $0)), usual) } ?? usual)
        return try await Deadline.$current.withValue(deadline) { try await next(request, context) }
    }
}
