import ErrandTesting
import Foundation

@testable import ErrandConnections
@testable import ErrandRuntime

/// Carries messages to a server that a test plays.
final class ScriptedMessages: MessageTransport {
    /// Answers a handshake: nil accepts it.
    typealias Accept = @Sendable (_ opening: ConnectionOpening, _ number: Int) async -> OpeningFault?
    /// Is given each message of a client.
    typealias Answer = @Sendable (_ frame: SentFrame, _ line: ScriptedLine) -> Void

    private struct State {
        var openings: [ConnectionOpening] = []
        var lines: [ScriptedLine] = []
        var frames: [SentFrame] = []
    }

    private let state = LockedState<State> { State() }
    private let accept: Accept
    private let answer: Answer
    private let abilities: ScriptedLine.Abilities

    /// - Parameters:
    ///   - isNotified: whether a connection says by itself that something has arrived.
    ///   - takesAtOnce: whether it takes messages without waiting.
    ///   - answersPings: whether the server does.
    init(
        isNotified: Bool = false, takesAtOnce: Bool = false, answersPings: Bool = false,
        accept: @escaping Accept = { _, _ in nil },
        _ answer: @escaping Answer
    ) {
        self.accept = accept
        self.answer = answer
        abilities = ScriptedLine.Abilities(
            isNotified: isNotified, takesAtOnce: takesAtOnce, answersPings: answersPings)
    }

    var openings: [ConnectionOpening] { state.withLock { $0.openings } }
    /// The open connections, the newest last.
    var lines: [ScriptedLine] { state.withLock { $0.lines } }
    var line: ScriptedLine? { lines.last }
    /// Everything that was sent, in its order.
    var frames: [SentFrame] { state.withLock { $0.frames } }
    var kinds: [String] { frames.map(\.kind) }

    func open(_ opening: ConnectionOpening) async throws(OpeningFault) -> any MessageConnection {
        let number = state.withLock { state in
            state.openings.append(opening)
            return state.openings.count
        }
        if let fault = await accept(opening, number) { throw fault }
        let line = ScriptedLine(number, abilities) { message, line in
            let frame = SentFrame(message)
            self.state.withLock { $0.frames.append(frame) }
            self.answer(frame, line)
        }
        state.withLock { $0.lines.append(line) }
        return line
    }
}

/// A message of a client.
struct SentFrame: Sendable {
    let text: String
    let kind: String
    let id: String
    /// The payload's text; empty without one.
    let data: String

    init(_ message: [UInt8]) {
        let text = String(decoding: message, as: UTF8.self)
        self.text = text
        let members = (try? JSONSerialization.jsonObject(with: Data(message))) as? [String: Any] ?? [:]
        kind = members["type"] as? String ?? ""
        id = members["id"] as? String ?? ""
        data = text.firstRange(of: #""data":"#).map { String(text[$0.upperBound...].dropLast()) } ?? ""
    }
}

/// One connection to a server that a test plays.
final class ScriptedLine: MessageConnection {
    struct Abilities: Sendable {
        var isNotified = false
        var takesAtOnce = false
        var answersPings = false
    }

    let number: Int
    private let abilities: Abilities
    private let inbox = MessageInbox()
    private let take: @Sendable ([UInt8], ScriptedLine) -> Void
    private let state = LockedState<(closed: CloseCode?, fault: TransportFault?, pings: Int)> { (nil, nil, 0) }
    private let takenAtOnce = LockedState<[String]> { [] }

    init(
        _ number: Int, _ abilities: Abilities = Abilities(),
        _ take: @escaping @Sendable ([UInt8], ScriptedLine) -> Void
    ) {
        self.number = number
        self.abilities = abilities
        self.take = take
    }

    // MARK: The server's side

    func say(_ text: String) { inbox.put(.text(Array(text.utf8))) }
    func put(_ message: ReceivedMessage) { inbox.put(message) }
    func reply(to frame: SentFrame, _ data: String = "{}", kind: String? = nil) {
        say(#"{"type":"\#(kind ?? frame.kind)","id":"\#(frame.id)","data":\#(data)}"#)
    }
    func cut() { fail(TransportFault(.lost, evidence: .sent)) }
    func close(by code: UInt16) {
        state.withLock { $0.fault = TransportFault(.lost, evidence: .notSent) }
        inbox.end(.success(.closed(CloseCode(rawValue: code))))
    }
    func fail(_ fault: TransportFault) {
        state.withLock { $0.fault = TransportFault(fault.kind, evidence: .notSent) }
        inbox.end(.failure(fault))
    }
    /// Takes no message from now on.
    func refuseToTake() { state.withLock { $0.fault = TransportFault(.lost, evidence: .notSent) } }
    /// The code with which the client has closed it.
    var closed: CloseCode? { state.withLock { $0.closed } }
    var pings: Int { state.withLock { $0.pings } }
    /// The kinds of the frames that were taken without waiting.
    var taken: [String] { takenAtOnce.withLock { $0 } }

    // MARK: The client's side

    func send(_ message: [UInt8]) async throws(TransportFault) {
        if let fault = state.withLock({ $0.fault }) { throw fault }
        take(message, self)
    }
    func ping() async throws(TransportFault) {
        state.withLock { $0.pings += 1 }
        if abilities.answersPings { inbox.put(.pong) }
    }
    func receive() async throws(TransportFault) -> ReceivedMessage { try await inbox.next {}.get() }
    func receiveAtOnce() -> ReceivedMessage? { inbox.nextAtOnce }
    func sendAtOnce(_ message: [UInt8]) -> Bool {
        guard abilities.takesAtOnce, state.withLock({ $0.fault }) == nil else { return false }
        takenAtOnce.withLock { $0.append(SentFrame(message).kind) }
        take(message, self)
        return true
    }
    func notify(_ action: @escaping @Sendable () -> Void) -> ArrivalNotice {
        abilities.isNotified ? inbox.notify({}, action) : .unavailable
    }
    func close(_ code: CloseCode) async {
        state.withLock { $0.closed = $0.closed ?? code }
        inbox.end(.success(.closed(code)))
    }
}

/// Waits until something is so, for a bounded time.
func eventually(
    within limit: Duration = .seconds(20), _ isSo: @Sendable () -> Bool
) async -> Bool {
    let end = ContinuousClock.now + limit
    while ContinuousClock.now < end {
        if isSo() { return true }
        try? await Task.sleep(for: .milliseconds(2))
    }
    return isSo()
}
