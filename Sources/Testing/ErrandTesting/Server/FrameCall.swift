import ErrandRuntime

/// A request that has reached a simulated server as a frame.
struct FrameCall: Sendable {
    let command: any Command.Type
    /// The frame in the form of a request: the headers are those of the handshake and the presented token, and the body is the
    /// payload.
    let request: TransportRequest
    let correlation: UInt64?
    let contract: FrameContract
}

/// What a simulated server knows of the contracts of the clients that connect to one URL.
struct FrameContract: Sendable {
    let description: ConnectionDescription
    let format: FrameFormat
    /// The names of the services, of which a connection carries one, or several with the same description.
    var services: Set<String> = []
    /// The commands by the kind of their frame. A server learns them when they are sent.
    var commands: [String: any Command.Type] = [:]
    /// The kinds of the frames that end a subscription early.
    var cancellations: Set<String> = []

    /// Nil for a service over HTTP.
    init?(_ service: ServiceDescription) {
        guard let description = service.connection, let format = service.frameFormat else { return nil }
        self.description = description
        self.format = format
    }

    /// The key of a URL among contracts: without its query, which may carry a token.
    static func place(_ url: String) -> String { String(url.prefix { $0 != "?" }) }

    mutating func learn(_ command: any Command.Type) {
        services.insert(command.endpoint.service.name)
        guard let frame = command.endpoint.frame else { return }
        commands[frame.kind] = command
        if let cancel = command.endpoint.stream?.cancel { cancellations.insert(cancel) }
    }

    /// Reads a message of a client; nil for a message that is none of its frames.
    func read(_ message: [UInt8]) -> Frame? { try? format.read(message, limit: .max) }

    // MARK: Messages

    /// A reply to a request.
    func reply(_ body: [UInt8]?, isFailure: Bool, to call: FrameCall) -> ReceivedMessage? {
        guard let frame = call.command.endpoint.frame else { return nil }
        let kind = isFailure ? description.failure ?? frame.reply : frame.reply
        return message(kind, call.correlation, body)
    }

    func message(_ kind: String, _ correlation: UInt64?, _ payload: [UInt8]?) -> ReceivedMessage? {
        format.message(kind, correlation: correlation, payload: payload).map(ReceivedMessage.text)
    }
}
