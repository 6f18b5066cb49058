import ErrandDigests
import ErrandTesting
import ErrandTransportConformance
import ErrandURLSession
import Foundation
import TestDigests
import Testing

@testable import ErrandRuntime

/// A service that has one file.
struct Depot: ServiceClient {
    var binding: ServiceBinding

    init(_ server: String, _ transport: any Transport = URLSessionTransport()) {
        let rule = RetryRule(attempts: 4, base: .milliseconds(1), cap: .milliseconds(2))
        binding = ServiceBinding(
            Self.service, server: server,
            on: Dispatcher(transport: transport, settings: DispatcherSettings(retry: rule)), session: Session())
    }

    static let service = ServiceDescription(name: "Depot", version: "1")

    struct Fetch: ErrandRuntime.Command {
        typealias Service = Depot
        typealias Failure = CommandFault
        typealias Response = [UInt8]
        static let endpoint = EndpointDescription(Depot.service, "fetch", .get, effect: .read, response: .bytes)
        func encode(into request: inout RequestEncoder) { request.path("/file") }
    }

    /// Makes the file, which is more than reading it.
    struct Render: ErrandRuntime.Command {
        typealias Service = Depot
        typealias Failure = CommandFault
        typealias Response = [UInt8]
        static let endpoint = EndpointDescription(Depot.service, "render", .post, effect: .once, response: .bytes)
        func encode(into request: inout RequestEncoder) { request.path("/renderings") }
    }
}

/// The same for users who are logged in.
struct Vault: ServiceClient {
    var binding: ServiceBinding

    static let service = ServiceDescription(
        name: "Vault", version: "1", session: SessionPlacement(header: "Authorization", prefix: "Bearer "))

    struct Fetch: ErrandRuntime.Command {
        typealias Service = Vault
        typealias Failure = CommandFault
        typealias Response = [UInt8]
        static let endpoint = EndpointDescription(
            Vault.service, "fetch", .get, effect: .read, session: .required, response: .bytes)
        func encode(into request: inout RequestEncoder) { request.path("/file") }
    }
}

/// A folder that is gone with its test.
final class Folder: Sendable {
    let url: URL
    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("errand-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }
    deinit { try? FileManager.default.removeItem(at: url) }
    var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted() }
    func bytes(_ name: String) -> [UInt8]? {
        FileManager.default.contents(atPath: url.appendingPathComponent(name).path).map(Array.init)
    }
}

@Suite(.serialized) struct DownloadTests {
    static let content = Array("The quick brown fox jumps over it.".utf8)

    /// Where a request wants to begin; nil if it wants all.
    static func start(of request: String) -> Int? {
        guard let range = request.lowercased().components(separatedBy: "range: bytes=").dropFirst().first else {
            return nil
        }
        return Int(range.prefix { $0.isNumber })
    }

    /// Answers with the file, or with the part that is asked for, and stops after so many bytes.
    static func serve(
        _ connection: RawConnection, _ content: [UInt8], tag: String? = "\"one\"", upTo cut: Int = .max
    ) {
        guard let request = connection.readRequest() else { return }
        let start = start(of: request) ?? 0
        let isPart = start > 0 && tag.map { request.contains($0) } ?? false
        let body = Array(content[(isPart ? start : 0)...])
        var head = isPart ? "HTTP/1.1 206 Partial Content\r\n" : "HTTP/1.1 200 OK\r\n"
        if isPart { head += "Content-Range: bytes \(start)-\(content.count - 1)/\(content.count)\r\n" }
        if let tag { head += "ETag: \(tag)\r\n" }
        connection.write(head + "Content-Length: \(body.count)\r\nConnection: close\r\n\r\n")
        connection.write(Array(body.prefix(cut)))
    }

    @Test func aCutAtEveryByteLosesAndRepeatsNothing() async throws {
        for cut in 0..<Self.content.count {
            let server = try RawServer { connection, number in
                Self.serve(connection, Self.content, upTo: number == 1 ? cut : .max)
            }
            let folder = try Folder()
            let download = Depot(server.url).download(Depot.Fetch(), to: folder.url.appendingPathComponent("file"))
            try await download.finish()
            #expect(folder.bytes("file") == Self.content, "cut after \(cut) bytes")
            #expect(folder.names == ["file"])
            #expect(download.progress.current == TransferState(bytes: Self.content.count, total: Self.content.count))
            let starts = server.requests.map { Self.start(of: $0) ?? 0 }
            #expect(starts.first == 0 && starts.count == 2 && (starts.last ?? 99) <= cut)
        }
    }

    @Test func anotherFileIsTakenFromItsStart() async throws {
        let other = Array("Another file of another length, with other bytes.".utf8)
        let server = try RawServer { connection, number in
            if number == 1 { return Self.serve(connection, Self.content, upTo: 10) }
            Self.serve(connection, other, tag: "\"two\"")
        }
        let folder = try Folder()
        try await Depot(server.url).download(Depot.Fetch(), to: folder.url.appendingPathComponent("file")).finish()
        #expect(folder.bytes("file") == other)
        #expect(server.requests.last?.contains("\"one\"") == true)
    }

    /// The validator was a date. The second part of another file ends the download.
    @Test func aPartOfAnotherDateIsRefused() async throws {
        let content = Self.content
        let server = try RawServer { connection, number in
            guard let request = connection.readRequest() else { return }
            let start = Self.start(of: request) ?? 0
            var head = start > 0 ? "HTTP/1.1 206 Partial Content\r\n" : "HTTP/1.1 200 OK\r\n"
            if start > 0 { head += "Content-Range: bytes \(start)-\(content.count - 1)/\(content.count)\r\n" }
            head += "Date: Sun, 06 Nov 1994 09:49:37 GMT\r\n"
            head += "Last-Modified: Sun, 06 Nov 1994 08:4\(start > 0 ? 9 : 8):37 GMT\r\n"
            connection.write(head + "Content-Length: \(content.count - start)\r\nConnection: close\r\n\r\n")
            connection.write(Array(content[start...].prefix(number % 2 == 1 ? 10 : .max)))
        }
        let folder = try Folder()
        let download = Depot(server.url).download(Depot.Fetch(), to: folder.url.appendingPathComponent("file"))
        do throws(CommandFault) {
            try await download.finish()
            Issue.record("two files were joined")
        } catch {
            #expect(error.context.underlying as? DownloadError == .changed(after: 10))
        }
        #expect(server.requests.map(Self.start) == [nil, 10, nil, 10])
        #expect(folder.names.isEmpty)
    }

    /// The bytes of two users never meet in one file, even if the server calls their files the same.
    @Test func theNextUserDoesNotFinishADownload() async throws {
        let server = try RawServer { connection, number in
            Self.serve(connection, Self.content, upTo: number == 1 ? 10 : .max)
        }
        let folder = try Folder()
        let session = Session()
        let dispatcher = Depot(server.url).binding.dispatcher
        let vault = Vault(binding: ServiceBinding(Vault.service, server: server.url, on: dispatcher, session: session))
        await session.begin(SessionTokens(access: "ada"))
        let download = vault.with { $0.attempts = 1 }.download(
            Vault.Fetch(), to: folder.url.appendingPathComponent("file"))
        await #expect(throws: CommandFault.self) { try await download.finish() }
        #expect(download.progress.current.bytes == 10)
        await session.end()
        await session.begin(SessionTokens(access: "eve"))
        for _ in 1...2 {
            do throws(CommandFault) {
                try await download.finish()
                Issue.record("it was finished")
            } catch {
                #expect(error.kind == .sessionEnded)
            }
        }
        #expect(server.requests.count == 1)
        // A download of her own is another matter.
        try await vault.download(Vault.Fetch(), to: folder.url.appendingPathComponent("file")).finish()
        #expect(folder.bytes("file") == Self.content)
    }

    @Test func withoutAStrongValidatorAllIsAskedForAgain() async throws {
        for tag in [nil, "W/\"weak\""] {
            let server = try RawServer { connection, number in
                Self.serve(connection, Self.content, tag: tag, upTo: number == 1 ? 10 : .max)
            }
            let folder = try Folder()
            try await Depot(server.url).download(Depot.Fetch(), to: folder.url.appendingPathComponent("file")).finish()
            #expect(folder.bytes("file") == Self.content)
            #expect(server.requests.allSatisfy { Self.start(of: $0) == nil })
        }
    }

    @Test(arguments: [
        "bytes 9-33/34", "bytes 11-33/34", "bytes 10-33/33", "bytes */34", "pages 10-33/34", "",
        "bytes 10-99999999999999999999/34",
    ])
    func aPartThatWasNotAskedForIsRefused(_ range: String) async throws {
        let server = try RawServer { connection, number in
            if number == 1 { return Self.serve(connection, Self.content, upTo: 10) }
            _ = connection.readRequest()
            connection.write(
                "HTTP/1.1 206 Partial Content\r\nETag: \"one\"\r\nContent-Range: \(range)\r\nContent-Length: 24\r\nConnection: close\r\n\r\n"
            )
            connection.write(Array(Self.content[10...]))
        }
        let folder = try Folder()
        do throws(CommandFault) {
            try await Depot(server.url).download(Depot.Fetch(), to: folder.url.appendingPathComponent("file")).finish()
            Issue.record("it succeeded")
        } catch {
            #expect(error.kind == .malformed)
            #expect(error.context.underlying as? DownloadError == .wrongRange)
        }
        #expect(folder.names.isEmpty)
    }

    @Test func aServerWithLessThanThereIsIsAskedForAll() async throws {
        let server = try RawServer { connection, number in
            if number == 1 { return Self.serve(connection, Self.content, upTo: 20) }
            if number > 2 { return Self.serve(connection, Array(Self.content.prefix(5)), tag: "\"two\"") }
            _ = connection.readRequest()
            connection.respond("416 Range Not Satisfiable", "Content-Range: bytes */5\r\nConnection: close\r\n")
        }
        let folder = try Folder()
        try await Depot(server.url).download(Depot.Fetch(), to: folder.url.appendingPathComponent("file")).finish()
        #expect(folder.bytes("file") == Array(Self.content.prefix(5)))
    }

    @Test func itGoesOnAfterItHasFailed() async throws {
        let server = try RawServer { connection, number in
            if number == 1 { return Self.serve(connection, Self.content, upTo: 20) }
            if number > 2 { return Self.serve(connection, Self.content) }
            _ = connection.readRequest()
            connection.respond("404 Not Found", "Connection: close\r\n")
        }
        let folder = try Folder()
        let file = folder.url.appendingPathComponent("file")
        try Data("old".utf8).write(to: file)
        let download = Depot(server.url).download(Depot.Fetch(), to: file)
        await #expect(throws: CommandFault.self) { try await download.finish() }
        #expect(folder.bytes("file") == Array("old".utf8))
        try await download.finish()
        #expect(folder.bytes("file") == Self.content)
        #expect(folder.names == ["file"])
        let last = server.requests.last.flatMap(Self.start) ?? 0
        #expect(last > 0 && last <= 20)
    }

    @Test func whatFailsForGoodLeavesNothing() async throws {
        let server = try RawServer { connection, _ in Self.serve(connection, Self.content) }
        let folder = try Folder()
        let depot = Depot(server.url)
        let file = folder.url.appendingPathComponent("file")
        func problem(_ work: () async throws(CommandFault) -> Void) async -> DownloadError? {
            do throws(CommandFault) {
                try await work()
                return nil
            } catch {
                return error.context.underlying as? DownloadError
            }
        }
        let wrong = await problem { () async throws(CommandFault) in
            try await depot.download(Depot.Fetch(), to: file).finish(checksum: .sha256(SHA256.digest([1])))
        }
        #expect(wrong == .wrongDigest)
        let large = await problem { () async throws(CommandFault) in
            try await depot.download(Depot.Fetch(), to: file).finish(limit: 33)
        }
        #expect(large == .larger(than: 33))
        let missing = folder.url.appendingPathComponent("nowhere").appendingPathComponent("file")
        let homeless = await problem { () async throws(CommandFault) in
            try await depot.download(Depot.Fetch(), to: missing).finish()
        }
        #expect(homeless == .system(call: "open", code: Int(ENOENT)))
        #expect(folder.names.isEmpty)
        try await depot.download(Depot.Fetch(), to: file).finish(checksum: .sha256(SHA256.digest(Self.content)))
        #expect(folder.bytes("file") == Self.content)
    }

    @Test func aFileThatIsRemovedMeanwhileIsNotPutInItsPlace() async throws {
        let folder = try Folder()
        let transport = ScriptedTransport.scripted { _, _ in
            let left = LockedState { 3 }
            let body = StreamedBody { () async throws(TransportFault) -> [UInt8]? in
                let count = left.withLock { left in
                    left -= 1
                    return left
                }
                if count == 1 {
                    for name in folder.names {
                        try? FileManager.default.removeItem(at: folder.url.appendingPathComponent(name))
                    }
                }
                return count >= 0 ? [1, 2, 3] : nil
            }
            return TransportResponse(status: 200, stream: body)
        }
        do throws(CommandFault) {
            try await Depot("https://depot.example", transport).download(
                Depot.Fetch(), to: folder.url.appendingPathComponent("file")
            ).finish()
            Issue.record("it succeeded")
        } catch {
            #expect(error.context.underlying as? DownloadError == .fileGone)
        }
        #expect(folder.names.isEmpty)
    }

    /// A server that names no validator, or whose file has changed, sends all of it again. The bar goes back and says so; with a
    /// validator it never does.
    @Test(arguments: [nil, "\"one\"", "\"two\""]) func progressSaysThatItGoesBack(_ tag: String?) async throws {
        let server = try RawServer { connection, number in
            if number < 3 { return Self.serve(connection, Self.content, tag: tag.map { _ in "\"one\"" }, upTo: 10) }
            Self.serve(connection, Self.content, tag: tag)
        }
        let folder = try Folder()
        let download = Depot(server.url).download(Depot.Fetch(), to: folder.url.appendingPathComponent("file"))
        let follower = Task {
            var states: [TransferState] = []
            for await state in download.progress { states.append(state) }
            return states
        }
        try await download.finish()
        let states = await follower.value
        #expect(folder.bytes("file") == Self.content)
        #expect(
            zip(states, states.dropFirst()).allSatisfy { $0.restarts < $1.restarts || $0.bytes <= $1.bytes },
            "\(states)")
        let count = Self.content.count
        let restarts = tag == nil ? 2 : tag == "\"two\"" ? 1 : 0
        #expect(download.progress.current == TransferState(bytes: count, total: count, restarts: restarts))
    }

    @Test func progressIsExact() async throws {
        let folder = try Folder()
        let transport = ScriptedTransport.scripted { _, _ in
            let left = LockedState { 100 }
            return TransportResponse(
                status: 200, headers: ["Content-Length": "1000"],
                stream: StreamedBody { () async throws(TransportFault) -> [UInt8]? in
                    left.withLock { left in
                        left -= 1
                        return left >= 0 ? [UInt8](repeating: 7, count: 10) : nil
                    }
                })
        }
        let download = Depot("https://depot.example", transport).download(
            Depot.Fetch(), to: folder.url.appendingPathComponent("file"))
        let follower = Task {
            var states: [TransferState] = []
            for await state in download.progress { states.append(state) }
            return states
        }
        try await download.finish()
        let states = await follower.value
        #expect(states.last == TransferState(bytes: 1000, total: 1000))
        #expect(zip(states, states.dropFirst()).allSatisfy { $0.bytes <= $1.bytes })
        #expect(states.allSatisfy { $0.bytes % 10 == 0 })
        var again: [TransferState] = []
        for await state in download.progress { again.append(state) }
        #expect(again == [TransferState(bytes: 1000, total: 1000)])
    }
}
