import ErrandDurable
import ErrandOutbox
import ErrandRuntime
import Foundation
import GRDB
import Testing

/// The files of a store, and what becomes of them.
@Suite struct FileOutboxStoreTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var path: String { folder.path + "/outbox.sqlite" }
    private func bytes() -> Data? { FileManager.default.contents(atPath: path) }

    /// Changes the file by itself. A store that was just released may still be closing it.
    private func change(_ sql: String) throws {
        var configuration = Configuration()
        configuration.busyMode = .timeout(30)
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
        try queue.close()
    }

    @Test func theNextProcessFindsWhatWasKept() async throws {
        var intent = OutboxStoreTests.intent()
        do {
            let store = try FileOutboxStore(folder: folder.path)
            intent.number = try await store.append(intent, inputs: [1, 2, 255])
            intent.progress.state = .settled
            intent.progress.reason = .unconfirmed
            intent.progress.keyUsed = Date()
            try await store.update(intent.number, intent.progress, isSynced: false)
        }
        let next = try FileOutboxStore(folder: folder.path)
        #expect(try await next.intents(of: intent.service, after: 0, limit: 9) == [intent])
        #expect(try await next.inputs(of: intent.number) == [1, 2, 255])
    }

    @Test func theRightToSendEndsWithItsStore() async throws {
        do {
            let store = try FileOutboxStore(folder: folder.path)
            #expect(try await store.claim("Chat"))
            #expect(try await !FileOutboxStore(folder: folder.path).claim("Chat"))
            #expect(try await FileOutboxStore(folder: folder.path).claim("Bank"))
        }
        #expect(try await FileOutboxStore(folder: folder.path).claim("Chat"))
    }

    @Test func onlyTheOwnerReadsTheFiles() async throws {
        let store = try FileOutboxStore(folder: folder.path + "/new/outbox")
        _ = try await store.append(OutboxStoreTests.intent(), inputs: [1])
        #expect(try await store.claim("Chat"))
        func mode(_ path: String) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/new/outbox")
        #expect(names.count == 5)
        for name in names { #expect(try mode(folder.path + "/new/outbox/" + name) == 0o600, "\(name)") }
        #expect(try mode(folder.path + "/new/outbox") == 0o700)
    }

    @Test func aStoreOfALaterVersionIsLeftAlone() async throws {
        let intent = OutboxStoreTests.intent()
        do { _ = try await FileOutboxStore(folder: folder.path).append(intent, inputs: [4]) }
        try change("PRAGMA user_version = 3")
        let before = bytes()
        #expect(throws: OutboxStoreError.newerVersion(3)) { try FileOutboxStore(folder: folder.path) }
        #expect(bytes() == before)
        // The newer version of the app has all of it.
        try change("PRAGMA user_version = 2")
        #expect(
            try await FileOutboxStore(folder: folder.path).intents(of: intent.service, after: 0, limit: 9).count == 1)
    }

    @Test func aFileOfAnotherProgramIsLeftAlone() throws {
        try change("PRAGMA journal_mode = WAL; CREATE TABLE other (a); INSERT INTO other VALUES (1)")
        let before = bytes()
        #expect(before?.isEmpty == false)
        #expect(throws: OutboxStoreError.unreadable) { try FileOutboxStore(folder: folder.path) }
        #expect(bytes() == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["outbox.sqlite"])
    }

    /// The first version had no count of changes.
    @Test func aStoreOfTheFirstVersionIsTakenOver() async throws {
        let intent = OutboxStoreTests.intent()
        do { _ = try await FileOutboxStore(folder: folder.path).append(intent, inputs: [4]) }
        try change("DROP TABLE change; PRAGMA user_version = 1")
        try FileManager.default.removeItem(atPath: path + "-changes")
        let store = try FileOutboxStore(folder: folder.path)
        #expect(try await store.intents(of: intent.service, after: 0, limit: 9).map(\.id) == [intent.id])
        #expect(try await Self.isLossTold(by: store) == false)
    }

    // MARK: Losses

    /// What becomes of the files of a process that was killed.
    enum Accident: CaseIterable {
        case none, emptiedFile, missingFile, missingLog, emptiedLog, cutLog
    }

    private static func isLossTold(by store: FileOutboxStore) async throws -> Bool {
        let mark = Mark()
        try await store.reportLoss { await mark.set() }
        return await mark.isSet
    }

    private actor Mark {
        private(set) var isSet = false
        func set() { isSet = true }
    }

    @Test(arguments: Accident.allCases) func aLossIsToldOnce(_ accident: Accident) async throws {
        let files = FileManager.default
        let (old, place) = (folder.path + "/old", folder.path + "/new")
        let file = place + "/outbox.sqlite"
        do {
            let store = try FileOutboxStore(folder: old)
            _ = try await store.append(OutboxStoreTests.intent(), inputs: [1])
            // What is in the log alone.
            let queue = try DatabaseQueue(path: old + "/outbox.sqlite")
            try await queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(FULL)") }
            _ = try await store.append(OutboxStoreTests.intent(), inputs: [2])
            try files.copyItem(atPath: old, toPath: place)
            try files.removeItem(atPath: file + "-shm")
        }
        switch accident {
        case .none: break
        case .emptiedFile: #expect(truncate(file, 0) == 0)
        case .missingFile: try files.removeItem(atPath: file)
        case .missingLog: try files.removeItem(atPath: file + "-wal")
        case .emptiedLog: #expect(truncate(file + "-wal", 0) == 0)
        // After a checkpoint, the log begins anew: its first frame is the newest. One has more than these bytes.
        case .cutLog: #expect(truncate(file + "-wal", 4_096) == 0)
        }
        do {
            let store = try FileOutboxStore(folder: place)
            let left = try await store.intents(of: OutboxStoreTests.intent().service, after: 0, limit: 9)
            #expect(left.count == [.none: 2, .emptiedFile: 0, .missingFile: 0][accident, default: 1])
            // Whether they were sent since is lost as well.
            for intent in left {
                #expect(intent.progress.mayHaveBeenApplied == (accident != .none))
                #expect(intent.progress.keyUsed == (accident == .none ? nil : intent.submitted))
            }
            #expect(try await Self.isLossTold(by: store) == (accident != .none))
            #expect(try await Self.isLossTold(by: store) == false)
            _ = try await store.append(OutboxStoreTests.intent(), inputs: [3])
        }
        #expect(try await Self.isLossTold(by: FileOutboxStore(folder: place)) == false)
    }

    /// A loss that a process has found, and not told, is told by the next one.
    @Test func aLossIsKeptUntilItIsTold() async throws {
        do { _ = try await FileOutboxStore(folder: folder.path).append(OutboxStoreTests.intent(), inputs: [1]) }
        // The store closes its file on another thread.
        try change("PRAGMA wal_checkpoint(TRUNCATE)")
        #expect(truncate(path, 0) == 0)
        do { _ = try FileOutboxStore(folder: folder.path) }
        #expect(try await Self.isLossTold(by: FileOutboxStore(folder: folder.path)))
    }

    /// A log whose only note is that a letter was sent is missing.
    @Test func aLostNoteMakesACommandUnconfirmed() async throws {
        let (old, place) = (folder.path + "/old", folder.path + "/new")
        var intent = OutboxStoreTests.intent()
        do {
            let store = try FileOutboxStore(folder: old)
            intent.number = try await store.append(intent, inputs: [1])
            let queue = try DatabaseQueue(path: old + "/outbox.sqlite")
            try await queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(FULL)") }
            intent.progress.state = .sending
            try await store.update(intent.number, intent.progress, isSynced: true)
            try FileManager.default.copyItem(atPath: old, toPath: place)
        }
        for name in ["-wal", "-shm"] { try FileManager.default.removeItem(atPath: place + "/outbox.sqlite" + name) }
        let store = try FileOutboxStore(folder: place)
        let left = try await store.intents(of: intent.service, after: 0, limit: 9)
        #expect(left.map(\.progress.mayHaveBeenApplied) == [true])
        #expect(try await Self.isLossTold(by: store))
    }

    @Test(arguments: ["x", String(repeating: "not a database ", count: 500)])
    func aDamagedFileIsLeftAlone(text: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        #expect(throws: OutboxStoreError.unreadable) { try FileOutboxStore(folder: folder.path) }
        #expect(bytes() == Data(text.utf8))
    }

    @Test func aLinkOrAFolderInThePlaceOfTheFileIsRefused() throws {
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: folder.path + "/elsewhere")
        #expect(throws: OutboxStoreError.unreadable) { try FileOutboxStore(folder: folder.path) }
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/elsewhere"))
        #expect(throws: OutboxStoreError.self) { try FileOutboxStore(folder: "/dev/null/outbox") }
    }

    /// Pages in the middle of the file are overwritten. What lies on other pages can still be read, and a new command is kept or
    /// refused, but nothing traps.
    @Test func damageInTheMiddleIsAnError() async throws {
        let intent = OutboxStoreTests.intent()
        do {
            let store = try FileOutboxStore(folder: folder.path)
            for _ in 0..<200 { _ = try await store.append(intent, inputs: [UInt8](repeating: 5, count: 500)) }
        }
        // The commands may still be in the log of the store, which closes its file on another thread.
        try change("PRAGMA wal_checkpoint(TRUNCATE)")
        let whole = try #require(bytes())
        #expect(whole.count > 200 * 500)
        var problems: Set<OutboxStoreError> = []
        var isReadElsewhere = false
        for page in 1..<whole.count / 4_096 {
            var damaged = whole
            damaged.replaceSubrange(page * 4_096..<(page + 1) * 4_096, with: Data(repeating: 0xA5, count: 4_096))
            // Another folder each time, because the store before may still have its file open.
            let place = folder.path + "/\(page)"
            try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
            try damaged.write(to: URL(fileURLWithPath: place + "/outbox.sqlite"))
            do throws(OutboxStoreError) {
                let store = try FileOutboxStore(folder: place)
                if let inputs = try await store.inputs(of: 1), inputs.count == 500 { isReadElsewhere = true }
                _ = try await store.intents(of: intent.service, after: 0, limit: 1_000)
                _ = try await store.append(intent, inputs: [])
            } catch {
                problems.insert(error)
            }
        }
        #expect(problems == [.unreadable] && isReadElsewhere)
    }

    @Test(arguments: [
        "UPDATE intent SET effect = 'twice'", "UPDATE intent SET failures = 'many'", "UPDATE intent SET id = ''",
        "UPDATE intent SET submitted = 'today'", "UPDATE intent SET isSealed = 'maybe'", "DROP TABLE intent",
    ]) func aRowThatNoStoreHasWrittenIsAnError(sql: String) async throws {
        let intent = OutboxStoreTests.intent()
        do { _ = try await FileOutboxStore(folder: folder.path).append(intent, inputs: [4]) }
        try change(sql)
        let store = try FileOutboxStore(folder: folder.path)
        await #expect(throws: OutboxStoreError.unreadable) {
            try await store.intents(of: intent.service, after: 0, limit: 9)
        }
    }

    @Test func inputsOverTheLimitAreRefused() async throws {
        let store = try FileOutboxStore(folder: folder.path)
        await #expect(throws: OutboxStoreError.system(call: "write", code: Int(EFBIG))) {
            try await store.append(OutboxStoreTests.intent(), inputs: [UInt8](repeating: 0, count: (64 << 20) + 1))
        }
        let number = try await store.append(OutboxStoreTests.intent(), inputs: [1])
        try change("UPDATE intent SET inputs = zeroblob(\((64 << 20) + 1))")
        await #expect(throws: OutboxStoreError.unreadable) { try await store.inputs(of: number) }
    }

    /// Both processes may submit, and each letter is sent once, by the one that has the right.
    /// An app and its extension may start at the same moment, and neither has opened the store before.
    @Test func aNewStoreIsOpenedByAnyNumberAtOnce() async {
        var refused: [OutboxStoreError] = []
        for round in 0..<100 {
            refused += await withTaskGroup { [path = folder.path] group in
                for _ in 0..<4 {
                    group.addTask { () -> OutboxStoreError? in
                        do throws(OutboxStoreError) {
                            _ = try FileOutboxStore(folder: path + "/\(round)")
                            return nil
                        } catch {
                            return error
                        }
                    }
                }
                return await group.compactMap { $0 }.reduce(into: []) { $0.append($1) }
            }
        }
        #expect(refused.isEmpty)
    }

    /// Who makes the file holds the lock of the folder, and may end in the middle of it.
    @Test func aStoreIsNotReadWhileAnotherMakesIt() async throws {
        let folder = folder.path
        let lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        try #require(lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0)
        let file = folder + "/outbox.sqlite"
        try Data("SQLite".utf8).write(to: URL(fileURLWithPath: file))
        async let opened = Task.detached { try FileOutboxStore(folder: folder) }.value
        try await Task.sleep(for: .milliseconds(50))
        #expect(try Data(contentsOf: URL(fileURLWithPath: file)).count == 6)
        try FileManager.default.removeItem(atPath: file)
        close(lock)
        let store = try await opened
        #expect(try await store.claim("letters"))
    }

    @Test func twoProcessesShareAStore() throws {
        let server = try LetterServer()
        let processes = try (0..<4).map { _ in try SendingProcess(folder.path, server.url, as: "ada", kinds: "kkkkok") }
        let submitted = processes.flatMap { $0.lines().filter { $0[0] == "submitted" }.map { $0[2] } }
        let last = try SendingProcess(folder.path, server.url, as: "ada")
        #expect(last.lines().isEmpty && last.hasSucceeded)
        #expect(submitted.count == 24)
        #expect(server.ledger.keys.sorted() == submitted.sorted())
        #expect(server.ledger.values.allSatisfy { $0.count == 1 })
    }
}
