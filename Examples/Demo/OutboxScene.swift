import ConversationsClient
import ErrandDurable
import ErrandRuntime
import ErrandTesting
import Foundation
import TestServices

/// A message that is submitted without a network, and that outlasts the process.
extension BankDemo {
    func outliveTheProcess() async throws {
        let service = try await ConversationsService.start()
        narrator.title("\nThe client of contracts/conversations.contract.yaml, whose app is ended before it can send")
        narrator.step(
            "try await outbox.submit(Conversations.SendMessage(…))   // 2 of them, and there is no network")
        // The demo keeps them in memory, because it takes no traits. FileOutboxStore keeps them on the disk.
        let store = MemoryOutboxStore()
        let session = Session { Conversations.LogIn(userName: "ada", password: "lovelace") }
        let network = ScriptedPathMonitor()
        let chat = Conversations(
            Conversations.Server(url: service.url), on: Dispatcher(network: network, responder: presenter),
            session: session, common: Conversations.Common(deviceID: UUID()))
        let conversations = try await chat.listConversations()
        guard let conversation = conversations.first else { return narrator.contradict("there is no conversation") }
        network.goAway()
        let first = try await Outbox(of: chat, in: store)
        for text in ["On my way", "Be there soon"] {
            try await first.submit(
                Conversations.SendMessage(conversationID: conversation.id, draft: .text(.init(text: text))))
        }
        let kept = first.entries.count
        await first.close()
        let before = await service.said
        narrator.claim(kept == 2 && before.isEmpty, "\(kept) messages are kept, and the app is gone")
        network.comeBack()
        narrator.remark("the app starts again, and there is a network")
        let second = try await Outbox(of: chat, in: store)
        _ = await comesTrue { second.entries.isEmpty }
        let said = await service.said
        narrator.claim(
            said == ["On my way", "Be there soon"], "\(said.count) messages have arrived, in their order, each once")
        await second.close()
        await service.stop()
    }
}
