#if canImport(SwiftUI)
import ErrandRuntime
public import SwiftUI

/// The last commands of an app, for developers: a list, and the events of each command.
///
///     .sheet(isPresented: $isDebugging) { CommandHistoryView(history) }
///
/// The list follows the history while it is shown.
@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *)
public struct CommandHistoryView: View {
    private let history: CommandHistory
    @State private var records: [CommandRecord]

    public init(_ history: CommandHistory) {
        self.history = history
        _records = State(wrappedValue: history.records)
    }

    public var body: some View {
        NavigationStack {
            List(records, id: \.id) { record in
                NavigationLink {
                    CommandRecordView(record: record)
                } label: {
                    VStack(alignment: .leading) {
                        Text(verbatim: "\(record.command.service).\(record.command.endpoint)").font(.headline)
                        Text(verbatim: "\(record)")
                        Text(verbatim: record.began.formatted(date: .omitted, time: .standard))
                    }
                }
            }
        }
        .task(id: ObjectIdentifier(history)) {
            // Before the records are read, so that no change is missed.
            let changes = history.changes
            records = history.records
            for await _ in changes { records = history.records }
        }
    }
}

/// The events of one command.
@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *)
private struct CommandRecordView: View {
    let record: CommandRecord

    var body: some View {
        List(record.events, id: \.id) { event in Text(verbatim: event.text) }
    }
}
#endif
