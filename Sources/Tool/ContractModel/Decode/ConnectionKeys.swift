import Diagnostics
import YAMLTree

/// The keys of `connection`, of a frame in its long form, and of an event.
package enum ConnectionKeys {
    private typealias Key = LanguageKey<ConnectionDefinition>

    package static let connection = LanguageMapping<ConnectionDefinition>(
        "connection", "`connection`",
        [subprotocol, kind, correlation, payload, reply, failure, ping, unused, reconnect, limits])

    // MARK: Frames

    private static let subprotocol = Key(
        "subprotocol", \.subprotocol, .headerName,
        "name of the protocol that the handshake asks for (`Sec-WebSocket-Protocol`)")
    private static let kind = Key(
        "kind", \.kind, .nonEmpty(like: "type"), "member of a frame that names its kind: `type` (default)")
    private static let correlation = Key(
        "correlation", \.correlation, .correlation,
        "member with the id that a reply has in common with its request: `id` (default), or `{member: id, as: int}`")
    private static let payload = Key(
        "payload", \.payload, .nonEmpty(like: "data"),
        "member with the payload; without it, the members of the payload are beside kind and id")
    private static let reply = Key(
        "reply", \.reply, .replyKind,
        "kind of a reply, with `{frame}` for the kind of its request: `\"{frame}\"` (default)")
    private static let failure = Key(
        "failure", \.failure, .frameKind, "kind of a reply that is a failure, whatever the request was")

    static let correlationMember = LanguageMapping<CorrelationKeys>(
        "correlation", "`correlation` in its long form", [member, form], short: "member")
    private static let member = LanguageKey<CorrelationKeys>(
        required: "member", \.member, .nonEmpty(like: "id"), "member of a frame that has the id")
    private static let form = LanguageKey<CorrelationKeys>(
        "as", \.form, .word, "form of the id: `string` (default) or `int`", usual: .string)

    // MARK: The connection

    private static let ping = Key(
        "ping", \.ping, .ping, "`{every: 20s, timeout: 45s}` (default), or `never`")
    private static let unused = Key(
        "unused", \.unused, .unused, "when an unused connection is closed: `5m` (default), or `never`")
    private static let reconnect = Key(
        "reconnect", \.reconnect,
        .mapping({ reconnectRule }, empty: { _ in ConnectionDefinition.Reconnect() }),
        "pauses before a lost connection is opened again")
    private static let limits = Key(
        "limits", \.limits, .mapping({ limitsOfConnection }, empty: { _ in ConnectionDefinition.Limits() }),
        "bounds of what waits on the connection")

    static let pingRule = LanguageMapping<PingKeys>("ping", "`ping`", [every, timeout])
    private static let every = LanguageKey<PingKeys>(
        "every", \.every, .duration, "silence after which the client sends a ping: `20s` (default)")
    private static let timeout = LanguageKey<PingKeys>(
        "timeout", \.timeout, .duration, "silence after which the connection counts as lost: `45s` (default)")

    static let reconnectRule = LanguageMapping<ConnectionDefinition.Reconnect>(
        "reconnect", "`reconnect`", [base, cap])
    private static let base = LanguageKey<ConnectionDefinition.Reconnect>(
        "base", \.base, .duration, "longest pause before the first attempt; it doubles from there: `1s` (default)")
    private static let cap = LanguageKey<ConnectionDefinition.Reconnect>(
        "cap", \.cap, .duration, "longest pause of all: `30s` (default)")

    static let limitsOfConnection = LanguageMapping<ConnectionDefinition.Limits>(
        "limits", "`limits`", [pending, buffer])
    private static let pending = LanguageKey<ConnectionDefinition.Limits>(
        "pending", \.pending, .integer(1...65_536),
        "how many commands wait for a reply at once, before further ones wait to be sent: `256` (default)")
    private static let buffer = LanguageKey<ConnectionDefinition.Limits>(
        "buffer", \.buffer, .integer(1024...(1 << 30)),
        "size in bytes of the unread elements of a subscription, from which the server is held back: `1048576` (default)"
    )

    // MARK: Frames of endpoints and events

    package static let frame = LanguageMapping<FrameTarget>(
        "frame", "`frame` in its long form", [frameName, frameReply])
    private static let frameName = LanguageKey<FrameTarget>(
        required: "name", \.kind, .frameKind, "kind of the request")
    private static let frameReply = LanguageKey<FrameTarget>(
        "reply", \.reply, .frameKind, "kind of its replies and elements, in place of the connection's `reply`")

    package static let event = LanguageMapping<EventDefinition>(
        "event", "an event", [eventFrame, eventData, eventDoc, eventDeprecated, eventSwift])
    private static let eventFrame = LanguageKey<EventDefinition>(
        required: "frame", \.frame, .frameKind, "kind of the frame")
    private static let eventData = LanguageKey<EventDefinition>(
        "data", \.data, .data, "payload that comes with it", hasKeyword: true)
    private static let eventDoc = LanguageKey<EventDefinition>("doc", \.doc, .text, "what it means")
    private static let eventDeprecated = LanguageKey<EventDefinition>.deprecated(\.deprecated)
    private static let eventSwift = LanguageKey<EventDefinition>("swift", \.swiftName, .text, "another Swift name")
}

// MARK: Mappings whose model is no structure

struct CorrelationKeys: Sendable {
    var member = ""
    var form = ConnectionDefinition.Correlation.Form.string
}

struct PingKeys: Sendable {
    var every: Int?
    var timeout: Int?
}

extension Codec where Value == ConnectionDefinition {
    static var connection: Codec {
        .mapping({ ConnectionKeys.connection }, empty: { ConnectionDefinition(range: $0) })
    }
}

extension Codec where Value == ConnectionDefinition.Correlation {
    /// `id`, or `{member: id, as: int}`.
    fileprivate static var correlation: Codec {
        .either(
            Codec<String>.nonEmpty(like: "id").map(
                to: { ConnectionDefinition.Correlation($0) }, from: { $0.member }),
            Codec<CorrelationKeys>.mapping(
                { ConnectionKeys.correlationMember }, empty: { _ in CorrelationKeys() }
            ).map(
                to: { ConnectionDefinition.Correlation($0.member, as: $0.form) },
                from: { CorrelationKeys(member: $0.member, form: $0.form) }),
            isShort: { $0.form == .string })
    }
}

extension Codec where Value == ConnectionDefinition.Ping {
    /// `never`, or `{every: 20s, timeout: 45s}`.
    fileprivate static var ping: Codec {
        .either(
            Codec<String>.never(or: "{every: 20s, timeout: 45s}").map(to: { _ in .never }, from: { _ in "never" }),
            Codec<PingKeys>.mapping({ ConnectionKeys.pingRule }, empty: { _ in PingKeys() }).map(
                to: { .after(every: $0.every, timeout: $0.timeout) },
                from: {
                    if case .after(let every, let timeout) = $0 {
                        PingKeys(every: every, timeout: timeout)
                    } else {
                        PingKeys()
                    }
                }), isShort: { $0 == .never })
    }
}

extension Codec where Value == ConnectionDefinition.Unused {
    /// `never`, or a time.
    fileprivate static var unused: Codec {
        Codec(
            scalar: .form(.durationOrNever),
            read: { decoder, text, key in
                text.value == "never" ? text.map { _ in .never } : decoder.duration(text, key)?.map { .after($0) }
            },
            write: {
                switch $0 {
                case .never: .text("never")
                case .after(let time): .text(ContractDecoder.duration(time))
                }
            })
    }
}

extension Codec where Value == String {
    /// The word `never`.
    static func never(or example: String) -> Codec {
        Codec(
            scalar: .words(["never"]),
            read: { decoder, text, key in
                if text.value == "never" { return text }
                decoder.report(
                    .unknownValue, "`\(key)` cannot be \(quoted(text.value))", at: text.range,
                    help: "write `never` or `\(example)`")
                return nil
            }, write: { _ in .text("never") })
    }

    /// The kind of a frame. The client drops frames with a longer one.
    static var frameKind: Codec {
        Codec(
            scalar: .form(.frameKind),
            read: { decoder, kind, key in
                guard decoder.isFrameKind(kind, key) else { return nil }
                decoder.checkNoPlaceholder(in: kind, key)
                return kind
            }, write: { .text($0) })
    }
}

extension Codec where Value == String {
    /// The kind of a reply, in which `{frame}` stands for the kind of the request.
    fileprivate static var replyKind: Codec {
        Codec(
            scalar: .form(.frameKind),
            read: { decoder, kind, key in
                guard decoder.isFrameKind(kind, key) else { return nil }
                decoder.checkPlaceholders(of: kind, key)
                return kind
            }, write: { .text($0) })
    }
}

extension ContractDecoder {
    /// Whether a text can be the kind of a frame. Reports one that cannot.
    fileprivate mutating func isFrameKind(_ kind: Located<String>, _ key: String) -> Bool {
        let isShort = (1...256).contains(kind.value.utf8.count)
        if isShort, !kind.value.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) { return true }
        report(
            .invalidName, "\(quoted(kind.value)) cannot be the kind of a frame", at: kind.range,
            help: "write a text of 1 to 256 bytes without line breaks, such as `\(key): room.follow`")
        return false
    }

    /// Reports a placeholder in a kind that has none, which would be sent and expected as it is. Other braces are part of the kind.
    fileprivate mutating func checkNoPlaceholder(in kind: Located<String>, _ key: String) {
        guard let open = kind.value.firstIndex(of: "{"), let close = kind.value[open...].firstIndex(of: "}") else {
            return
        }
        let placeholder = kind.value[open...close]
        let name = placeholder.dropFirst().dropLast()
        guard !name.isEmpty, name.allSatisfy({ $0.isLetter || $0.isNumber || "_.:".contains($0) }) else { return }
        let help =
            name == "frame" || key == "reply"
            ? "write the kind itself, or write `{frame}` for the request's kind in the `reply` of `connection`"
            : "write the kind itself, and what differs from frame to frame as a field of the `body`"
        let hole = quoted(String(placeholder))
        report(
            .invalidPlaceholder, "`\(key)` is the kind of a frame as it is, and nothing fills \(hole)", at: kind.range,
            help: help)
    }

    /// Reports braces that do not belong to `{frame}`. They would be a part of the kind.
    fileprivate mutating func checkPlaceholders(of kind: Located<String>, _ key: String) {
        let rest = kind.value.replacing("{frame}", with: "")
        guard rest.contains(where: { $0 == "{" || $0 == "}" }) else { return }
        var message = "`\(key)` has a brace that belongs to no placeholder"
        var fix: Fix?
        if let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            let placeholder = String(rest[open...close])
            message = "`\(key)` knows no placeholder \(quoted(placeholder)), only `{frame}`"
            let meant = kind.value.replacing(placeholder, with: "{frame}")
            if !meant.replacing("{frame}", with: "").contains(where: { #"{}"\"#.contains($0) }) {
                // YAML reads braces as a part of a text only inside quotes.
                fix = Fix(
                    title: "write `\(meant)`", applicability: .needsALook,
                    edits: [Fix.Edit(replacing: kind.range, with: "\"\(meant)\"")])
            }
        }
        report(
            .invalidPlaceholder, message, at: kind.range,
            help: "write `{frame}` in the place of the request's kind, such as `\(key): \"{frame}.ok\"`", fix: fix)
    }

    /// The kind of a request, alone or with that of its replies.
    mutating func frame(_ node: YAMLNode) -> FrameTarget? {
        guard node.mapping != nil else {
            return Codec<String>.frameKind.read(&self, node, ValueName(key: "frame")).map { FrameTarget($0) }
        }
        var frame = FrameTarget(Located("", at: node.range))
        return read(node, as: ConnectionKeys.frame, into: &frame) ? frame : nil
    }

    /// One entry of `events`.
    mutating func event(_ name: Located<String>, _ node: YAMLNode) -> EventDefinition? {
        owner = .event(name.value)
        var event = EventDefinition(name: name, frame: name)
        return read(node, as: ConnectionKeys.event, into: &event) ? event : nil
    }
}

extension FrameTarget {
    /// The frame as a contract has it.
    package var printed: PrintedNode {
        reply == nil ? .text(kind.value) : .mapping(ConnectionKeys.frame.pairs(of: self))
    }
}
