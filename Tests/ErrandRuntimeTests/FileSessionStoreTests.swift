import BankClient
import Foundation
import Testing

@testable import ErrandRuntime

/// A folder of a test's own, for its owner alone, gone when the test is.
final class SessionFolder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("errand-session-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var file: String { path + "/session.json" }
    var names: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() } }

    func write(_ bytes: some Sequence<UInt8>, mode: Int = 0o600) throws {
        _ = FileManager.default.createFile(atPath: file, contents: Data(bytes))
        try setMode(mode, of: file)
    }

    func setMode(_ mode: Int, of path: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    func mode(of path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
}

@Suite struct FileSessionStoreTests {
    private let folder: SessionFolder
    private let store: FileSessionStore
    private static let plain = #"{"access":"c4nary-token","refresh":"c4nary-refresh"}"#

    init() throws {
        folder = try SessionFolder()
        store = FileSessionStore(path: folder.file)
    }

    private var full: SessionTokens {
        var tokens = SessionTokens(access: "tök\"en\u{0}", expiresIn: 3600, refresh: "réfresh")
        tokens.expiry = Date(timeIntervalSince1970: 1_785_578_400.123456)
        tokens.service = "Bank"
        return tokens
    }

    @Test func whatIsSavedIsLoaded() async throws {
        #expect(await store.load() == nil)
        #expect(await store.problem == nil)
        for tokens in [full, SessionTokens(access: "only"), full] {
            await store.save(tokens)
            #expect(await store.problem == nil)
            #expect(await FileSessionStore(path: folder.file).load() == tokens)
        }
        await store.save(nil)
        #expect(await store.load() == nil)
        await store.save(nil)
        #expect(await store.problem == nil)
        #expect(try folder.names == ["session.json.lock"])
    }

    @Test func onlyTheOwnerMayReadIt() async throws {
        let deep = folder.path + "/a/b"
        let store = FileSessionStore(path: deep + "/session.json")
        await store.save(full)
        #expect(try folder.mode(of: deep + "/session.json") == 0o600)
        #expect(try folder.mode(of: deep) == 0o700)
        #expect(try folder.mode(of: folder.path + "/a") == 0o700)
        #expect(await store.load() == full)
    }

    @Test(arguments: [0o644, 0o640, 0o604, 0o660, 0o601])
    func aFileThatOthersMayReadIsNone(mode: Int) async throws {
        try folder.write(Self.plain.utf8, mode: mode)
        #expect(await store.load() == nil)
        #expect(await store.problem == .openToOthers(mode: mode))
        await store.save(full)
        #expect(await store.load() == full)
        #expect(try folder.mode(of: folder.file) == 0o600)
    }

    @Test func aLinkIsNotFollowed() async throws {
        let target = folder.path + "/target.json"
        try folder.write(Self.plain.utf8)
        try FileManager.default.moveItem(atPath: folder.file, toPath: target)
        try FileManager.default.createSymbolicLink(atPath: folder.file, withDestinationPath: target)
        #expect(await store.load() == nil)
        #expect(await store.problem == .symbolicLink)
        await store.save(full)
        #expect(await store.load() == full)
        // The link itself was replaced, not what it leads to.
        #expect(try String(contentsOfFile: target, encoding: .utf8) == Self.plain)
    }

    @Test func aLinkInPlaceOfTheLockIsReplaced() async throws {
        let target = folder.path + "/target"
        try FileManager.default.createSymbolicLink(atPath: folder.file + ".lock", withDestinationPath: target)
        await store.save(full)
        #expect(await store.problem == nil)
        #expect(!FileManager.default.fileExists(atPath: target))
        #expect(try folder.names == ["session.json", "session.json.lock"])
        let kind = try FileManager.default.attributesOfItem(atPath: folder.file + ".lock")[.type] as? FileAttributeType
        #expect(kind == .typeRegular)
        #expect(await store.load() == full)
    }

    /// Where the link stays, there is no lock, so the store keeps nothing.
    @Test func aLinkInPlaceOfTheLockThatStaysIsNoLock() async throws {
        try FileManager.default.createSymbolicLink(atPath: folder.file + ".lock", withDestinationPath: "target")
        // The folder's lock, which a link is replaced under, fails.
        let store = FileSessionStore(path: folder.file) { _, _ in
            errno = ENOLCK
            return -1
        }
        await store.save(full)
        #expect(await store.problem == .symbolicLink)
        await store.exclusively { _ in await store.save(full) }
        #expect(await store.problem == .symbolicLink)
        #expect(try folder.names == ["session.json.lock"])
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a file away"))
    func aFileOfAnotherUserIsNone() async throws {
        try folder.write(Self.plain.utf8)
        #expect(chown(folder.file, 65_534, 65_534) == 0)
        #expect(await store.load() == nil)
        #expect(await store.problem == .foreignOwner)
    }

    @Test func whatIsNoFileIsNone() async throws {
        #expect(mkfifo(folder.file, 0o600) == 0)
        #expect(await store.load() == nil)
        #expect(await store.problem == .notAFile)
        try FileManager.default.removeItem(atPath: folder.file)
        try FileManager.default.createDirectory(atPath: folder.file, withIntermediateDirectories: false)
        #expect(await store.load() == nil)
        await store.save(full)
        guard case .system("rename", _)? = await store.problem else {
            Issue.record("\(await store.problem as Any)")
            return
        }
        // A failed save leaves no draft.
        #expect(try folder.names == ["session.json", "session.json.lock"])
    }

    @Test func aFolderThatOthersMayWriteToKeepsNothing() async throws {
        try folder.setMode(0o777, of: folder.path)
        await store.save(full)
        #expect(await store.problem == .folderOpenToOthers(mode: 0o777))
        #expect(try folder.names.isEmpty)
        // In a folder like `/tmp`, a user can't replace the files of another user.
        try folder.setMode(0o1777, of: folder.path)
        await store.save(full)
        #expect(await store.load() == full)
    }

    /// Nothing of the folder is taken for the store's own.
    @Test(arguments: ["/", "/.", "/..", ""]) func aPathWithoutANameKeepsNothing(end: String) async throws {
        let bystander = folder.path + "/.new-1"
        _ = FileManager.default.createFile(atPath: bystander, contents: Data())
        let store = FileSessionStore(path: end.isEmpty ? "" : folder.path + end)
        await store.save(full)
        #expect(await store.problem == .notAFile)
        await store.save(nil)
        #expect(await store.load() == nil)
        #expect(try folder.names == [".new-1"])
    }

    @Test(arguments: [
        "", " ", "{}", "null", "[]", #"{"access":""}"#, #"{"access":5}"#, #"{"access":"a","refresh":7}"#,
        #"{"access":"a"} x"#, #"{"access":"a""#, "\u{FEFF}{\"access\":\"a\"}", "c4nary-token",
    ])
    func aDamagedFileIsNone(text: String) async throws {
        try folder.write(text.utf8)
        #expect(await store.load() == nil)
        #expect(await store.problem == .unreadable)
    }

    @Test func anEndlessFileIsNone() async throws {
        try folder.write([UInt8](repeating: 0x20, count: PrivateFile.maximumSize + 1))
        #expect(await store.load() == nil)
        #expect(await store.problem == .unreadable)
    }

    @Test func whatALaterVersionAddsIsSkipped() async throws {
        try folder.write(#"{"new":{"a":[1]},"access":"a","refresh":null,"expiry":null}"#.utf8)
        #expect(await store.load() == SessionTokens(access: "a"))
    }

    /// Any damage to the bytes gives a session or none, and never stops the process.
    @Test func damageNeverStopsTheProcess() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var generator = SeededGenerator(seed: seed)
        let whole = try #require(full.keptBytes)
        var survivors = 0
        for _ in 0..<5_000 {
            var bytes = whole
            for _ in 0...Int.random(in: 0..<3, using: &generator) {
                bytes[Int.random(in: bytes.indices, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            if Bool.random(using: &generator) { bytes.removeLast(Int.random(in: 1..<bytes.count, using: &generator)) }
            if let tokens = SessionTokens(kept: bytes) {
                survivors += 1
                #expect(SessionTokens(kept: tokens.keptBytes ?? []) == tokens, "seed \(seed)")
            }
        }
        #expect((1..<5_000).contains(survivors), "seed \(seed)")
    }

    /// Neither the store nor what it says of a file prints what the file holds.
    @Test(arguments: [0o600, 0o644]) func nothingIsPrinted(mode: Int) async throws {
        try folder.write(("c4nary-token" + Self.plain).utf8, mode: mode)
        #expect(await store.load() == nil)
        let problem = try #require(await store.problem)
        let session = Session(store: store)
        await session.begin(SessionTokens(access: "c4nary-token", refresh: "c4nary-refresh"))
        var dumped = "\(store) \(String(reflecting: store)) \(problem) \(String(reflecting: problem)) \(session)"
        dumped += problem.localizedDescription
        dump(store, to: &dumped)
        dump(problem, to: &dumped)
        dump(session, to: &dumped)
        #expect(!dumped.contains("c4nary"))
        let kept = try String(contentsOfFile: folder.file, encoding: .utf8)
        #expect(kept.hasPrefix(#"{"version":2,"access":"c4nary-token","refresh":"c4nary-refresh","#))
    }
}
