import ConversationsClient
import ErrandDurable
import ErrandRuntime
import ErrandTesting
import Foundation
import Testing

@testable import ErrandUI

/// The commands of an outbox, as a screen observes them.
@Suite(.timeLimit(.minutes(1))) @MainActor struct OutboxModelTests {
    private let network = ScriptedPathMonitor(.unsatisfied)

    /// A server that refuses what it is told to refuse.
    private func makeOutbox() async throws -> Outbox<Conversations> {
        let transport = ScriptedTransport { request, _ in
            let isRefused = String(decoding: request.body ?? [], as: UTF8.self).contains("forbidden")
            return .json(
                isRefused
                    ? #"{"error":{"code":"recipient_blocked"}}"#
                    : #"{"data":{"kind":"text","id":"6F9619FF-8B86-D011-B42D-00CF4FC964FF","sender_id":1,"#
                        + #""sent_at":"2026-01-02T03:04:05Z","text":"Yes"}}"#,
                status: isRefused ? 403 : 200)
        }
        let chat = Conversations(
            on: Dispatcher(transport: transport, network: network),
            session: Session(tokens: SessionTokens(access: "ticket", identity: "ada")),
            common: .init(deviceID: UUID()))
        return try await Outbox(of: chat, in: MemoryOutboxStore())
    }

    private func message(_ text: String) -> Conversations.SendMessage {
        Conversations.SendMessage(conversationID: UUID(), draft: .text(.init(text: text)))
    }

    @Test func aScreenSeesWhatWaitsAndWhatWasRefused() async throws {
        let outbox = try await makeOutbox()
        let first = try await outbox.submit(message("On my way"))
        let model = OutboxModel(outbox)
        #expect(model.entries.map(\.id) == [first], "what was submitted before the first look is missed")
        let second = try await outbox.submit(message("forbidden"))
        await becomes { model.entries.map(\.id) == [first, second] }
        network.comeBack()
        await becomes { model.entries.map(\.id) == [second] && model.entries.first?.state == .settled }
        #expect(model.entries.first?.reason == .failed)
        #expect(try await outbox.remove(second))
        await becomes { model.entries.isEmpty }
    }

    @Test func theModelIsReleasedWithItsOutbox() async throws {
        weak var model: OutboxModel?
        weak var outbox: Outbox<Conversations>?
        do {
            let made = try await makeOutbox()
            let shown = OutboxModel(made)
            #expect(shown.entries.isEmpty)
            (outbox, model) = (made, shown)
        }
        await until { model == nil && outbox == nil }
        #expect(model == nil && outbox == nil)
    }
}
