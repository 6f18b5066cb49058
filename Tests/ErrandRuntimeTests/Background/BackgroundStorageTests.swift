import Foundation
import Testing

@testable import ErrandBackground
@testable import ErrandRuntime

/// Transfers whose journal cannot be read or written. `FullDiskTests` has the journals without room.
@Suite(.serialized, .timeLimit(.minutes(1))) struct BackgroundStorageTests {
    private func failure<Value>(_ result: Result<Value, Attic.Failure>) -> Attic.Failure? {
        if case .failure(let failure) = result { failure } else { nil }
    }

    private func store(_ registry: TransferRegistry) async -> Result<Attic.Stored, Attic.Failure> {
        await BackgroundWorld.result { () async throws(Attic.Failure) in
            try await Attic().binding.perform(Attic.StoreAgain(), as: "one", in: registry)
        }
    }

    /// What arrives cannot be kept: not sent again, and the server may have carried it out.
    @Test func aResponseThatCannotBeKeptIsAFaultOfThisDevice() async throws {
        for isDownload in [true, false] {
            let world = try BackgroundWorld()
            await world.system.hold(true)
            let registry = world.launch()
            let task = Task {
                isDownload
                    ? failure(await fetch(world, registry)) : failure(await store(registry))
            }
            while world.system.started.isEmpty { await Task.yield() }
            // A folder has the place of the file.
            try FileManager.default.createDirectory(
                atPath: registry.receivedPath("one") + "/in the way", withIntermediateDirectories: true)
            await world.system.hold(false)
            let failed = await task.value
            #expect(failed?.context.name == "localFault", "\(String(describing: failed))")
            #expect(failed?.context.applied == (isDownload ? .never : .maybe))
            #expect(world.system.started.count == 1)
        }
    }

    private func fetch(_ world: BackgroundWorld, _ registry: TransferRegistry) async -> Result<Void, Attic.Failure> {
        await BackgroundWorld.result { () async throws(Attic.Failure) in
            try await Attic().binding.download(
                Attic.Fetch(), of: Attic.Fetch.self, to: world.place, as: "one", checksum: nil, in: registry)
        }
    }

    /// A file has the place of the journal's folder.
    @Test func aJournalThatCannotBeWrittenSendsNothing() async throws {
        let world = try BackgroundWorld()
        try Data().write(to: world.journal)
        let failed = failure(await store(world.launch()))
        #expect(failed?.context.name == "localFault" && failed?.context.applied == .never)
        #expect(failed?.context.brokenFields.map(\.name) == ["journal"])
        #expect(failed.map { "\($0)" }?.contains(world.journal.path) == false)
        #expect(world.system.started.isEmpty)
    }

    /// A record that the system does not let the app read, as while the device is locked.
    @Test func aRecordThatCannotBeReadIsKept() async throws {
        let world = try BackgroundWorld()
        try FileManager.default.createDirectory(at: world.journal, withIntermediateDirectories: true)
        // The administrator may read every file, and no one can follow a path through a file.
        let journal = TransferJournal(folder: world.journal.path + "/file")
        try Data().write(to: world.journal.appendingPathComponent("file"))
        guard case .unreadable(let problem) = journal.entry("one") else {
            Issue.record("it was read")
            return
        }
        let other = TransferRegistry(journal, TransferSystem.App(world.system, Life()), acceptsOnce: true)
        let failed = failure(await store(other))
        #expect(failed?.context.name == "localFault" && failed?.context.applied == .never)
        #expect(failed?.context.brokenFields.first?.description == "journal cannot be used: \(problem)")
        #expect(world.system.started.isEmpty)
    }
}
