import ErrandOutbox
import ErrandRuntime
import ErrandTransport
import Foundation

/// A process that submits and sends letters, and may be killed at any moment.
///
///     OutboxSender FOLDER SERVER USER KINDS STEP
///
/// FOLDER has the store. KINDS has a character for each letter that it submits: k with a key, o for one that must take effect
/// at most once, and - for none. At STEP, counted from 1, it kills itself; 0 is never. It prints
/// a line for each letter that it has submitted, and ends when nothing is left to send, with a line for each letter that is left.
@main struct OutboxSender {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 6, let step = Int(arguments[5]) else { return say("?") }
        let user = arguments[3]
        let steps = StepCounter(limit: step)
        let transport = SteppedTransport(SystemTransport.make(), steps)
        let office = Office(
            server: arguments[2], on: Dispatcher(transport: transport),
            session: Session(tokens: SessionTokens(access: "token-\(user)", identity: user)))
        do {
            let store = SteppedStore(try FileOutboxStore(folder: arguments[1]), steps)
            try await submit(arguments[4], as: user, try await Outbox(of: office, in: store))
        } catch let error as OutboxStoreError {
            try await refuse(error, office)
        } catch OutboxError.store(let error) {
            try await refuse(error, office)
        }
    }

    private static func submit(_ kinds: String, as user: String, _ outbox: Outbox<Office>) async throws {
        for kind in kinds where kind != "-" {
            let isOnce = kind == "o"
            let text = "\(user)-\(isOnce ? "once" : "keyed")-\(UUID().uuidString)"
            let id = isOnce ? try await outbox.submit(Office.Stamp(text)) : try await outbox.submit(Office.Letter(text))
            // From here on, the letter must not be lost.
            say("submitted \(id) \(text)")
        }
        while outbox.entries.contains(where: { $0.state != .settled }) {
            try await Task.sleep(for: .milliseconds(2))
            // Another process may have had the right to send, and have ended.
            try await outbox.refresh()
        }
        for entry in outbox.entries { say("left \(entry.id) \(entry.reason)") }
    }

    /// Says what is wrong with the store, and sends a letter without it.
    private static func refuse(_ error: OutboxStoreError, _ office: Office) async throws {
        try await office.send(Office.Letter("at-once"))
        switch error {
        case .storageFull: say("refused storageFull")
        case .readOnly: say("refused readOnly")
        default: say("refused \(error)")
        }
    }

    /// A line in one call of the system, so that a kill leaves no half of it.
    static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}

/// Kills the process at a step.
final class StepCounter: @unchecked Sendable {
    private let lock = NSLock()
    private var left: Int

    init(limit: Int) { left = limit }

    func step() {
        lock.withLock {
            left -= 1
            if left == 0 { kill(getpid(), SIGKILL) }
        }
    }
}

/// A transport with a step before and after each request.
struct SteppedTransport: Transport {
    private let transport: any Transport
    private let steps: StepCounter

    init(_ transport: any Transport, _ steps: StepCounter) {
        self.transport = transport
        self.steps = steps
    }

    func send(_ request: TransportRequest) async throws(TransportFault) -> TransportResponse {
        steps.step()
        defer { steps.step() }
        return try await transport.send(request)
    }
}

/// A store with a step before and after each change.
struct SteppedStore: OutboxStore {
    private let store: any OutboxStore
    private let steps: StepCounter

    init(_ store: any OutboxStore, _ steps: StepCounter) {
        self.store = store
        self.steps = steps
    }

    func claim(_ service: String) async throws(OutboxStoreError) -> Bool { try await store.claim(service) }
    func release(_ service: String) async { await store.release(service) }

    func append(_ intent: KeptIntent, inputs: [UInt8]) async throws(OutboxStoreError) -> Int {
        steps.step()
        defer { steps.step() }
        return try await store.append(intent, inputs: inputs)
    }

    func intents(of service: String, after number: Int, limit: Int) async throws(OutboxStoreError) -> [KeptIntent] {
        try await store.intents(of: service, after: number, limit: limit)
    }

    func inputs(of number: Int) async throws(OutboxStoreError) -> [UInt8]? { try await store.inputs(of: number) }

    func update(_ number: Int, _ progress: IntentProgress, isSynced: Bool) async throws(OutboxStoreError) {
        steps.step()
        defer { steps.step() }
        try await store.update(number, progress, isSynced: isSynced)
    }

    func remove(_ number: Int) async throws(OutboxStoreError) {
        steps.step()
        defer { steps.step() }
        try await store.remove(number)
    }
}
