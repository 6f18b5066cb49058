#if Observability
import ErrandRuntime

/// A field's name with its value, for a log, a metric or a span.
enum Field {
    case text(String, String)
    case number(String, Int)

    var name: String {
        switch self {
        case .text(let name, _), .number(let name, _): name
        }
    }

    /// The value, on one line.
    var text: String {
        switch self {
        case .text(_, let text): PrintedText.line(text)
        case .number(_, let number): "\(number)"
        }
    }
}

extension CommandIdentity {
    /// The fields that identify a kind of command. They have few values, as metrics need.
    var fields: [Field] { [.text("errand.service", service), .text("errand.endpoint", endpoint)] }
}

extension CommandEvent.Attempt {
    /// Method and server (OpenTelemetry, HTTP client: required). A frame is a remote procedure call.
    var fields: [Field] {
        var fields: [Field] =
            frame.map { [.text("rpc.system", "websocket"), .text("rpc.method", $0)] }
            ?? [.text("http.request.method", method.rawValue)]
        if let origin {
            fields.append(.text("server.address", origin.host))
            fields.append(.number("server.port", origin.port))
            fields.append(.text("url.scheme", origin.scheme))
        }
        return fields
    }

    /// The fields of this attempt. As dimensions of a metric, they would have too many values.
    var details: [Field] {
        var fields: [Field] = [.text("url.full", url)]
        // Only for a retry (OpenTelemetry, HTTP client: if and only if the request was retried).
        if number > 1 { fields.append(.number("http.request.resend_count", number - 1)) }
        if let bodySize { fields.append(.number("http.request.body.size", bodySize)) }
        return fields
    }
}

extension CommandEvent.AttemptResult {
    var fields: [Field] {
        var fields: [Field] = []
        if let status { fields.append(.number("http.response.status_code", status)) }
        if let errorType { fields.append(.text("error.type", errorType)) }
        if let error { fields.append(.text("errand.error", error)) }
        return fields
    }

    var details: [Field] {
        var fields: [Field] = [.text("errand.evidence", evidence.rawValue)]
        if let bodySize { fields.append(.number("http.response.body.size", bodySize)) }
        return fields
    }

    /// The status of a response that is an error to HTTP or to the contract, or else the reason why no response arrived.
    var errorType: String? {
        if let fault { return fault.rawValue }
        guard let status else { return nil }
        return status >= 400 ? "\(status)" : error
    }
}

extension CommandEvent.Settlement {
    var fields: [Field] {
        switch result {
        case .success: [.text("errand.result", "success")]
        case .outcome: [.text("errand.result", "outcome")]
        case .failure(let context):
            [
                .text("errand.result", "failure"), .text("error.type", context.name),
                .text("errand.error.category", context.category.rawValue),
            ]
        }
    }
}

extension CommandEvent.Settlement {
    var details: [Field] {
        [.number("errand.command.attempts", attempts)]
            + (doneAlready.map { [.text("errand.command.done_already", $0)] } ?? [])
            + (cached.map { [.text("errand.command.cached", $0.basis.rawValue)] } ?? [])
    }
}

extension CommandEvent.Wait {
    var fields: [Field] { [.text("errand.wait.place", place.rawValue)] }
}

extension Duration {
    var seconds: Double { self / .seconds(1) }
}
#endif
