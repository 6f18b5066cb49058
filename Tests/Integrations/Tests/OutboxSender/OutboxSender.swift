import ErrandDurable
import ErrandOutbox
import ErrandRuntime
import ErrandTransport
import Foundation

/// A process that submits and sends letters, and may be killed at any moment.
///
///     OutboxSender FOLDER SERVER USER KINDS STEP
///
/// FOLDER has the store. KINDS has a character for each letter that it submits: k with a key, o for one that must take effect
/// at most once, and - for none. With w, it wears the store out on a full disk, and sends nothing. At STEP, counted from 1, it kills itself; 0 is never. It prints
/// a line for each letter that it has submitted, and ends when nothing is left to send, with a line for each letter that is left. It
/// also prints that the store has lost letters.
@main struct OutboxSender {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 6, let step = Int(arguments[5]) else { return say("?") }
        if arguments[4] == "w" { return try await wear(arguments[1]) }
        let user = arguments[3]
        let steps = StepCounter(limit: step)
        let transport = SteppedTransport(SystemTransport.make(), steps)
        let office = Office(
            server: arguments[2], on: Dispatcher(transport: transport, responder: Teller()),
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

    /// Keeps letters, fills the disk, and notes one attempt after the other.
    private static func wear(_ folder: String) async throws {
        let store = try FileOutboxStore(folder: folder)
        let now = Date()
        var progress = IntentProgress(state: .waiting, reason: .submitted, since: now)
        var numbers: [Int] = []
        for _ in 0..<20 {
            let intent = KeptIntent(
                number: 0, id: UUID(), service: "Office", endpoint: "letter", fingerprint: "1", effect: .once,
                owner: nil, lane: nil, submitted: now, expires: now + 1_000, key: nil, isSealed: false,
                progress: progress)
            numbers.append(try await store.append(intent, inputs: [UInt8](repeating: 7, count: 700)))
        }
        let filler = open(folder + "/filler", O_WRONLY | O_CREAT, 0o600)
        for size in [65_536, 1] { while write(filler, [UInt8](repeating: 1, count: size), size) > 0 {} }
        var failures = 0
        func note(_ change: () async throws -> Void) async {
            do { try await change() } catch { failures += 1 }
        }
        for attempt in 0..<3_000 {
            progress.failure = String(repeating: "x", count: attempt % 50)
            await note { try await store.update(numbers[attempt % 20], progress, isSynced: attempt % 100 == 0) }
        }
        for number in numbers { await note { try await store.remove(number) } }
        say("worn \(failures)")
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

/// Says that the store has lost letters.
struct Teller: Responder {
    func respond(to incident: Incident) async -> IncidentAnswer {
        if incident.name == "LostCommands" { OutboxSender.say("lost") }
        return .fail
    }
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

    func reportLoss(_ tell: @Sendable () async -> Void) async throws(OutboxStoreError) {
        try await store.reportLoss(tell)
    }

    func remove(_ number: Int) async throws(OutboxStoreError) {
        steps.step()
        defer { steps.step() }
        try await store.remove(number)
    }
}
