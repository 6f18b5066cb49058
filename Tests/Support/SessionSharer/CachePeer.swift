import BankClient
import ErrandRuntime
import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A process that shares the folder of a cache, the session and the server with another one. Each line of its input is a step, and
/// it says what came of it.
final class CachePeer: Sendable {
    private let folder: String
    private let kept: HTTPCacheFolder
    private let gate = Gate()
    private let bank: LockedState<Bank>

    /// - Parameters:
    ///   - folder: gets the cache, the session, and the data of the server.
    ///   - size: of the cache on the disk, in bytes.
    ///   - last: the number of the change of the disk before which the process ends.
    init(_ folder: String, size: Int, until last: Int) {
        self.folder = folder
        let changes = LockedState { 0 }
        let kept = HTTPCacheFolder(path: folder + "/cache", maximumSize: size).calling {
            let number = changes.withLock { count in
                count += 1
                return count
            }
            if number >= last { kill(getpid(), SIGKILL) }
        }
        self.kept = kept
        let gate = gate
        bank = LockedState { Self.bank(folder, kept, gate) }
    }

    /// A client with nothing in memory, as a new process has it.
    private static func bank(_ folder: String, _ kept: HTTPCacheFolder, _ gate: Gate) -> Bank {
        Bank(
            on: Dispatcher(
                transport: Shelves(folder: folder, gate: gate), settings: DispatcherSettings(cacheFolder: kept)),
            session: Session(store: FileSessionStore(path: folder + "/session")))
    }

    /// Does as it is told, until its input ends.
    func work() async {
        SessionSharer.say("ready")
        var underWay: Task<String, Never>?
        for await line in Self.input {
            let words = line.split(separator: " ").map(String.init)
            let name = words.count > 1 ? words[1] : ""
            switch words.first {
            case "login":
                let tokens = SessionTokens(access: name, identity: String(name.prefix { $0 != "-" }))
                await current.binding.session.begin(tokens)
                SessionSharer.say("in")
            case "logout":
                await current.binding.session.end()
                SessionSharer.say("out")
            case "forget":
                bank.withLock { $0 = Self.bank(folder, kept, gate) }
                SessionSharer.say("forgotten")
            case "read": SessionSharer.say(await read(name))
            case "fill":
                for number in 0..<(words.last.flatMap { Int($0) } ?? 0) { _ = await read("\(name)\(number)") }
                SessionSharer.say("filled")
            case "hold":
                gate.close()
                underWay = Task { await read(name) }
            case "release":
                gate.open()
                SessionSharer.say(await underWay?.value ?? "nothing was held")
            case "write": SessionSharer.say(await told(Turn(shelf: name)))
            case "refuse":
                _ = FileManager.default.createFile(atPath: Shelves.refusal(of: name, in: folder), contents: nil)
                SessionSharer.say("refused")
            case "clear": SessionSharer.say(await told(TurnAll()))
            default: SessionSharer.say("? \(line)")
            }
        }
    }

    /// The lines of the input. They are waited for on a thread of their own, beside commands that are under way.
    private static var input: AsyncStream<String> {
        AsyncStream { continuation in
            Thread.detachNewThread {
                while let line = readLine() { continuation.yield(line) }
                continuation.finish()
            }
        }
    }

    private var current: Bank { bank.withLock { $0 } }

    private func told<C: Command>(_ command: C) async -> String where C.Service == Bank, C.Response == Void {
        switch await current.result(of: command) {
        case .success: "written"
        case .failure(let failure): "no \(failure.context.name)"
        }
    }

    /// `read TOKEN NUMBER new`, or the reason for which the cache has it in place of `new`.
    private func read(_ shelf: String) async -> String {
        do {
            let reply = try await current.reply(to: Peek(shelf: shelf))
            let words = reply.value.split(separator: " ").prefix(2).joined(separator: " ")
            return "read \(words) \(reply.cached?.basis.rawValue ?? "new")"
        } catch {
            return "no \(error.context.name)"
        }
    }
}

/// Holds responses back until it is opened.
private final class Gate: Sendable {
    private struct State {
        var isClosed = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }
    private let state = LockedState { State() }

    func close() { state.withLock { $0.isClosed = true } }

    func open() {
        let waiting = state.withLock { state in
            defer { state = State() }
            return state.waiting
        }
        for one in waiting { one.resume() }
    }

    func pass() async {
        await withCheckedContinuation { continuation in
            let isClosed = state.withLock { state in
                if state.isClosed { state.waiting.append(continuation) }
                return state.isClosed
            }
            if isClosed { SessionSharer.say("under way") } else { continuation.resume() }
        }
    }
}

/// A server for all processes. The number of a shelf is the size of a file, which each write makes longer by a byte: so two processes
/// lose no write. A response has the token of its request and the number, and one of a shelf `big…` takes 20 KB.
private struct Shelves: Transport {
    let folder: String
    let gate: Gate

    /// Those that a write to all of them changes.
    private static let all = 0..<3

    func send(_ request: TransportRequest) async throws(TransportFault) -> TransportResponse {
        let shelf = request.url.split(separator: "/").last.map(String.init) ?? ""
        guard request.method == .get else {
            for name in request.method == .put ? [shelf] : Self.all.map(String.init) { increase(name) }
            return TransportResponse(status: 204, headers: [:], body: [])
        }
        guard let token = request.headers["Authorization"]?.split(separator: " ").last else {
            return TransportResponse(status: 401, headers: [:], body: [])
        }
        if FileManager.default.fileExists(atPath: Self.refusal(of: String(token), in: folder)) {
            return TransportResponse(status: 401, headers: [:], body: [])
        }
        let attributes = try? FileManager.default.attributesOfItem(atPath: path(shelf))
        let rest = shelf.hasPrefix("big") ? " " + String(repeating: "a", count: 20 << 10) : ""
        let text = "\"\(token) \(attributes?[.size] as? Int ?? 0)\(rest)\""
        await gate.pass()
        return TransportResponse(
            status: 200, headers: ["Cache-Control": "max-age=1000", "Content-Type": "application/json"],
            body: Array(text.utf8))
    }

    /// The file that says that a token is refused.
    static func refusal(of token: String, in folder: String) -> String { "\(folder)/refused-\(token)" }

    private func path(_ shelf: String) -> String { "\(folder)/shelf-\(shelf)" }

    private func increase(_ shelf: String) {
        let descriptor = open(path(shelf), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return SessionSharer.say("the server has failed") }
        var byte: UInt8 = 0
        if write(descriptor, &byte, 1) != 1 { SessionSharer.say("the server has failed") }
        close(descriptor)
    }
}

private struct Peek: Command {
    typealias Service = Bank
    typealias Failure = CommandFault
    typealias Response = String
    let shelf: String
    static let endpoint = EndpointDescription(
        Bank.service, "peek", .get, effect: .read, session: .required, cache: CacheRule())
    func encode(into request: inout RequestEncoder) {
        request.path("/shelves/")
        request.segment(shelf)
    }
    static func load(from reader: inout JSONReader) -> String? { reader.readString() }
}

private struct Turn: Command {
    typealias Service = Bank
    typealias Failure = CommandFault
    typealias Response = Void
    let shelf: String
    static let endpoint = EndpointDescription(
        Bank.service, "turn", .put, effect: .idempotent, session: .required, response: .none)
    func encode(into request: inout RequestEncoder) {
        request.path("/shelves/")
        request.segment(shelf)
    }
}

/// Changes what the reads read, at another URL.
private struct TurnAll: Command {
    typealias Service = Bank
    typealias Failure = CommandFault
    typealias Response = Void
    static let endpoint = EndpointDescription(
        Bank.service, "turnAll", .post, effect: .once, session: .required, response: .none, clears: ["peek"])
    func encode(into request: inout RequestEncoder) { request.path("/turns") }
}
