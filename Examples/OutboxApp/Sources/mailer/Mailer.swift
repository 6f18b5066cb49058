import ConversationsClient
import ErrandOutbox
import ErrandRuntime
import Foundation

/// Sends messages that outlast the process.
///
///     mailer SERVER FOLDER [TEXT…]
///
/// It keeps a message for each text in the folder, and ends when all messages are delivered, also those of an earlier run, or cannot be.
@main struct Mailer {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.count >= 2 else { return say("usage: mailer SERVER FOLDER [TEXT…]") }
        let chat = Conversations(
            .init(url: arguments[0]), session: Session(tokens: SessionTokens(access: "ticket", identity: "ada")),
            common: .init(deviceID: UUID()))
        let folder = arguments[1]

        let store = try FileOutboxStore(folder: folder)
        let outbox = try await Outbox(of: chat, in: store)

        let waiting = outbox.entries.count
        if waiting > 0 { say("\(waiting) kept by an earlier run") }
        for text in arguments.dropFirst(2) {
            try await outbox.submit(Conversations.SendMessage(conversationID: UUID(), draft: .text(.init(text: text))))
            say("kept: \(text)")
        }
        let changes = outbox.changes
        while outbox.entries.contains(where: { $0.state != .settled }) {
            for await _ in changes { break }
        }
        for entry in outbox.entries { say("not delivered, \(entry.reason): \(entry.failure ?? "")") }
        if outbox.entries.isEmpty { say("all delivered") }
    }

    /// At once: a program that is killed prints nothing that it has collected.
    private static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}
