#if Observability
public import CoreMetrics
public import ErrandRuntime
public import Logging
public import Tracing

/// Tells swift-log, swift-metrics and swift-distributed-tracing of everything that happens to commands. It needs the
/// package's trait `Observability`.
///
///     let dispatcher = Dispatcher(observers: [Telemetry(logger: Logger(label: "bank"))])
///
/// Fields are named after OpenTelemetry's conventions for HTTP clients (semantic conventions 1.23 and later); what these have no
/// name for begins with `errand.`. No field holds an input, a header, a body or a token, and URLs are redacted.
///
/// **Log.** What a command waits for and each attempt: `debug`. How it was settled: `debug` for a success, `info` for what its caller
/// handles by name, `warning` for what may go away by itself, `error` for what a person must fix: a response that breaks the
/// contract, a server that is not who it should be, an outcome that stayed open.
///
/// **Metrics.** `http.client.request.duration` and `errand.command.duration` and `errand.wait.duration`, in seconds;
/// `http.client.active_requests` and `errand.command.active`.
///
/// **Traces.** A span for the command, in the service context of its caller, and in it one for each attempt and each wait. The
/// attempt's context is sent along as the tracer does that (`traceparent` in W3C Trace Context), and is the current one for
/// whatever the transport does.
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

    public func intercept(
        _ request: TransportRequest,
        next: @Sendable (TransportRequest) async throws(TransportFault) -> TransportResponse
    ) async throws(TransportFault) -> TransportResponse {
        guard let traces else { return try await next(request) }
        return try await traces.carry(request, next)
    }
}
#endif
