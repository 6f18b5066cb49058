import ErrandTesting
import ErrandTransport
import ErrandTransportConformance
import Foundation
import Testing

@testable import ErrandRuntime

/// Files that change or go while they are sent, over real sockets.
@Suite(.serialized, .timeLimit(.minutes(1))) struct UploadFileTests {
    private struct Locker: ServiceClient {
        var binding: ServiceBinding

        init(_ server: String, _ transport: any Transport = SystemTransport.make()) {
            let rule = RetryRule(attempts: 4, base: .milliseconds(1), cap: .milliseconds(2))
            binding = ServiceBinding(
                Self.service, server: server,
                on: Dispatcher(transport: transport, settings: DispatcherSettings(retry: rule)), session: Session())
        }

        /// It would have the changed file sent again.
        static let service = ServiceDescription(
            name: "Locker", version: "1", errors: [],
            redeclared: [ErrorDescription("bodyChanged", .retryable)])
    }

    private struct Put: ErrandRuntime.Command {
        typealias Service = Locker
        typealias Failure = CommandFault
        typealias Response = Void
        static let endpoint = EndpointDescription(Locker.service, "put", .put, effect: .idempotent, response: .none)
        let body: BodySource
        func encode(into request: inout RequestEncoder) {
            request.path("/things/1")
            request.body(body)
        }
    }

    private struct Post: ErrandRuntime.Command {
        typealias Service = Locker
        typealias Failure = CommandFault
        typealias Response = Void
        static let endpoint = EndpointDescription(Locker.service, "post", .post, effect: .once, response: .none)
        let body: BodySource
        func encode(into request: inout RequestEncoder) {
            request.path("/things")
            request.body(body)
        }
    }

    private static let size = 48 << 20

    private func makeFile(_ folder: Folder) throws -> URL {
        let url = folder.url.appendingPathComponent("film")
        try Data().write(to: url)
        let file = try FileHandle(forWritingTo: url)
        try file.truncate(atOffset: UInt64(Self.size))
        try file.close()
        return url
    }

    private func fault<C: ErrandRuntime.Command>(
        of command: C, _ locker: Locker
    ) async -> CommandFault? where C.Service == Locker, C.Failure == CommandFault {
        if case .failure(let fault) = await locker.result(of: command) { fault } else { nil }
    }

    /// The server has read a part of it, and a server may act on that. No other bytes are sent, whatever the contract says.
    @Test(arguments: [true, false]) func aFileThatChangesIsNotSentAgain(isOnce: Bool) async throws {
        let folder = try Folder()
        let url = try makeFile(folder)
        let connections = LockedState { 0 }
        let server = try RawServer(keepsRequests: false) { connection, _ in
            connections.withLock { $0 += 1 }
            guard connection.readPart(1_000) else { return }
            guard let file = try? FileHandle(forWritingTo: url) else { return }
            try? file.write(contentsOf: Data([9]))
            try? file.close()
            while connection.readPart(65_536) {}
        }
        let body = try BodySource.file(at: url)
        let locker = Locker(server.url)
        let fault = isOnce ? await fault(of: Post(body: body), locker) : await fault(of: Put(body: body), locker)
        #expect(fault?.context.name == (isOnce ? "unconfirmed" : "bodyChanged"))
        #expect(fault?.context.applied == .maybe)
        #expect(fault.map { "\($0)".contains(url.path) } == false)
        #expect(connections.withLock { $0 } == 1 && fault?.context.attempts == 1)
    }

    @Test func aFileThatIsRemovedMeanwhileIsSentWhole() async throws {
        let folder = try Folder()
        let url = try makeFile(folder)
        let count = LockedState { 0 }
        let server = try RawServer(keepsRequests: false) { connection, _ in
            guard let request = connection.readRequest() else { return }
            count.withLock { $0 = request.utf8.count }
            connection.respond("200 OK")
        }
        let progress = TransferProgress()
        async let removal: Void = {
            // Its first bytes have left, so the file is open.
            for await state in progress where state.bytes > 0 { return try FileManager.default.removeItem(at: url) }
        }()
        try await Locker(server.url).send(Put(body: .file(at: url).reporting(to: progress)))
        try await removal
        #expect(count.withLock { $0 } > Self.size)
    }

    /// The first attempt is lost, and meanwhile the file goes: the second one is not made, and the first one stays open.
    @Test(arguments: ["is removed", "changes", "may not be read"])
    func aSecondAttemptWithoutTheFileIsNotMade(_ change: String) async throws {
        // The administrator may read everything.
        if change == "may not be read", geteuid() == 0 { return }
        let folder = try Folder()
        let url = folder.url.appendingPathComponent("note")
        try Data(repeating: 1, count: 10).write(to: url)
        let server = try RawServer { connection, _ in
            guard connection.readRequest() != nil else { return }
            switch change {
            case "is removed": try? FileManager.default.removeItem(at: url)
            case "changes": try? Data(repeating: 2, count: 10).write(to: url)
            default: chmod(url.path, 0)
            }
        }
        let fault = await fault(of: Put(body: try .file(at: url)), Locker(server.url))
        #expect(fault?.context.name == (change == "changes" ? "bodyChanged" : "localFault"))
        #expect(fault?.context.applied == .maybe, "the first attempt may have been carried out")
        #expect(fault?.context.evidence == .notSent)
        #expect(server.requests.count == 1)
    }

    @Test func aFileThatIsGoneBeforeItIsSentIsAFaultOfThisDevice() async throws {
        let folder = try Folder()
        let url = folder.url.appendingPathComponent("note")
        try Data(repeating: 1, count: 10).write(to: url)
        let body = try BodySource.file(at: url)
        try FileManager.default.removeItem(at: url)
        let progress = TransferProgress()
        for body in [body, body.reporting(to: progress)] {
            let transport = ScriptedTransport.scripted { _, _ in .json(200, "") }
            let fault = await fault(of: Post(body: body), Locker("https://locker.example", transport))
            #expect(fault?.context.name == "localFault" && fault?.category == .nonRetryable)
            #expect(fault?.context.message == "Data on this device could not be read or saved.")
            #expect(fault?.context.applied == .never)
            #expect(transport.requests.isEmpty)
        }
    }

    private struct Broken: AsyncSequence, Sendable {
        typealias Element = [UInt8]
        struct Reason: Error {}
        struct Iterator: AsyncIteratorProtocol {
            func next() async throws -> [UInt8]? { throw Reason() }
        }
        func makeAsyncIterator() -> Iterator { Iterator() }
    }

    @Test func aSourceThatFailsIsAFaultOfThisDevice() async {
        let server = try? RawServer { connection, _ in _ = connection.readRequest() }
        let fault = await fault(of: Put(body: .replayable { Broken() }), Locker(server?.url ?? ""))
        #expect(fault?.context.name == "localFault")
    }
}
