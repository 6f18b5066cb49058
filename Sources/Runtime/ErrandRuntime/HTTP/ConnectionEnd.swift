/// What a fault over a persistent connection says beside its kind. An object, so that other faults stay small.
package final class ConnectionEnd: Sendable {
    /// The server's code, if it has closed the connection.
    let code: CloseCode?
    /// Whether the connection was lost or could not be opened, so that the command waits for the next one.
    let isLoss: Bool
    /// The built-in error, where the kind of the fault doesn't say it.
    let builtIn: BuiltInError?
    /// The error of the contract that the server has refused the session's token with.
    let declared: DeclaredName?
    /// The payload of the frame that ended a subscription with a failure.
    let failure: [UInt8]?

    package init(
        code: CloseCode? = nil, isLoss: Bool = true, builtIn: BuiltInError? = nil, declared: DeclaredName? = nil,
        failure: [UInt8]? = nil
    ) {
        self.declared = declared
        self.code = code
        self.isLoss = isLoss
        self.builtIn = builtIn
        self.failure = failure
    }
}

/// What a response over a persistent connection is.
package enum FrameReply: Sendable, Hashable {
    /// A frame of the kind of a success.
    case reply
    /// A frame of the kind of failures, which is never a success.
    case failure
    /// The request was written, and expects no reply.
    case written
    /// The server's response to the handshake. Nothing of the request was sent.
    case handshake
}

extension TransportFault {
    /// A fault of a connection.
    package init(_ kind: Kind, evidence: Evidence, _ connection: ConnectionEnd, underlying: (any Error)? = nil) {
        self.init(kind, evidence: evidence, underlying: underlying)
        self.connection = connection
    }

    /// The fault of a request whose connection the server has closed.
    package init(_ code: CloseCode, evidence: Evidence) {
        let kind: Kind = code.transport ?? (code.meaning == .malformed ? .unreadable : .lost)
        self.init(kind, evidence: evidence, ConnectionEnd(code: code, builtIn: code.meaning))
    }
}
