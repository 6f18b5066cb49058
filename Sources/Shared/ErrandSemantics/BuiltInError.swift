/// The errors that every endpoint has. Together they cover every failure that the contract doesn't declare.
public enum BuiltInError: String, Sendable, CaseIterable {
    /// A constraint of the contract is broken, or the settings of a proxy; nothing was sent. `context.brokenFields` names them.
    case invalidRequest
    /// The body of the request isn't what it was when the command was made: its file has changed. The server got no more of
    /// it than what was sent before the change.
    case bodyChanged
    /// This device has no room for a file: its disk, or the user's share of it, is full.
    case localStorageFull
    /// This device couldn't read or write a file, or the app's own source of a body has failed.
    case localFault
    /// The network can't be reached.
    case offline
    /// The server's name is unknown, or it refuses connections.
    case unreachable
    /// The connection ended before the response was complete.
    case connectionLost
    /// No response arrived in time.
    case timedOut
    /// TLS failed (RFC 8446): the server can't prove its identity.
    case insecure
    /// 429 (RFC 6585 section 4).
    case throttled
    /// 408 (RFC 9110 section 15.5.9): the server stopped waiting for the request.
    case requestTimeout
    /// 502, 503 or 504 (RFC 9110 section 15.6).
    case unavailable
    /// Another status of 500 or more.
    case serverFault
    /// 401 (RFC 9110 section 15.5.2), or the transport was asked for credentials.
    case unauthenticated
    /// The session that the command was submitted in is over: its user logged out, or another one logged in.
    case sessionEnded
    /// Another 4xx, or an envelope says that it failed, or a proxy wants other credentials.
    case rejected
    /// The response breaks the contract. `context.decodingError` says where.
    case malformed
    /// It ended while it was unknown whether the server had carried out the request.
    case unconfirmed
    /// The caller's task was cancelled.
    case cancelled
}

extension BuiltInError {
    /// The built-in error for a response that isn't a success and matches no row of the contract.
    ///
    /// - Parameters:
    ///   - usesSession: whether the request may carry a session's token.
    ///   - saysFailure: whether the body can be read, and has an error or a code.
    package init(status: Int, usesSession: Bool, saysFailure: Bool) {
        switch status {
        case 401: self = usesSession ? .unauthenticated : .rejected
        case 408: self = .requestTimeout
        case 429: self = .throttled
        case 502, 503, 504: self = .unavailable
        case 500...: self = .serverFault
        case 400..<500: self = .rejected
        // An unreadable envelope doesn't show that the command failed. An envelope without code and error shows neither failure
        // nor success.
        case 200..<300: self = saysFailure ? .rejected : .malformed
        default: self = .malformed
        }
    }

    /// The category, unless the contract says otherwise.
    package var category: ErrorCategory {
        switch self {
        case .offline, .unreachable, .connectionLost, .timedOut, .throttled, .requestTimeout, .unavailable: .retryable
        case .unauthenticated: .requiresLogout
        case .invalidRequest, .bodyChanged, .localStorageFull, .localFault, .insecure, .serverFault, .sessionEnded,
            .rejected, .malformed, .unconfirmed, .cancelled:
            .nonRetryable
        }
    }

    /// Whether the request may have been carried out, if nothing better is known. A command also remembers that an earlier attempt
    /// may have been carried out, which matters most for `sessionEnded`.
    ///
    /// A gateway can respond with 408, 502, 503 or 504 after it has passed the request on. A server can act on a request before it has
    /// all of its body, and has responded where a response finds no room.
    ///
    /// - Parameter status: the status of the response, for an error with several.
    package func applied(status: Int?, to request: RequestKind) -> Applied {
        switch self {
        case .bodyChanged, .localStorageFull, .localFault, .connectionLost, .timedOut, .serverFault, .malformed,
            .unconfirmed, .unavailable, .requestTimeout:
            .maybe
        case .rejected: status.map(request.echoStatuses.contains) ?? false ? .maybe : .never
        case .invalidRequest, .offline, .unreachable, .insecure, .throttled, .unauthenticated, .sessionEnded,
            .cancelled:
            .never
        }
    }

    /// Whether a response with this error says that the request was carried out.
    ///
    /// - Parameters:
    ///   - declared: what the contract says of the error; nil if it says nothing.
    ///   - saysCarriedOut: whether the response has the form of a success, although its payload cannot be read.
    package func applied(
        inResponse status: Int?, to request: RequestKind, declared: Applied?, saysCarriedOut: Bool
    ) -> Applied {
        let said = declared ?? applied(status: status, to: request)
        return self == .malformed && saysCarriedOut && said == .maybe ? .yes : said
    }

    /// The text for people, used if neither the contract nor the server has one.
    package var message: String {
        switch self {
        case .invalidRequest: "Something that was entered is not valid."
        case .bodyChanged: "The file changed while it was being sent."
        case .localStorageFull: "There is not enough space on this device."
        case .localFault: "Data on this device could not be read or saved."
        case .offline: "There is no connection to the network."
        case .unreachable: "The server cannot be reached."
        case .connectionLost: "The connection was lost."
        case .timedOut: "The server took too long to answer."
        case .insecure: "A secure connection to the server could not be made."
        case .throttled: "There were too many requests. Please try again later."
        case .requestTimeout: "The server waited too long for the request. Please try again."
        case .unavailable: "The service is not available. Please try again later."
        case .serverFault: "Something went wrong on the server."
        case .unauthenticated: "Please log in."
        case .sessionEnded: "Your session has ended."
        case .rejected: "The server refused the request."
        case .malformed: "The server's answer could not be understood."
        case .unconfirmed: "It is not known whether this was carried out."
        case .cancelled: "This was cancelled."
        }
    }
}
