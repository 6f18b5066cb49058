import ErrandTransport
import ErrandTransportConformance
import Foundation
import Testing

@testable import ErrandBackground
@testable import ErrandRuntime

/// How a later process continues commands whose attempts outlast the process.
@Suite(.serialized, .timeLimit(.minutes(1))) struct BackgroundCommandTests {
    private func send<C: Storing>(
        _ command: C, as id: String = "one", _ registry: TransferRegistry, _ attic: Attic = Attic()
    ) async -> Result<Attic.Stored, Attic.Failure> {
        await BackgroundWorld.result { () async throws(Attic.Failure) in
            try await attic.binding.perform(command, as: id, in: registry)
        }
    }

    private func failure<Value>(_ result: Result<Value, Attic.Failure>) -> Attic.Failure? {
        if case .failure(let failure) = result { failure } else { nil }
    }

    /// A connection ends with the process, so a transfer cannot take its place.
    @Test func aCommandOverAConnectionIsRefused() async throws {
        let world = try BackgroundWorld()
        let server = ScriptedMessages { frame, line in line.reply(to: frame, #"{"is":5}"#) }
        let parlor = Parlor(server)
        do throws(Parlor.Failure) {
            _ = try await parlor.binding.perform(Parlor.Ask(of: 3), as: "one", in: world.launch())
            Issue.record("it was carried out")
        } catch {
            #expect(error.context.name == "invalidRequest", "\(error)")
            #expect(error.context.brokenFields.map(\.name) == ["connection"])
        }
        #expect(server.frames.isEmpty && world.requests.isEmpty)
    }

    // MARK: The result

    @Test func aLaterProcessGetsTheTypedResult() async throws {
        let world = try BackgroundWorld()
        await world.sendAndEnd(Attic.StoreOnce(), as: "one")
        await world.system.hold(false)
        let registry = world.launch()
        #expect(registry.transfers.map(\.id) == ["one"])
        for _ in 1...2 { #expect(try await send(Attic.StoreOnce(), registry).get() == Attic.Stored(number: 4)) }
        #expect(world.requests.count == 1, "what may have taken effect is kept until the app forgets it")
        await registry.forget("one")
        #expect(world.files == [])
        _ = try await send(Attic.StoreOnce(), registry).get()
        #expect(world.requests.count == 2)
    }

    /// A response of a gigabyte has ten thousands of parts. The journal is read for the first one.
    @Test func aResponseComesInParts() async throws {
        let world = try BackgroundWorld()
        await world.sendAndEnd(Attic.StoreAgain(), as: "one")
        let registry = world.launch()
        let name = try #require(world.system.started.last).name
        let record = try Data(contentsOf: URL(fileURLWithPath: world.recordFile("one")))
        func received() -> [UInt8]? {
            FileManager.default.contents(atPath: registry.receivedPath("one")).map(Array.init)
        }
        #expect(registry.append([1, 2], of: name, isFirst: true))
        try FileManager.default.removeItem(atPath: world.recordFile("one"))
        #expect(registry.append([3], of: name, isFirst: false))
        #expect(registry.append([9], of: TransferName(id: "one", attempt: "earlier"), isFirst: false))
        #expect(received() == [1, 2, 3])
        // More than the record allows.
        #expect(!registry.append([UInt8](repeating: 0, count: 64 << 20), of: name, isFirst: false))
        let isBack = FileManager.default.createFile(
            atPath: world.recordFile("one"), contents: record, attributes: [.posixPermissions: 0o600])
        #expect(isBack)
        registry.end(name, .response(status: 201, [:]))
        // What comes after the end belongs to no response.
        #expect(registry.append([4], of: name, isFirst: false))
        #expect(received() == [1, 2, 3])
    }

    @Test func itWaitsForATaskThatTheSystemHas() async throws {
        let world = try BackgroundWorld()
        await world.sendAndEnd(Attic.StoreAgain(), as: "one")
        let registry = world.launch()
        async let result = send(Attic.StoreAgain(), registry)
        try await Task.sleep(for: .milliseconds(20))
        #expect(world.requests.isEmpty)
        await world.system.hold(false)
        #expect(try await result.get().number == 4)
        #expect(world.system.started.count == 1)
        #expect(world.files == [], "nothing is left of what can be sent twice")
    }

    @Test func theLateEndOfAnEarlierAttemptIsIgnored() async throws {
        let world = try BackgroundWorld()
        await world.system.hold(true)
        let registry = world.launch()
        async let result = send(Attic.StoreAgain(), registry)
        while world.system.started.isEmpty { await Task.yield() }
        registry.end(TransferName(id: "one", attempt: "an earlier one"), .fault(.lost, .sent))
        #expect(registry.transfers.map(\.isFinished) == [false])
        await world.system.hold(false)
        #expect(try await result.get().number == 4)
    }

    @Test func aDeclaredErrorIsOneAfterARelaunchToo() async throws {
        let world = try BackgroundWorld { _, _ in .response(409, ["Set-Cookie": "a=SECRET"], Array("7".utf8)) }
        await world.sendAndEnd(Attic.StoreOnce(), as: "one")
        await world.system.hold(false)
        guard case .full(let details)? = failure(await send(Attic.StoreOnce(), world.launch())) else {
            Issue.record("another failure")
            return
        }
        #expect(details.data == 7)
        #expect(details.context.category == .nonRetryable && details.context.status == 409)
        #expect(world.files == [], "it was not carried out: the same id may be tried again")
    }

    /// The system follows redirects by itself. What the other place says is not about the first one, after a relaunch either.
    @Test(arguments: [409, 503], [true, false])
    func theEndAfterARedirectLeavesItOpen(status: Int, isRelaunched: Bool) async throws {
        let world = try BackgroundWorld()
        await world.sendAndEnd(Attic.StoreOnce(), as: "one")
        var registry = world.launch()
        let name = try #require(world.system.started.last).name
        registry.end(name, .response(status: status, [:]), redirectedTo: "https://other.example/?token=s3cret")
        let record = try Data(contentsOf: URL(fileURLWithPath: world.recordFile("one")))
        #expect(!String(decoding: record, as: UTF8.self).contains("s3cret"))
        if isRelaunched { registry = world.launch() }
        guard case .unconfirmed(let receipt)? = failure(await send(Attic.StoreOnce(), registry)) else {
            Issue.record("another failure")
            return
        }
        #expect(receipt.context.applied == .maybe && receipt.cause.status == status)
        #expect(world.system.started.count == 1)
    }

    @Test func aRetryableFailureIsSentAgainAfterARelaunch() async throws {
        let world = try BackgroundWorld { _, number in number < 3 ? .response(503, [:], []) : .stored }
        await world.sendAndEnd(Attic.StoreAgain(), as: "one")
        await world.system.hold(false)
        #expect(try await send(Attic.StoreAgain(), world.launch()).get().number == 4)
        #expect(world.requests.count == 3)
    }

    @Test func theAttemptsOfAllProcessesCount() async throws {
        let world = try BackgroundWorld { _, _ in .response(503, [:], []) }
        await world.sendAndEnd(Attic.StoreAgain(), as: "one")
        await world.system.hold(false)
        let failed = failure(await send(Attic.StoreAgain(), world.launch()))
        #expect(failed?.context.name == "busy" && failed?.context.attempts == 3)
        #expect(world.requests.count == 3)
    }

    @Test func theResultIsThereWithoutTheInputs() async throws {
        let world = try BackgroundWorld { _, number in number == 1 ? .stored : .response(503, [:], []) }
        await world.sendAndEnd(Attic.StoreOnce(), as: "one")
        await world.system.hold(false)
        let registry = world.launch()
        let stored = await BackgroundWorld.result { () async throws(Attic.Failure) in
            try await Attic().binding.resume(Attic.StoreOnce.self, as: "one", in: registry)
        }
        #expect(try stored.get().number == 4)
        await world.sendAndEnd(Attic.StoreAgain(), as: "two")
        await world.system.hold(false)
        let later = world.launch()
        let failed = await BackgroundWorld.result { () async throws(Attic.Failure) in
            try await Attic().binding.resume(Attic.StoreAgain.self, as: "two", in: later)
        }
        #expect(failure(failed)?.context.name == "busy")
        #expect(world.requests.count == 2, "without its inputs, nothing is sent again")
        let unknown = await BackgroundWorld.result { () async throws(Attic.Failure) in
            try await Attic().binding.resume(Attic.StoreAgain.self, as: "three", in: later)
        }
        #expect(failure(unknown)?.context.brokenFields.first?.description == "id is the id of no transfer")
    }

    // MARK: What is not known

    @Test func anUploadThatIsNotKnownAnyMoreIsUnconfirmed() async throws {
        let world = try BackgroundWorld()
        await world.sendAndEnd(Attic.StoreOnce(), as: "one")
        world.system.forgetAll()
        let registry = world.launch()
        for _ in 1...2 {
            guard case .unconfirmed? = failure(await send(Attic.StoreOnce(), registry)) else {
                Issue.record("it is not unconfirmed")
                return
            }
        }
        #expect(world.system.started.count == 1)
        await registry.forget("one")
        await world.system.hold(false)
        #expect(try await send(Attic.StoreOnce(), registry).get().number == 4)
    }

    @Test func aKeyedCommandIsSentAgainWithItsKey() async throws {
        let world = try BackgroundWorld()
        await world.sendAndEnd(Attic.StoreKeyed(), as: "one")
        world.system.forgetAll()
        await world.system.hold(false)
        _ = try await send(Attic.StoreKeyed(), world.launch()).get()
        let keys = world.system.started.map { $0.request.headers["Idempotency-Key"] }
        #expect(keys.count == 2 && keys[0] != nil && keys[0] == keys[1])
    }

    /// A device corrects its date. The key is then a minute older at most than the dates say, and after a larger change it is as good as
    /// forgotten.
    @Test(arguments: [(0, 2), (-2, 2), (-60, 2), (-61, 1)])
    func aKeySurvivesACorrectionOfTheDate(_ change: Double, _ requests: Int) async throws {
        let world = try BackgroundWorld()
        let used = Date(timeIntervalSince1970: 1_785_578_400)
        await world.sendAndEnd(Attic.StoreKeyed(), as: "one", from: Attic(wallTime: { used }))
        world.system.forgetAll()
        await world.system.hold(false)
        let result = await send(
            Attic.StoreKeyed(), world.launch(), Attic(wallTime: { used.addingTimeInterval(change) }))
        #expect(world.system.started.count == requests)
        if requests == 1, case .unconfirmed? = failure(result) { return }
        #expect(requests == 2 && failure(result) == nil)
    }

    @Test func aDamagedRecordNeverSendsTwice() async throws {
        let world = try BackgroundWorld()
        await world.sendAndEnd(Attic.StoreOnce(), as: "one")
        let whole = try #require(FileManager.default.contents(atPath: world.recordFile("one")))
        for count in 0..<whole.count {
            try Data(whole.prefix(count)).write(to: URL(fileURLWithPath: world.recordFile("one")))
            chmod(world.recordFile("one"), 0o600)
            for _ in 1...2 {
                guard case .unconfirmed? = failure(await send(Attic.StoreOnce(), world.launch())) else {
                    Issue.record("cut after \(count) bytes, it is not unconfirmed")
                    return
                }
            }
        }
        #expect(world.system.started.count == 1)
    }

    @Test func aRecordOfANewerVersionStays() async throws {
        let world = try BackgroundWorld()
        await world.sendAndEnd(Attic.StoreAgain(), as: "one")
        let newer = Data(#"{"version":2,"id":5}"#.utf8)
        try newer.write(to: URL(fileURLWithPath: world.recordFile("one")))
        chmod(world.recordFile("one"), 0o600)
        let failed = failure(await send(Attic.StoreAgain(), world.launch()))
        #expect(failed?.context.name == "invalidRequest")
        #expect(failed?.context.brokenFields.first?.reason.contains("newer version") == true)
        #expect(FileManager.default.contents(atPath: world.recordFile("one")) == newer)
        #expect(world.system.started.count == 1)
    }

    @Test func aLostJournalDoesNotSendTwice() async throws {
        let world = try BackgroundWorld()
        await world.sendAndEnd(Attic.StoreOnce(), as: "one")
        try FileManager.default.removeItem(at: world.journal)
        for _ in 1...2 {
            guard case .unconfirmed? = failure(await send(Attic.StoreOnce(), world.launch())) else {
                Issue.record("it is not unconfirmed")
                return
            }
        }
    }

    @Test func anAnswerWhoseFileIsGoneIsLost() async throws {
        let world = try BackgroundWorld { _, _ in .file }
        await world.downloadAndEnd(as: "one")
        let registry = world.launch()
        await world.system.hold(false)
        #expect(registry.transfers.map(\.isFinished) == [true])
        for name in world.files where name.hasSuffix(".received") {
            try FileManager.default.removeItem(at: world.journal.appendingPathComponent(name))
        }
        try await Attic().binding.download(
            Attic.Fetch(), of: Attic.Fetch.self, to: world.place, as: "one", checksum: nil, in: registry)
        #expect(world.folder.bytes("box") == Array("the box !".utf8))
        #expect(world.requests.count == 2)
    }

    // MARK: Ids

    @Test func anIdIsOfOneCommand() async throws {
        let world = try BackgroundWorld()
        await world.sendAndEnd(Attic.StoreAgain(), as: "one")
        let registry = world.launch()
        for result in [
            await send(Attic.StoreOnce(), registry), await send(Attic.StoreAgain(name: "chest"), registry),
        ] {
            let broken = failure(result)?.context.brokenFields.first?.description
            #expect(broken == "id is the id of another command's transfer")
        }
        async let first = send(Attic.StoreAgain(), registry)
        try await Task.sleep(for: .milliseconds(20))
        let second = failure(await send(Attic.StoreAgain(), registry))
        #expect(second?.context.brokenFields.first?.reason == "is the id of a transfer that is being carried out")
        await world.system.hold(false)
        #expect(try await first.get().number == 4)
        for id in ["", String(repeating: "é", count: 51)] {
            let failed = failure(await send(Attic.StoreAgain(), as: id, registry))
            #expect(failed?.context.brokenFields.first?.name == "id")
        }
        #expect(world.requests.count == 1)
    }

    @Test func whatMustHappenOnceIsRefusedWhereTheSystemMayRepeatIt() async throws {
        let world = try BackgroundWorld()
        let failed = failure(await send(Attic.StoreOnce(), world.launch(acceptsOnce: false)))
        #expect(failed?.context.name == "invalidRequest" && failed?.context.brokenFields.first?.name == "effect")
        #expect(world.system.started.isEmpty && world.files.isEmpty)
    }

    @Test func aCancelledTaskEndsTheTransfer() async throws {
        let world = try BackgroundWorld()
        await world.system.hold(true)
        let registry = world.launch()
        for (isOnce, wanted) in [(false, "cancelled"), (true, "unconfirmed")] {
            let count = world.system.started.count
            let task = Task {
                isOnce
                    ? await send(Attic.StoreOnce(), as: wanted, registry)
                    : await send(Attic.StoreAgain(), as: wanted, registry)
            }
            while world.system.started.count == count { await Task.yield() }
            task.cancel()
            #expect(failure(await task.value)?.context.name == wanted)
        }
        await world.system.hold(false)
        #expect(world.requests.isEmpty, "the system was told")
    }

    // MARK: What an app hears

    @Test func itsProgressEndsWithIt() async throws {
        let world = try BackgroundWorld()
        await world.system.hold(true)
        let registry = world.launch()
        let progress = registry.progress(of: "one")
        async let result = send(Attic.StoreOnce(), registry)
        while world.system.started.isEmpty { await Task.yield() }
        registry.note(bytes: 3, total: 7, of: world.system.started[0].name)
        #expect(progress.current == TransferState(bytes: 3, total: 7))
        registry.note(bytes: 1, total: 7, of: world.system.started[0].name)
        #expect(progress.current == TransferState(bytes: 1, total: 7, restarts: 1))
        await world.system.hold(false)
        _ = try await result.get()
        for await _ in progress {}
        #expect(registry.transfers.map(\.isFinished) == [true])
    }

    @Test func eachWaitForEventsEndsOnce() async throws {
        let registry = try BackgroundWorld().launch()
        registry.noteEventsDelivered()
        await registry.waitForEvents()
        let isOver = LockedState { false }
        let task = Task {
            await registry.waitForEvents()
            isOver.withLock { $0 = true }
        }
        try await Task.sleep(for: .milliseconds(20))
        #expect(!isOver.withLock { $0 }, "what was told before is not told again")
        registry.noteEventsDelivered()
        await task.value
    }

    /// The same with bytes over a socket. The system sends with a transport, and no process of the app runs when the response
    /// arrives.
    @Test func theBytesOfARealServerAreTakenUp() async throws {
        let server = try RawServer { connection, _ in
            guard let request = connection.readRequest() else { return }
            let body = request.hasPrefix("POST") ? #"{"number":12}"# : "bytes of a server"
            connection.write(
                "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)")
        }
        let folder = try Folder()
        let transport = SystemTransport.make()
        let system = TransferSystem(folder.url) { request, body in
            var request = request
            if request.method == .post { request.body = body }
            request.streamsResponse = false
            do throws(TransportFault) {
                let response = try await transport.send(request)
                return .response(response.status, response.headers, response.body)
            } catch {
                return .fault(error.kind, error.evidence)
            }
        }
        let journal = folder.url.appendingPathComponent("journal")
        let attic = Attic(server.url)
        await system.hold(true)
        let life = Life()
        let first = TransferSystem.App(system, life).makeRegistry(journal)
        let tasks: [Task<Void, Never>] = [
            Task { _ = await send(Attic.StoreOnce(), as: "upload", first, attic) },
            Task { [folder] in
                try? await attic.binding.download(
                    Attic.Fetch(), of: Attic.Fetch.self, to: folder.url.appendingPathComponent("box").path,
                    as: "download", checksum: nil, in: first)
            },
        ]
        while system.started.count < 2 { await Task.yield() }
        life.end()
        for task in tasks {
            task.cancel()
            await task.value
        }
        await system.hold(false)
        #expect(server.requests.count == 2)
        let second = TransferSystem.App(system, Life()).makeRegistry(journal)
        #expect(try await send(Attic.StoreOnce(), as: "upload", second, attic).get().number == 12)
        try await attic.binding.download(
            Attic.Fetch(), of: Attic.Fetch.self, to: folder.url.appendingPathComponent("box").path, as: "download",
            checksum: nil, in: second)
        #expect(folder.bytes("box") == Array("bytes of a server".utf8))
        #expect(server.requests.count == 2)
        #expect(server.requests.contains { $0.hasPrefix("POST /things/box") && $0.hasSuffix("the box") })
    }
}
