#if Observability
public import CoreMetrics
public import ErrandRuntime
public import Logging
public import Tracing

/// Reports the events of commands to swift-log, swift-metrics and swift-distributed-tracing. It needs the package's trait
/// `Observability`.
///
///     let dispatcher = Dispatcher(observers: [Telemetry(logger: Logger(label: "bank"))])
///
/// Fields are named after OpenTelemetry's conventions for HTTP clients (semantic conventions 1.23 and later). Other names begin
/// with `errand.`. No field holds an input, a header, a body or a token, and URLs are redacted.
///
/// **Log.** Each wait and each attempt of a command is logged as `debug`. A settled command is logged as `debug` for a success,
/// `info` for a failure that its caller handles by name, `warning` for a failure that may pass by itself, and `error` for a
/// failure that a person must fix: a response that breaks the contract, a server that cannot be trusted, an outcome that stayed
/// open.
///
/// **Metrics.** `http.client.request.duration` and `errand.command.duration` and `errand.wait.duration`, in seconds;
/// `http.client.active_requests` and `errand.command.active`.
///
/// **Traces.** A span for the command, in the service context of its caller, and within it one span for each attempt and each
/// wait. The attempt's context is sent as the tracer defines it (`traceparent` in W3C Trace Context), and is the current
/// context during the transport's work.
public struct Telemetry: CommandObserver {
    private let log: CommandLog?
    private let metrics: CommandMetrics?
    private let traces: CommandTraces?

    /// - Parameters:
    ///   - logger: where to log; nil for nowhere. Its own metadata goes with every line.
    ///   - metrics: takes the measurements; nil for none.
    ///   - tracer: takes the traces; nil for none.
    public init(
        logger: Logger? = nil, metrics: (any MetricsFactory)? = MetricsSystem.factory,
        tracer: (any Tracer)? = InstrumentationSystem.tracer
    ) {
        log = logger.map(CommandLog.init)
        self.metrics = metrics.map(CommandMetrics.init)
        traces = tracer.map { CommandTraces($0) }
    }

    public func observe(_ event: CommandEvent) {
        traces?.observe(event)
        metrics?.observe(event)
        log?.observe(event, in: traces?.context(of: event.command))
    }

    public func observe(_ notice: DeprecationNotice) { log?.observe(notice) }

    public func intercept(
        _ request: TransportRequest,
        next: @Sendable (TransportRequest) async throws(TransportFault) -> TransportResponse
    ) async throws(TransportFault) -> TransportResponse {
        guard let traces else { return try await next(request) }
        return try await traces.carry(request, next)
    }
}
#endif
