import ErrandTesting
import Foundation
import Testing

@testable import ErrandDurable
@testable import ErrandRuntime

/// A command that the queue finds in the store before its own submission has added it.
@Suite struct OutboxSubmissionTests {
    /// The queue reads the store when another command is submitted, and delivers what it finds. The first submission goes on after
    /// that, and must not add a command that is gone: it would end as `unreadable`.
    @Test(.timeLimit(.minutes(1))) func aCommandThatIsDeliveredDuringItsSubmissionIsNotAddedAgain() async throws {
        let store = LateStore()
        let transport = ScriptedTransport { _, _ throws(TransportFault) in TransportResponse(status: 204) }
        let session = Session()
        await session.begin(SessionTokens(access: "token-ada", identity: "ada"))
        let office = PostOffice(
            binding: ServiceBinding(
                PostOffice.service, server: "https://post.example", on: Dispatcher(transport: transport),
                session: session))
        let outbox = try await Outbox(of: office, in: store)
        var results = outbox.completions(of: PostOffice.SendLetter.self).makeAsyncIterator()
        async let first = outbox.submit(PostOffice.SendLetter(text: "a"))
        await store.waitForAppend()
        let second = try await outbox.submit(PostOffice.SendLetter(text: "b"))
        let delivered = [await results.next()?.id, await results.next()?.id]
        while !outbox.entries.isEmpty { await Task.yield() }
        await store.letSubmissionGoOn()
        #expect(try await [first, second] == delivered)
        #expect(outbox.entries.map(\.reason) == [])
    }
}

/// A store that returns from its first append only when it is told to.
private actor LateStore: OutboxStore {
    private let store = MemoryOutboxStore()
    private var held: CheckedContinuation<Void, Never>?
    private var waiter: CheckedContinuation<Void, Never>?

    func waitForAppend() async {
        if held == nil { await withCheckedContinuation { waiter = $0 } }
    }

    func letSubmissionGoOn() {
        held?.resume()
        held = nil
    }

    func append(_ intent: KeptIntent, inputs: [UInt8]) async throws(OutboxStoreError) -> Int {
        let number = await store.append(intent, inputs: inputs)
        guard number == 1 else { return number }
        await withCheckedContinuation { continuation in
            held = continuation
            waiter?.resume()
            waiter = nil
        }
        return number
    }

    func claim(_ service: String) async throws(OutboxStoreError) -> Bool { await store.claim(service) }
    func release(_ service: String) async { await store.release(service) }

    func intents(of service: String, after number: Int, limit: Int) async throws(OutboxStoreError) -> [KeptIntent] {
        await store.intents(of: service, after: number, limit: limit)
    }

    func inputs(of number: Int) async throws(OutboxStoreError) -> [UInt8]? { await store.inputs(of: number) }

    func update(_ number: Int, _ progress: IntentProgress, isSynced: Bool) async throws(OutboxStoreError) {
        await store.update(number, progress, isSynced: isSynced)
    }

    func remove(_ number: Int) async throws(OutboxStoreError) { await store.remove(number) }
}
