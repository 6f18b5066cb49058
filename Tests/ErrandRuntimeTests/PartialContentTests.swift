import ErrandTesting
import ErrandTransport
import ErrandTransportConformance
import ErrandURLSession
import Foundation
import Testing

@testable import ErrandRuntime

/// Every form of a 206 (RFC 9110 sections 13.1.5, 14.4 and 15.3.7), against a file on the server that has changed wherever the
/// response doesn't prove the opposite: old and new bytes never meet.
@Suite(.serialized, .timeLimit(.minutes(3))) struct PartialContentTests {
    static let old = Array("The old file, of forty bytes in all, ok.".utf8)
    static let new = Array("THE NEW FILE, AS LONG AS THE OLD ONE IS.".utf8)

    typealias Fields = [(String, String)]

    /// One form of a response to the request of a rest.
    struct Form: Sendable, CustomTestStringConvertible {
        let name: String
        /// The fields of the first response, which is cut.
        let first: Fields
        /// Whether the first response states its length.
        var hasLength = true
        /// Whether the download goes on with the response. Otherwise the whole file is requested.
        let isRest: Bool
        /// How many bytes it has; nil for all of the rest.
        var count: Int?
        /// Its fields, for the place where it should begin.
        let fields: @Sendable (_ start: Int) -> Fields

        var testDescription: String { name }
    }

    private static let tagged: Fields = [("ETag", "\"one\"")]
    private static let dated: Fields = [
        ("Date", "Sun, 06 Nov 1994 09:49:37 GMT"), ("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT"),
    ]
    private static let date: Fields = [("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT")]
    private static let otherDate: Fields = [("Last-Modified", "Sun, 06 Nov 1994 08:50:37 GMT")]
    private static let one: Fields = [("ETag", "\"one\"")]

    private static func range(_ start: Int, to end: Int = 39, of total: String = "40") -> Fields {
        [("Content-Range", "bytes \(start)-\(end)/\(total)")]
    }

    static let forms: [Form] =
        // An entity tag was sent: the response has to repeat it.
        [
            Form(name: "the same tag", first: tagged, isRest: true) { range($0) + one },
            Form(name: "the same tag, no length", first: tagged, isRest: true) { range($0, of: "*") + one },
            Form(name: "the same tag, another date", first: tagged + dated, isRest: true) {
                range($0) + one + otherDate
            },
            Form(name: "no tag", first: tagged, isRest: false) { range($0) },
            Form(name: "no tag, the same date", first: tagged + dated, isRest: false) { range($0) + date },
            Form(name: "another tag", first: tagged, isRest: false) { range($0) + [("ETag", "\"two\"")] },
            Form(name: "a weak tag", first: tagged, isRest: false) { range($0) + [("ETag", "W/\"one\"")] },
            Form(name: "two tags", first: tagged, isRest: false) { range($0) + one + [("ETag", "\"two\"")] },
            Form(name: "the same tag, another length", first: tagged, isRest: false) { range($0, of: "41") + one },
            Form(name: "the same tag, an earlier range", first: tagged, isRest: false) { range($0 - 1) + one },
            Form(name: "the same tag, a later range", first: tagged, isRest: false) { range($0 + 1) + one },
            Form(name: "the same tag, no range", first: tagged, isRest: false) { _ in one },
            Form(name: "the same tag, an unsatisfied range", first: tagged, isRest: false) { _ in
                [("Content-Range", "bytes */40")] + one
            },
            Form(name: "the same tag, another unit", first: tagged, isRest: false) {
                [("Content-Range", "pages \($0)-39/40")] + one
            },
            Form(name: "the same tag, two ranges", first: tagged, isRest: false) { range($0) + range(0) + one },
            Form(name: "the same tag, several parts", first: tagged, isRest: false) { _ in
                [("Content-Type", "multipart/byteranges; boundary=x")] + one
            },
            Form(name: "the same tag, compressed", first: tagged, isRest: false) {
                range($0) + one + [("Content-Encoding", "x-packed")]
            },
            // A date was sent: the response need not repeat it, but states the length.
            Form(name: "the same date", first: dated, isRest: true) { range($0) + date },
            Form(name: "no date", first: dated, isRest: true) { range($0) },
            Form(name: "another date", first: dated, isRest: false) { range($0) + otherDate },
            Form(name: "no date, another length", first: dated, isRest: false) { range($0, of: "41") },
            Form(name: "no date, no length", first: dated, isRest: false) { range($0, of: "*") },
            Form(name: "no date, no length at first", first: dated, hasLength: false, isRest: false) { range($0) },
            Form(name: "the same date, and a tag", first: dated, isRest: true) { range($0) + date + one },
            // Fewer bytes than were requested, which the standard allows.
            Form(name: "a part, tag", first: tagged, isRest: true, count: 5) { range($0, to: min($0 + 4, 39)) + one },
            Form(name: "a part, tag, no length", first: tagged, isRest: true, count: 5) {
                range($0, to: min($0 + 4, 39), of: "*") + one
            },
            Form(name: "a part, date", first: dated, isRest: true, count: 5) { range($0, to: min($0 + 4, 39)) },
            Form(name: "a byte at a time", first: tagged, isRest: true, count: 1) { range($0, to: $0) + one },
            Form(name: "parts of a file without a length", first: tagged, hasLength: false, isRest: true, count: 5) {
                range($0, to: min($0 + 4, 39), of: "*") + one
            },
        ]

    // MARK: In memory

    private static func headers(_ fields: Fields) -> HTTPHeaders { HTTPHeaders(fields.map { .init($0.0, $0.1) }) }

    /// A server that cuts its first response after ten bytes.
    private static func transport(_ form: Form) -> ScriptedTransport {
        ScriptedTransport { request, number in
            guard let text = request.headers["Range"] else {
                let length: Fields = number > 1 || form.hasLength ? [("Content-Length", "40")] : []
                return number == 1
                    ? response(200, form.first + length, Array(old.prefix(10)), then: .lost)
                    : response(200, [("ETag", "\"two\"")] + length, new)
            }
            let start = Int(text.dropFirst(6).dropLast()) ?? 0
            guard start < 40 else {
                return TransportResponse(status: 416, headers: headers([("Content-Range", "bytes */40")] + one))
            }
            let file = form.isRest ? old : new
            return response(206, form.fields(start), Array(file[start...].prefix(form.count ?? 40)))
        }
    }

    private static func response(
        _ status: Int, _ fields: Fields, _ bytes: [UInt8], then fault: TransportFault.Kind? = nil
    ) -> TransportResponse {
        let rest = LockedState<[UInt8]> { bytes }
        return TransportResponse(
            status: status, headers: headers(fields),
            stream: StreamedBody { () async throws(TransportFault) -> [UInt8]? in
                let chunk = rest.withLock { rest in
                    defer { rest = Array(rest.dropFirst(4)) }
                    return Array(rest.prefix(4))
                }
                if chunk.isEmpty, let fault { throw TransportFault(fault, evidence: .sent) }
                return chunk.isEmpty ? nil : chunk
            })
    }

    @Test(arguments: forms)
    func twoFilesAreNeverJoined(_ form: Form) async throws {
        let transport = Self.transport(form)
        let folder = try Folder()
        let depot = Depot("https://depot.example", transport)
        try await depot.download(Depot.Fetch(), to: folder.url.appendingPathComponent("file")).finish()
        #expect(folder.bytes("file") == (form.isRest ? Self.old : Self.new))
        #expect(folder.names == ["file"])
        let ranges = transport.requests.map { $0.headers["Range"] }
        #expect(ranges.dropFirst().first == "bytes=10-")
        if form.isRest {
            #expect(ranges.dropFirst().allSatisfy { $0 != nil })
        } else {
            #expect(ranges == [nil, "bytes=10-", nil], "the whole file, once")
        }
    }

    @Test(arguments: forms)
    func aLoopGetsTheBytesOfOneFile(_ form: Form) async throws {
        let depot = Depot("https://depot.example", Self.transport(form))
        let (bytes, failure) = await DownloadChunkTests.read(depot)
        if form.isRest {
            #expect(bytes == Self.old && failure == nil)
        } else {
            #expect(bytes == Array(Self.old.prefix(10)))
            #expect(failure?.kind == .malformed)
            let problem = failure?.context.underlying as? DownloadError
            #expect(problem == .changed(after: 10) || problem == .wrongRange)
        }
    }

    /// The second time, the download ends.
    @Test func theWholeFileIsRequestedOnce() async throws {
        let transport = ScriptedTransport { request, _ in
            guard request.headers["Range"] == nil else {
                return Self.response(206, Self.range(10), Array(Self.new[10...]))
            }
            return Self.response(200, Self.tagged + [("Content-Length", "40")], Array(Self.old.prefix(10)), then: .lost)
        }
        let folder = try Folder()
        do throws(CommandFault) {
            try await Depot("https://depot.example", transport).download(
                Depot.Fetch(), to: folder.url.appendingPathComponent("file")
            ).finish()
            Issue.record("it succeeded")
        } catch {
            #expect(error.kind == .malformed)
            #expect(error.context.underlying as? DownloadError == .changed(after: 10))
        }
        #expect(folder.names.isEmpty)
        #expect(transport.requests.map { $0.headers["Range"] } == [nil, "bytes=10-", nil, "bytes=10-"])
    }

    /// More bytes than the range has belong to no place of the file.
    @Test func aPartThatIsLongerThanItsRangeIsRefused() async throws {
        let transport = ScriptedTransport { request, number in
            if number > 1 { return Self.response(206, Self.range(10, to: 14) + Self.one, Array(Self.old[10...])) }
            return Self.response(200, Self.tagged + [("Content-Length", "40")], Array(Self.old.prefix(10)), then: .lost)
        }
        let folder = try Folder()
        do throws(CommandFault) {
            try await Depot("https://depot.example", transport).download(
                Depot.Fetch(), to: folder.url.appendingPathComponent("file")
            ).finish()
            Issue.record("it succeeded")
        } catch {
            #expect(error.context.underlying as? DownloadError == .tooLong)
        }
    }

    /// A server that gives a byte at a time isn't asked a million times.
    @Test func smallPartsAreBounded() async throws {
        let transport = ScriptedTransport { request, number in
            let start = request.headers["Range"].flatMap { Int($0.dropFirst(6).dropLast()) } ?? 0
            if number == 1 {
                return Self.response(200, Self.tagged + [("Content-Length", "1000000")], [7], then: .lost)
            }
            return Self.response(206, Self.range(start, to: start, of: "1000000") + Self.one, [7])
        }
        let folder = try Folder()
        await #expect(throws: CommandFault.self) {
            try await Depot("https://depot.example", transport).download(
                Depot.Fetch(), to: folder.url.appendingPathComponent("file")
            ).finish()
        }
        #expect(transport.requests.count < 100)
    }

    /// A connection that is cut again and again costs no attempts as long as each brings 256 KiB.
    @Test func aLongDownloadOutlivesManyCuts() async throws {
        let (size, step) = (20 * 300_000, 300_000)
        let transport = ScriptedTransport { request, _ in
            let start = request.headers["Range"].flatMap { Int($0.dropFirst(6).dropLast()) } ?? 0
            let fields = start == 0 ? [] : Self.range(start, to: size - 1, of: "\(size)")
            return Self.response(
                start == 0 ? 200 : 206, fields + Self.one + [("Content-Length", "\(size - start)")], start, step,
                isLast: start + step >= size)
        }
        let folder = try Folder()
        let download = Depot("https://depot.example", transport).download(
            Depot.Fetch(), to: folder.url.appendingPathComponent("file"))
        try await download.finish()
        #expect(folder.bytes("file")?.count == size)
        #expect(transport.requests.count == 20)
    }

    private static func response(
        _ status: Int, _ fields: Fields, _ start: Int, _ count: Int, isLast: Bool
    ) -> TransportResponse {
        let isGiven = LockedState { false }
        return TransportResponse(
            status: status, headers: headers(fields),
            stream: StreamedBody { () async throws(TransportFault) -> [UInt8]? in
                let wasGiven = isGiven.withLock { isGiven in
                    defer { isGiven = true }
                    return isGiven
                }
                if !wasGiven { return [UInt8](repeating: 7, count: count) }
                if isLast { return nil }
                throw TransportFault(.lost, evidence: .sent)
            })
    }

    // MARK: Over sockets

    private static func transports() -> [any Transport] {
        #if canImport(FoundationNetworking)
        [URLSessionTransport(), SystemTransport.make()]
        #else
        [URLSessionTransport()]
        #endif
    }

    @Test(arguments: forms)
    func twoFilesAreNeverJoinedOverSockets(_ form: Form) async throws {
        for transport in Self.transports() {
            let server = try RawServer { connection, number in PartialContentServer.serve(connection, number, form) }
            let folder = try Folder()
            let depot = Depot(server.url, transport)
            try await depot.download(Depot.Fetch(), to: folder.url.appendingPathComponent("file")).finish()
            let starts = server.requests.map(DownloadTests.start)
            // The transport may tell of the cut before the bytes. Then nothing is there to be continued.
            guard starts.dropFirst().first != .some(nil) else { continue }
            #expect(folder.bytes("file") == (form.isRest ? Self.old : Self.new), "\(type(of: transport))")
        }
    }
}

/// The same server on sockets.
enum PartialContentServer {
    static func serve(_ connection: RawConnection, _ number: Int, _ form: PartialContentTests.Form) {
        let (old, new) = (PartialContentTests.old, PartialContentTests.new)
        guard let request = connection.readRequest() else { return }
        guard let start = DownloadTests.start(of: request) else {
            if number > 1 { return write(connection, "200 OK", [("ETag", "\"two\"")], new, length: 40) }
            return write(connection, "200 OK", form.first, Array(old.prefix(10)), length: form.hasLength ? 40 : nil)
        }
        guard start < 40 else {
            return write(
                connection, "416 Range Not Satisfiable", [("Content-Range", "bytes */40"), ("ETag", "\"one\"")], [],
                length: 0)
        }
        let bytes = Array((form.isRest ? old : new)[start...].prefix(form.count ?? 40))
        write(connection, "206 Partial Content", form.fields(start), bytes, length: bytes.count)
    }

    /// - Parameter length: nil for a body in chunks, whose last one is missing.
    private static func write(
        _ connection: RawConnection, _ status: String, _ fields: PartialContentTests.Fields, _ bytes: [UInt8],
        length: Int?
    ) {
        var head = "HTTP/1.1 \(status)\r\nConnection: close\r\n"
        for (name, value) in fields { head += "\(name): \(value)\r\n" }
        if let length {
            connection.write(head + "Content-Length: \(length)\r\n\r\n")
            connection.write(bytes)
        } else {
            connection.write(head + "Transfer-Encoding: chunked\r\n\r\n")
            connection.write(Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Array("\r\n".utf8))
        }
    }
}
