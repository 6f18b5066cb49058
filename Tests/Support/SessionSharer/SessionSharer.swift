import AuthClient
import ErrandRuntime
import Foundation

/// A process that shares the file of a session with others, for tests. Its standard input says when, its standard
/// output says what came of it, each in lines.
@main struct SessionSharer {
    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.count >= 2 else {
            return say("usage: SessionSharer renew|hold|save|cache|cached|peer <path> [<server> <clientID> <secret>]")
        }
        let store = FileSessionStore(path: arguments[1])
        switch arguments[0] {
        case "renew" where arguments.count == 5: await renew(store, arguments)
        case "renew-unlocked" where arguments.count == 5: await renew(Unlocked(store: store), arguments)
        case "hold": await store.exclusively { _ in await stay() }
        case "save": await save(store)
        case "cache" where arguments.count == 3:
            await CachingProcess(arguments[1], until: Int(arguments[2]) ?? 0).work()
        case "cached": await CachingProcess(arguments[1], until: .max).look()
        case "peer" where arguments.count == 4:
            await CachePeer(arguments[1], size: Int(arguments[2]) ?? 0, until: Int(arguments[3]) ?? .max).work()
        case "save-without-exclusion" where arguments.count == 3: await saveWithoutExclusion(arguments[1], arguments[2])
        default: say("?")
        }
    }

    /// One command per line, which renews the session if it is over.
    private static func renew(_ store: some SessionStore, _ arguments: [String]) async {
        let auth = Auth(
            .init(url: arguments[2]), session: Session(store: store), common: .init(clientID: arguments[3]),
            clientSecret: arguments[4])
        say("ready")
        while readLine() != nil {
            say(await whoAmI(auth))
        }
    }

    /// On a busy machine, a server may not respond in time. That shows nothing about the session, and is reported in the tests'
    /// output.
    private static func whoAmI(_ auth: Auth, attempts: Int = 3) async -> String {
        switch await auth.result(of: Auth.WhoAmI()) {
        case .success(let person): "person \(person.id)"
        case .failure(let failure) where failure.category == .retryable && attempts > 1:
            await again(auth, attempts: attempts - 1, after: failure)
        case .failure(let failure): "failed: \(failure)"
        }
    }

    private static func again(_ auth: Auth, attempts: Int, after failure: Auth.Failure) async -> String {
        FileHandle.standardError.write(Data("SessionSharer: once more after \(failure)\n".utf8))
        return await whoAmI(auth, attempts: attempts)
    }

    private static func stay() async {
        say("ready")
        try? await Task.sleep(for: .seconds(600))
    }

    /// Session after session, until the test ends the process.
    private static func save(_ store: FileSessionStore) async {
        for number in 1... {
            await store.save(SessionTokens(access: "access \(number)", refresh: "refresh \(number)"))
            if number == 1 { say("ready") }
        }
    }

    /// Renewals after each other, with a lock that excludes no other process. Tells the problems of all of them.
    private static func saveWithoutExclusion(_ path: String, _ count: String) async {
        let store = FileSessionStore(path: path) { _, _ in 0 }
        say("ready")
        _ = readLine()
        var problems: [String] = []
        for number in 0..<(Int(count) ?? 0) {
            await store.exclusively { _ in
                await store.save(SessionTokens(access: "access \(number)", refresh: "refresh \(number)"))
            }
            if let problem = await store.problem { problems.append(problem.description) }
        }
        say("\(problems.count) problems \(Set(problems).sorted())")
    }

    static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}

/// The file store without its lock, which shows that the tests would notice a missing lock.
private struct Unlocked: SessionStore {
    let store: FileSessionStore
    func load() async -> SessionTokens? { await store.load() }
    func save(_ tokens: SessionTokens?) async { await store.save(tokens) }
}
