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

/// A process whose reads are cached in a folder, and that ends itself at one of the changes of the disk. It says what it knows by then:
/// `written 3` and `read ada 3`, and `out` after a logout.
struct CachingProcess {
    private let folder: String
    private let bank: Bank
    private let changes: LockedState<Int>

    /// - Parameters:
    ///   - folder: gets the cache, the session, and the data of the server.
    ///   - last: the number of the change before which the process ends.
    init(_ folder: String, until last: Int) {
        self.folder = folder
        let changes = LockedState { 0 }
        self.changes = changes
        let kept = HTTPCacheFolder(path: folder + "/cache", maximumSize: 1 << 20).calling {
            let number = changes.withLock { count in
                count += 1
                return count
            }
            if number >= last { kill(getpid(), SIGKILL) }
        }
        bank = Bank(
            on: Dispatcher(
                transport: Shelf(path: folder + "/server"), settings: DispatcherSettings(cacheFolder: kept)),
            session: Session(store: FileSessionStore(path: folder + "/session")))
    }

    /// Reads, writes and logins, until the process ends itself.
    func work() async {
        for (round, user) in ["ada", "eve", "ada"].enumerated() {
            await bank.binding.session.begin(SessionTokens(access: "\(user)-\(round)", identity: user))
            SessionSharer.say("in \(user)-\(round)")
            for _ in 0..<2 {
                await read()
                if case .success = await bank.result(of: Turn()) { SessionSharer.say("written") }
                await read()
            }
            await bank.binding.session.end()
            SessionSharer.say("out")
        }
        await bank.binding.session.begin(SessionTokens(access: "bob-3", identity: "bob"))
        SessionSharer.say("in bob-3")
        await read()
        SessionSharer.say("done \(changes.withLock { $0 })")
    }

    /// What is read without a server.
    func look() async {
        _ = FileManager.default.createFile(atPath: folder + "/server.down", contents: nil)
        await read()
    }

    private func read() async {
        switch await bank.result(of: Peek()) {
        case .success(let text): SessionSharer.say("read \(text)")
        case .failure(let failure): SessionSharer.say("no \(failure.context.name)")
        }
    }
}

/// A server whose data is a number in a file, which each write increases. A response has the token of its request and the number.
private struct Shelf: Transport {
    let path: String

    func send(_ request: TransportRequest) async throws(TransportFault) -> TransportResponse {
        if FileManager.default.fileExists(atPath: path + ".down") {
            throw TransportFault(.offline, evidence: .notSent)
        }
        var number = (try? String(contentsOfFile: path, encoding: .utf8)).flatMap { Int($0) } ?? 0
        if request.method != .get {
            number += 1
            try? "\(number)".write(toFile: path, atomically: true, encoding: .utf8)
            return TransportResponse(status: 204, headers: [:], body: [])
        }
        let token = request.headers["Authorization"]?.split(separator: " ").last ?? ""
        return TransportResponse(
            status: 200, headers: ["Cache-Control": "max-age=1000", "Content-Type": "application/json"],
            body: Array("\"\(token) \(number)\"".utf8))
    }
}

private struct Peek: Command {
    typealias Service = Bank
    typealias Failure = CommandFault
    typealias Response = String
    static let endpoint = EndpointDescription(
        Bank.service, "peek", .get, effect: .read, session: .required, cache: CacheRule(offline: .seconds(60)))
    func encode(into request: inout RequestEncoder) { request.path("/shelves/1") }
    static func load(from reader: inout JSONReader) -> String? { reader.readString() }
}

private struct Turn: Command {
    typealias Service = Bank
    typealias Failure = CommandFault
    typealias Response = Void
    static let endpoint = EndpointDescription(
        Bank.service, "turn", .put, effect: .idempotent, session: .required, response: .none)
    func encode(into request: inout RequestEncoder) { request.path("/shelves/1") }
}
