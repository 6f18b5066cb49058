#if Observability
import ErrandRuntime
import Tracing

/// Keeps a span for each command, and in it one for what it is doing just now.
final class CommandTraces: Sendable {
    private struct Story: Sendable {
        let command: any Span
        /// Of the attempt or the wait that is under way.
        var step: (any Span)?
    }

    private let tracer: any Tracer
    private let stories = LockedState<[CommandIdentity: Story]> { [:] }

    init(_ tracer: any Tracer) { self.tracer = tracer }

    /// The service context of a command's span, while the command is under way.
    func context(of command: CommandIdentity) -> ServiceContext? {
        stories.withLock { $0[command].map { ($0.step ?? $0.command).context } }
    }

    func observe(_ event: CommandEvent) {
        switch event.kind {
        case .queued:
            let span = tracer.startAnySpan(
                "\(event.command.service).\(event.command.endpoint)", context: .current ?? .topLevel,
                ofKind: .internal)
            set(event.command.fields, on: span)
            stories.withLock { $0[event.command] = Story(command: span) }
        case .waiting(let wait):
            let span = beginStep("wait: \(wait.place.rawValue)", .internal, event.command)
            set(wait.fields + [.text("errand.wait.reason", wait.reason)], on: span)
        case .resumed: endStep(of: event.command)?.end()
        case .attemptStarted(let attempt):
            if attempt.isShared {
                // The span of the request is under the command that has sent it.
                _ = beginStep("wait: shared request", .internal, event.command)
                return
            }
            // Without a template of the path there is nothing but the method (OpenTelemetry, HTTP spans: name).
            let span = beginStep(attempt.frame ?? attempt.method.rawValue, .client, event.command)
            set(attempt.fields + attempt.details, on: span)
        case .attemptEnded(_, let result):
            let span = endStep(of: event.command)
            set(result.fields + result.details, on: span)
            if result.errorType != nil { span?.setStatus(SpanStatus(code: .error)) }
            span?.end()
        case .settled(let settlement):
            let story = stories.withLock { $0.removeValue(forKey: event.command) }
            set(settlement.fields + settlement.details, on: story?.command)
            if case .failure(let context) = settlement.result {
                story?.command.setStatus(SpanStatus(code: .error, message: context.name))
            }
            story?.command.end()
        }
    }

    /// Sends a request with the context of its attempt's span.
    func carry(
        _ request: TransportRequest,
        _ next: @Sendable (TransportRequest) async throws(TransportFault) -> TransportResponse
    ) async throws(TransportFault) -> TransportResponse {
        guard let attempt = request.attempt, let context = context(of: attempt.command) else {
            return try await next(request)
        }
        var traced = request
        tracer.inject(context, into: &traced.headers, using: HeaderInjector())
        let sent = traced
        let result = await ServiceContext.withValue(context) {
            () async -> Result<TransportResponse, TransportFault> in
            do throws(TransportFault) { return .success(try await next(sent)) } catch { return .failure(error) }
        }
        return try result.get()
    }

    private func beginStep(_ name: String, _ kind: SpanKind, _ command: CommandIdentity) -> (any Span)? {
        guard let parent = stories.withLock({ $0[command]?.command }) else { return nil }
        let span = tracer.startAnySpan(name, context: parent.context, ofKind: kind)
        stories.withLock { $0[command]?.step = span }
        return span
    }

    private func endStep(of command: CommandIdentity) -> (any Span)? {
        stories.withLock { stories in
            let step = stories[command]?.step
            stories[command]?.step = nil
            return step
        }
    }

    private func set(_ fields: [Field], on span: (any Span)?) {
        guard let span else { return }
        span.updateAttributes { attributes in
            for field in fields {
                switch field {
                case .text(let name, _): attributes[name] = field.text
                case .number(let name, let number): attributes[name] = number
                }
            }
        }
    }
}

private struct HeaderInjector: Injector {
    func inject(_ value: String, forKey key: String, into headers: inout HTTPHeaders) { headers.set(key, value) }
}
#endif
