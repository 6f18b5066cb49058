import Diagnostics

/// The section `connection`: how the frames of a persistent connection look, and how the connection is kept.
package struct ConnectionDefinition: Sendable {
    /// The member of a frame that names its kind; nil for `type`.
    package var kind: Located<String>?
    /// The member of a frame that has the id of the request; nil for a text in `id`.
    package var correlation: Located<Correlation>?
    /// The member of a frame that has the payload. Without one, the payload's members are beside kind and id.
    package var payload: Located<String>?
    /// The kind of a reply, with `{frame}` for the kind of the request; nil for the request's own.
    package var reply: Located<String>?
    /// The kind of a reply that is a failure.
    package var failure: Located<String>?
    /// The subprotocol that the handshake asks for (RFC 6455 section 1.9).
    package var subprotocol: Located<String>?
    @Indirect package var ping: Located<Ping>?
    /// When an unused connection is closed.
    package var unused: Located<Unused>?
    @Indirect package var reconnect: Reconnect?
    @Indirect package var limits: Limits?
    package var range: SourceRange

    package init(range: SourceRange) { self.range = range }

    /// The id that a reply has in common with its request.
    package struct Correlation: Sendable, Equatable {
        package enum Form: String, Sendable, CaseIterable { case string, int }

        package var member: String
        package var form: Form

        package init(_ member: String = "id", as form: Form = .string) {
            self.member = member
            self.form = form
        }
    }

    package enum Ping: Sendable, Equatable {
        case never
        /// In milliseconds: the silence after which a ping is sent, and the silence after which the connection counts as lost.
        case after(every: Int?, timeout: Int?)
    }

    package enum Unused: Sendable, Equatable {
        case never
        /// In milliseconds.
        case after(Int)
    }

    /// The pauses before a lost connection is opened again, in milliseconds. Nil keeps the runtime's value.
    package struct Reconnect: Sendable, Equatable {
        package var base: Located<Int>?
        package var cap: Located<Int>?

        package init() {}
    }

    /// Nil keeps the runtime's value.
    package struct Limits: Sendable, Equatable {
        /// How many commands may wait for a reply at once.
        package var pending: Int?
        /// The size in bytes of what a subscription may leave unread before the server is held back.
        package var buffer: Int?

        package init() {}
    }

    /// The pauses before openings, with the runtime's values where the contract has none.
    package var reconnectRule: RetryRule {
        RetryRule(
            base: .milliseconds(reconnect?.base?.value ?? Self.usualReconnect.base),
            cap: .milliseconds(reconnect?.cap?.value ?? Self.usualReconnect.cap))
    }

    package var kindMember: String { kind?.value ?? "type" }
    package var correlationMember: String { correlation?.value.member ?? "id" }
    /// Whether the ids are numbers on the wire.
    package var hasNumericCorrelation: Bool { correlation?.value.form == .int }

    /// The kind of the replies and the elements for a request.
    package func reply(to frame: FrameTarget) -> String {
        frame.reply?.value ?? reply?.value.replacing("{frame}", with: frame.kind.value) ?? frame.kind.value
    }
}

/// The frame that carries the request of an endpoint.
package struct FrameTarget: Sendable {
    package var kind: Located<String>
    /// The kind of its replies and elements, where the endpoint itself names it.
    package var reply: Located<String>?

    package init(_ kind: Located<String>, reply: Located<String>? = nil) {
        self.kind = kind
        self.reply = reply
    }
}

/// One entry of `events`: a frame that the server sends without a request.
package struct EventDefinition: Sendable {
    package var name: Located<String>
    /// The kind of the frame.
    package var frame: Located<String>
    /// The payload; nil for an event without one.
    package var data: ErrorData?
    package var doc: String?
    package var deprecated: Deprecation?
    package var swiftName: Located<String>?

    package init(name: Located<String>, frame: Located<String>) {
        self.name = name
        self.frame = frame
    }
}

extension ConnectionDefinition {
    /// The silence before a ping and before a loss without other values, in milliseconds.
    package static let usualPing = (every: 20_000, timeout: 45_000)
    /// The bounds of the first pause and of all pauses before openings, in milliseconds.
    package static let usualReconnect = (base: 1_000, cap: 30_000)
}
