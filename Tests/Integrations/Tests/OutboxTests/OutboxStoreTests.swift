import ErrandDurable
import ErrandOutbox
import ErrandRuntime
import Foundation
import Testing

/// What each store of durable commands must do.
@Suite struct OutboxStoreTests {
    enum Kind: CaseIterable { case memory, file }

    static func intent(_ service: String = "Chat at https://chat.example") -> KeptIntent {
        let now = Date()
        return KeptIntent(
            number: 0, id: UUID(), service: service, endpoint: "send", fingerprint: "f", effect: .keyed,
            owner: "user:ada", lane: "messages", submitted: now, expires: now + 60, key: "k", isSealed: false,
            progress: IntentProgress(state: .waiting, reason: .submitted, since: now))
    }

    private func store(_ kind: Kind, _ folder: TemporaryFolder) throws -> any OutboxStore {
        switch kind {
        case .memory: MemoryOutboxStore()
        case .file: try FileOutboxStore(folder: folder.path)
        }
    }

    @Test(arguments: Kind.allCases) func keepsCommandsInTheirOrder(kind: Kind) async throws {
        let folder = try TemporaryFolder()
        let store = try store(kind, folder)
        var wanted: [KeptIntent] = []
        for index in 0..<5 {
            var intent = Self.intent()
            intent.number = try await store.append(intent, inputs: [UInt8(index), 0, 255])
            #expect(intent.number > wanted.last?.number ?? 0)
            wanted.append(intent)
        }
        _ = try await store.append(Self.intent("Another at https://another.example"), inputs: [])
        let service = wanted[0].service
        #expect(try await store.intents(of: service, after: 0, limit: 9) == wanted)
        #expect(try await store.intents(of: service, after: wanted[1].number, limit: 2) == Array(wanted[2...3]))
        #expect(try await store.intents(of: service, after: wanted[4].number, limit: 2) == [])
        #expect(try await store.intents(of: "None", after: 0, limit: 9) == [])
        #expect(try await store.inputs(of: wanted[3].number) == [3, 0, 255])
        #expect(try await store.inputs(of: 1_000) == nil)
    }

    @Test(arguments: Kind.allCases) func replacesTheProgress(kind: Kind) async throws {
        let folder = try TemporaryFolder()
        let store = try store(kind, folder)
        var intent = Self.intent()
        intent.number = try await store.append(intent, inputs: [1])
        for isSynced in [true, false] {
            for state in OutboxEntry.State.allCases {
                for reason in OutboxEntry.Reason.allCases {
                    intent.progress = IntentProgress(
                        state: state, reason: reason, since: Date(), failures: 3, mayHaveBeenApplied: isSynced,
                        keyUsed: isSynced ? Date() : nil, nextAttempt: isSynced ? nil : Date(),
                        failure: isSynced ? "it's \"over\"\n\u{0}" : nil)
                    try await store.update(intent.number, intent.progress, isSynced: isSynced)
                    #expect(try await store.intents(of: intent.service, after: 0, limit: 9) == [intent])
                }
            }
        }
        #expect(try await store.inputs(of: intent.number) == [1])
    }

    @Test(arguments: Kind.allCases) func removesACommandAndUsesNoNumberAgain(kind: Kind) async throws {
        let folder = try TemporaryFolder()
        let store = try store(kind, folder)
        let number = try await store.append(Self.intent(), inputs: [1])
        try await store.remove(number)
        #expect(try await store.inputs(of: number) == nil)
        #expect(try await store.intents(of: Self.intent().service, after: 0, limit: 9) == [])
        try await store.remove(number)
        try await store.update(number, Self.intent().progress, isSynced: false)
        #expect(try await store.intents(of: Self.intent().service, after: 0, limit: 9) == [])
        #expect(try await store.append(Self.intent(), inputs: []) > number)
    }

    @Test(arguments: Kind.allCases) func onlyOneSendsTheCommandsOfAService(kind: Kind) async throws {
        let folder = try TemporaryFolder()
        let store = try store(kind, folder)
        let long = "https://" + String(repeating: "a/../", count: 100)
        #expect(try await store.claim("Chat"))
        #expect(try await store.claim(long))
        #expect(try await !store.claim("Chat"))
        await store.release("Chat")
        #expect(try await store.claim("Chat"))
        #expect(try await !store.claim(long))
    }

    @Test(arguments: Kind.allCases) func finishesInACanceledTask(kind: Kind) async throws {
        let folder = try TemporaryFolder()
        let store = try store(kind, folder)
        let intent = Self.intent()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            let number = try await store.append(intent, inputs: [7])
            try await store.update(number, intent.progress, isSynced: true)
            return number
        }
        let number = try await task.value
        #expect(try await store.inputs(of: number) == [7])
    }
}
