public import ErrandRuntime

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A command as ``CommandHistory`` keeps it.
public struct CommandRecord: Sendable, Identifiable {
    /// Counted from 1 by the history.
    public let id: Int
    /// Which command.
    public let command: CommandIdentity
    /// When it was handed to its dispatcher.
    public let began: Date
    public private(set) var state = State.running
    /// How many attempts were begun.
    public private(set) var attempts = 0
    /// From the beginning to the end; nil for a command that has not ended.
    public private(set) var duration: Duration?
    /// What happened to it: the newest ``eventLimit`` events.
    public private(set) var events: [Event] = []
    /// How many earlier events are no longer among `events`.
    public private(set) var droppedEvents = 0

    /// How many events of a command are kept.
    public static let eventLimit = 100

    /// How far a command is.
    public enum State: Sendable, Hashable {
        case running
        /// It does nothing until something else has happened.
        case waiting(CommandEvent.Wait)
        case succeeded
        /// It ended with one of the contract's outcomes.
        case outcome
        /// It failed: the name and the category of the error in the contract.
        case failed(String, ErrorCategory)
    }

    /// One event of a command.
    public struct Event: Sendable, Hashable, Identifiable {
        /// Counted from 1 by the command.
        public let id: Int
        /// How long after the command's beginning.
        public let offset: Duration
        /// The event in one line, without input, body, token or secret: `attempt 1, status 503 after 0.120 s, busy`.
        public let text: String
    }

    /// When the dispatcher's clock has the command begin.
    private let start: Duration

    init(id: Int, _ event: CommandEvent, began: Date) {
        self.id = id
        self.began = began
        command = event.command
        start = event.moment
        note(event)
    }

    mutating func note(_ event: CommandEvent) {
        switch event.kind {
        case .queued, .resumed, .attemptEnded: state = .running
        case .waiting(let wait): state = .waiting(wait)
        case .attemptStarted:
            state = .running
            attempts += 1
        case .settled(let settlement):
            duration = settlement.duration
            state =
                switch settlement.result {
                case .success: .succeeded
                case .outcome: .outcome
                case .failure(let context): .failed(context.name, context.category)
                }
        }
        if events.count == Self.eventLimit {
            events.removeFirst()
            droppedEvents += 1
        }
        let line = DisplayText.line("\(event.kind)", limit: 300)
        events.append(Event(id: droppedEvents + events.count + 1, offset: event.moment - start, text: line))
    }
}

extension CommandRecord.State: CustomStringConvertible {
    public var description: String {
        switch self {
        case .running: "running"
        case .waiting(let wait): "waits for \(wait)"
        case .succeeded: "succeeded"
        case .outcome: "ended with an outcome"
        case .failed(let name, let category): "failed as \(name) (\(category.rawValue))"
        }
    }
}

extension CommandRecord: CustomStringConvertible {
    /// One line: `Bank.transferFunds failed as busy (retryable), 3 attempts, 2.451 s`.
    public var description: String {
        let count = "\(attempts) \(attempts == 1 ? "attempt" : "attempts")"
        let text = "\(command.service).\(command.endpoint) \(state), \(count)"
        return DisplayText.line(text + (duration.map { ", \($0.secondsText) s" } ?? ""), limit: 300)
    }

    /// The command with its events, a line for each.
    public var report: String {
        var lines = ["\(self)"]
        if droppedEvents > 0 { lines.append("  \(droppedEvents) earlier events are not kept") }
        lines += events.map { "  +\($0.offset.secondsText) s: \($0.text)" }
        return lines.joined(separator: "\n")
    }
}
