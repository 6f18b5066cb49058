#if Observability
import ErrandRuntime
import Logging
import Tracing

/// Logs what happens to commands.
struct CommandLog: Sendable {
    let logger: Logger

    init(_ logger: Logger) { self.logger = logger }

    /// - Parameter context: the span that the command has, for metadata that comes from it (`Logger.MetadataProvider`).
    func observe(_ event: CommandEvent, in context: ServiceContext?) {
        guard let line = Line(event), logger.logLevel <= line.level else { return }
        let write = {
            logger.log(
                level: line.level, "\(PrintedText.line(line.message))",
                metadata: metadata(line.fields, event.command))
        }
        if let context { ServiceContext.withValue(context, operation: write) } else { write() }
    }

    func observe(_ notice: DeprecationNotice) {
        logger.log(
            level: .warning, "\(PrintedText.line(notice.description))",
            metadata: [
                "errand.service": .string(notice.service), "errand.endpoint": .string(notice.endpoint),
            ])
    }

    private func metadata(_ fields: [Field], _ command: CommandIdentity) -> Logger.Metadata {
        var metadata: Logger.Metadata = ["errand.command.id": "\(command.id)"]
        for field in command.fields + fields { metadata[field.name] = .string(field.text) }
        return metadata
    }

    /// The text and the level of an event.
    private struct Line {
        var level = Logger.Level.debug
        let message: String
        let fields: [Field]

        /// Nil for an event that only begins something that is logged as a whole later.
        init?(_ event: CommandEvent) {
            let name = "\(event.command.service).\(event.command.endpoint)"
            switch event.kind {
            case .queued, .attemptStarted: return nil
            case .waiting(let wait):
                message = "\(name) waits: \(wait.reason)"
                fields = wait.fields + [.text("errand.wait.reason", wait.reason)]
            case .resumed(let wait, let time):
                message = "\(name) goes on"
                fields = wait.fields + [.text("errand.wait.duration", "\(time.seconds)")]
            case .attemptEnded(let attempt, let result):
                let ending = result.status.map { "status \($0)" } ?? result.fault?.rawValue ?? "no answer"
                message =
                    "\(name): \(attempt.frame.map { "FRAME \($0)" } ?? attempt.method.rawValue) \(attempt.url), \(ending)"
                fields =
                    attempt.fields + attempt.details + result.fields + result.details
                    + [.text("http.client.request.duration", "\(result.duration.seconds)")]
            case .settled(let settlement):
                fields =
                    settlement.fields + settlement.details
                    + [.text("errand.command.duration", "\(settlement.duration.seconds)")]
                guard case .failure(let context) = settlement.result else {
                    message = "\(name) succeeded"
                    return
                }
                level = Self.level(of: context)
                message = "\(context)"
            }
        }

        private static func level(of failure: FailureContext) -> Logger.Level {
            switch CommandFault.Kind(rawValue: failure.name) {
            case .cancelled: .debug
            case .malformed, .insecure, .unconfirmed, .serverFault: .error
            default: failure.category == .retryable ? .warning : .info
            }
        }
    }
}
#endif
