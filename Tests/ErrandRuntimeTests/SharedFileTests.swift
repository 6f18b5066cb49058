import ErrandTesting
import Foundation
import Testing

@testable import ErrandRuntime

/// Stores that share a path, as those of two processes do: the lock is one of open files, not of processes.
@Suite(.overSocketsToo) struct SharedFileTests {
    private let folder: SessionFolder
    private let first: FileSessionStore
    private let second: FileSessionStore

    init() throws {
        folder = try SessionFolder()
        first = FileSessionStore(path: folder.file)
        second = FileSessionStore(path: folder.file)
    }

    @Test func aRenewalSeesWhatTheOneBeforeHasSaved() async throws {
        await first.save(SessionTokens(access: "old"))
        let (first, second) = (first, second)
        let meeting = Meeting()
        async let renewal: Void = first.exclusively { latest in
            #expect(latest == .tokens(SessionTokens(access: "old")))
            await meeting.hold()
            await first.save(SessionTokens(access: "new"))
        }
        await meeting.met()
        async let seen = second.exclusively { $0 }
        try await Task.sleep(for: .milliseconds(30))
        meeting.release()
        await renewal
        #expect(await seen == .tokens(SessionTokens(access: "new")))
        #expect(await second.problem == nil)
    }

    /// However many there are, one at a time.
    @Test func renewalsNeverOverlap() async throws {
        let path = folder.file
        let inside = LockedState<(now: Int, most: Int)> { (0, 0) }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    let store = FileSessionStore(path: path)
                    await store.exclusively { latest in
                        inside.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
                        var count = 0
                        if case .tokens(let tokens) = latest { count = Int(tokens.access) ?? 0 }
                        await Task.yield()
                        await store.save(SessionTokens(access: "\(count + 1)"))
                        inside.withLock { $0.now -= 1 }
                    }
                }
            }
        }
        #expect(inside.withLock { $0.most } == 1)
        #expect(await first.load()?.access == "20")
        #expect(try folder.names == ["session.json", "session.json.lock"])
    }

    /// A user who logs out while another process renews the session is logged out afterwards.
    @Test func aLogoutOutlastsTheRenewalOfAnotherProcess() async throws {
        let (first, second) = (first, second)
        let meeting = Meeting()
        async let renewal: Void = first.exclusively { _ in
            await meeting.hold()
            await first.save(SessionTokens(access: "new"))
        }
        await meeting.met()
        async let logout: Void = second.save(nil)
        try await Task.sleep(for: .milliseconds(30))
        meeting.release()
        await renewal
        await logout
        #expect(await first.load() == nil)
    }

    @Test func whatTheSameProcessSavesMeanwhileWaitsForNothing() async throws {
        let first = first
        let meeting = Meeting()
        async let renewal: Void = first.exclusively { _ in await meeting.hold() }
        await meeting.met()
        await first.save(SessionTokens(access: "other user"))
        #expect(await first.load()?.access == "other user")
        meeting.release()
        await renewal
    }

    @Test func aHolderThatNeverEndsIsNotWaitedForForEver() async throws {
        let first = first
        let hasty = FileSessionStore(path: folder.file, patience: .milliseconds(20))
        let meeting = Meeting()
        async let renewal: Void = first.exclusively { _ in await meeting.hold() }
        await meeting.met()
        await hasty.exclusively { _ in await hasty.save(SessionTokens(access: "new")) }
        #expect(await first.load()?.access == "new")
        await hasty.save(SessionTokens(access: "newer"))
        #expect(await hasty.problem == .busy)
        #expect(await first.load()?.access == "newer")
        meeting.release()
        await renewal
    }

    @Test func aCancelledTaskSavesNevertheless() async throws {
        let (first, second) = (first, second)
        let meeting = Meeting()
        async let renewal: Void = first.exclusively { _ in await meeting.hold() }
        await meeting.met()
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            await second.save(SessionTokens(access: "begun"))
        }
        task.cancel()
        await task.value
        #expect(await second.load()?.access == "begun")
        meeting.release()
        await renewal
    }

    /// The folder is cleared while the lock is held: the next process must not lock another file beside it.
    @Test func aRemovedLockFileIsMadeAnew() throws {
        let path = folder.file + ".lock"
        let held = try #require(try FileLock.take(path))
        #expect(try FileLock.take(path) == nil)
        try FileManager.default.removeItem(atPath: path)
        let other = try #require(try FileLock.take(path))
        #expect(try FileLock.take(path) == nil)
        held.release()
        #expect(try FileLock.take(path) == nil)
        other.release()
        let last = try #require(try FileLock.take(path))
        last.release()
    }

    // MARK: Where locks exclude no other process

    /// `flock` always succeeds, as on some network file systems. The file is then replaced by several processes at once.
    @Test func savesThatOverlapKeepTheirDrafts() async throws {
        let (path, saves) = (folder.file, 40)
        let problems = LockedState<[SessionStoreError]> { [] }
        await withTaskGroup(of: Void.self) { group in
            for number in 1...4 {
                group.addTask {
                    let store = FileSessionStore(path: path) { _, _ in 0 }
                    for save in 1...saves {
                        await store.exclusively { _ in await store.save(SessionTokens(access: "\(number)-\(save)")) }
                        if let problem = await store.problem { problems.withLock { $0.append(problem) } }
                    }
                }
            }
        }
        let found = problems.withLock { $0 }
        #expect(found.isEmpty, "\(found.count) of \(4 * saves): \(Set(found))")
        #expect(await first.load()?.access.hasSuffix("-\(saves)") == true)
        #expect(try folder.names == ["session.json", "session.json.lock"])
    }

    /// Another process may be writing the young one at this moment.
    @Test func onlyOldDraftsAreRemoved() async throws {
        for (name, age) in [("old", 3_600.0), ("young", 60)] {
            let draft = "\(folder.file).new-\(name)"
            _ = FileManager.default.createFile(atPath: draft, contents: Data())
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -age)], ofItemAtPath: draft)
        }
        await first.save(SessionTokens(access: "a"))
        #expect(try folder.names == ["session.json", "session.json.lock", "session.json.new-young"])
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -3_600)], ofItemAtPath: folder.file + ".new-young")
        await first.save(nil)
        #expect(try folder.names == ["session.json.lock"])
    }

    /// The session is kept, but two processes may renew it at the same time, and the app can say so.
    @Test func aRenewalWithoutALockSaysSo() async throws {
        let unlocked = FileSessionStore(path: folder.file) { _, _ in
            errno = ENOLCK
            return -1
        }
        let problem = SessionStoreError.system(call: "flock", code: Int(ENOLCK))
        await unlocked.exclusively { _ in
            await unlocked.save(SessionTokens(access: "new"))
            #expect(await unlocked.problem == problem)
        }
        #expect(await unlocked.problem == problem)
        await unlocked.exclusively { _ in _ = await unlocked.load() }
        #expect(await unlocked.problem == problem)
        #expect(await first.load()?.access == "new")
        await first.exclusively { _ in await first.save(SessionTokens(access: "newer")) }
        #expect(await first.problem == nil)
    }

    /// Each of them finds the link, and all but one of them wait.
    @Test func aLinkInPlaceOfTheLockStillExcludes() async throws {
        let path = folder.file
        let inside = LockedState<(now: Int, most: Int)> { (0, 0) }
        for _ in 1...10 {
            try? FileManager.default.removeItem(atPath: path + ".lock")
            try FileManager.default.createSymbolicLink(atPath: path + ".lock", withDestinationPath: "elsewhere")
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<6 {
                    group.addTask {
                        await FileSessionStore(path: path).exclusively { _ in
                            inside.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
                            await Task.yield()
                            inside.withLock { $0.now -= 1 }
                        }
                    }
                }
            }
        }
        #expect(inside.withLock { $0.most } == 1)
        #expect(try folder.names == ["session.json.lock"])
    }

    /// Only a session that was kept and is gone was ended by another process. One that could not be kept, or not be read,
    /// lives on in memory.
    @Test func whatIsMissingWasEndedOnlyWhereItWasKept() async throws {
        let (first, second) = (first, second)
        #expect(await first.exclusively { $0 } == .unknown)
        await first.save(SessionTokens(access: "a"))
        #expect(await second.exclusively { $0 } == .tokens(SessionTokens(access: "a")))
        await second.save(nil)
        #expect(await first.exclusively { $0 } == .ended)
        #expect(await second.exclusively { $0 } == .unknown)
        await first.save(SessionTokens(access: "b"))
        try folder.write("damaged".utf8)
        #expect(await first.exclusively { $0 } == .unknown)
        try folder.setMode(0o777, of: folder.path)
        await first.save(SessionTokens(access: "c"))
        try FileManager.default.removeItem(atPath: folder.file)
        #expect(await first.exclusively { $0 } == .unknown)
    }

    /// The user logs out in one process. The other one still has a refresh token that the server would take.
    @Test func aLogoutElsewhereEndsTheSessionHere() async throws {
        await first.save(SessionTokens(access: "old", refresh: "r1"))
        let transport = ScriptedTransport.scripted { request, _ in
            if request.url.hasSuffix("/refresh") { return .json(200, #"{"access":"new"}"#) }
            return request.url.hasSuffix("token=new") ? .json(200, "") : .json(401, "")
        }
        let session = Session(store: first)
        let shop = Shop(on: Dispatcher(transport: transport), session: session)
        _ = await session.current()
        #expect(session.tokens?.refresh == "r1")
        await second.save(nil)
        guard case .failure(let fault) = await shop.result(of: Shop.Ping()) else {
            Issue.record("it succeeded")
            return
        }
        #expect(fault.kind == .sessionEnded)
        #expect(session.tokens == nil)
        #expect(await second.load() == nil)
        #expect(transport.paths == ["GET /ping"])
    }

    /// Two sessions that share a store: one of them renews, the other one takes that over.
    @Test func oneRefreshDoesForAll() async throws {
        await first.save(SessionTokens(access: "old", refresh: "r1"))
        let tokens = LockedState<(refresh: Int, refused: Int)> { (1, 0) }
        let transport = ScriptedTransport.scripted { request, _ in
            guard request.url.hasSuffix("/refresh") else {
                return request.url.hasSuffix("token=new") ? .json(200, "") : .json(401, "")
            }
            let sent = String(decoding: request.body ?? [], as: UTF8.self)
            let number = tokens.withLock { tokens -> Int? in
                guard sent == "refresh_token=r\(tokens.refresh)" else {
                    tokens.refused += 1
                    return nil
                }
                tokens.refresh += 1
                return tokens.refresh
            }
            try? await Task.sleep(for: .milliseconds(5))
            guard let number else { return .json(400, "") }
            return .json(200, #"{"access":"new","refresh":"r\#(number)"}"#)
        }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                // Clocks that sleep in earnest, since the lock is a real one.
                let shop = Shop(
                    on: Dispatcher(transport: transport), session: Session(store: FileSessionStore(path: folder.file)))
                group.addTask {
                    if case .failure(let fault) = await shop.result(of: Shop.Ping()) { Issue.record(fault) }
                }
            }
        }
        #expect(tokens.withLock { $0.refresh } == 2)
        #expect(tokens.withLock { $0.refused } == 0)
        #expect(await first.load()?.refresh == "r2")
    }
}
