public import ErrandRuntime

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The last commands of an app with their events, attempts and results, for a screen that developers look at.
///
///     let history = CommandHistory()
///     let bank = Bank(on: Dispatcher(observers: [history]))
///     …
///     print(history.report)
///
/// `CommandHistoryView` shows it in SwiftUI. Several dispatchers may have the same history.
///
/// A record has no input, no header, no body and no token, and its URLs are redacted. Nevertheless, it says what a person does in
/// the app. So a history keeps nothing in a release build unless the app asks for it.
public final class CommandHistory: CommandObserver {
    /// Whether a history keeps commands if the app does not say so: in a debug build only.
    public static var isRecordedByDefault: Bool {
        #if DEBUG
        true
        #else
        false
        #endif
    }

    fileprivate struct State: Sendable {
        /// In the order in which they began.
        var records: [CommandRecord] = []
        /// The numbers of the records that have not ended.
        var numbers: [CommandIdentity: Int] = [:]
        var count = 0
    }

    /// How many commands are kept.
    public let limit: Int
    /// Whether commands are kept at all.
    public let isRecording: Bool
    private let state = LockedState<State> { State() }
    private let followers = EventFollowers<Void>(limit: 1)

    /// - Parameters:
    ///   - limit: how many commands are kept: the last ones. At least 1.
    ///   - isRecording: whether commands are kept. By default, they are kept in debug builds only.
    public init(limit: Int = 200, isRecording: Bool = CommandHistory.isRecordedByDefault) {
        self.limit = max(1, limit)
        self.isRecording = isRecording
    }

    /// The commands, the last one first.
    public var records: [CommandRecord] { state.withLock { $0.records.reversed() } }

    /// An element for each change from now on. What changes while a reader is busy is one element.
    public var changes: AsyncStream<Void> { followers.stream() }

    /// Forgets all commands. A command that has not ended does not come back.
    public func clear() {
        state.withLock { state in
            state.records = []
            state.numbers = [:]
        }
        followers.tell(())
    }

    public func observe(_ event: CommandEvent) {
        guard isRecording else { return }
        state.withLock { $0.note(event, limit) }
        followers.tell(())
    }

    /// All commands with their events, the last one first.
    public var report: String { records.map(\.report).joined(separator: "\n") }
}

extension CommandHistory.State {
    mutating func note(_ event: CommandEvent, _ limit: Int) {
        if case .queued = event.kind {
            count += 1
            if records.count == limit { numbers[records.removeFirst().command] = nil }
            records.append(CommandRecord(id: count, event, began: Date()))
            numbers[event.command] = count
            return
        }
        // A record that has left, or a history that was cleared.
        guard let number = numbers[event.command], let first = records.first else { return }
        records[number - first.id].note(event)
        if case .settled = event.kind { numbers[event.command] = nil }
    }
}
