import ErrandDigests
import ErrandStubs
import ErrandTransportConformance
import Foundation
import Testing

@testable import ErrandRuntime

extension Depot {
    /// Where the responses of a command state the checksum of their bytes.
    protocol ChecksumPlace: Sendable {
        static var endpoint: EndpointDescription { get }
    }

    enum Standard: ChecksumPlace {
        static let endpoint = EndpointDescription(
            Depot.service, "fetch", .get, effect: .read, checksum: ChecksumRule(.sha256), response: .bytes)
    }

    enum Own: ChecksumPlace {
        static let endpoint = EndpointDescription(
            Depot.service, "fetch", .get, effect: .read, checksum: ChecksumRule(.md5, header: "X-MD5"), response: .bytes
        )
    }

    struct Checked<Place: ChecksumPlace>: ErrandRuntime.Command {
        typealias Service = Depot
        typealias Failure = CommandFault
        typealias Response = [UInt8]
        static var endpoint: EndpointDescription { Place.endpoint }
        func encode(into request: inout RequestEncoder) { request.path("/file") }
    }
}

/// The checksum that a contract names holds for a download to a file, for chunks, and for bytes in memory.
@Suite(.serialized, .timeLimit(.minutes(2))) struct ChecksumTests {
    /// An example of RFC 9530, appendix B.1.
    private static let content = Array("{\"hello\": \"world\"}\n".utf8)
    private static let digest = "RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg="
    private static let md5 = "50521abab7a013be83ee00ded3f9f424"

    /// How bytes are taken.
    enum Way: CaseIterable {
        case file, chunks, memory
    }

    /// The bytes that came, and what ended the command.
    private static func take<Place: Depot.ChecksumPlace>(
        _ way: Way, _ place: Place.Type, _ depot: Depot, _ folder: Folder
    ) async -> (bytes: [UInt8]?, failure: CommandFault?) {
        let command = Depot.Checked<Place>()
        do throws(CommandFault) {
            switch way {
            case .memory: return (try await depot.send(command), nil)
            case .chunks:
                var bytes: [UInt8] = []
                var iterator = depot.chunks(of: command).makeAsyncIterator()
                while let chunk = try await iterator.next() { bytes += chunk }
                return (bytes, nil)
            case .file:
                try await depot.download(command, to: folder.url.appendingPathComponent("file")).finish()
                return (folder.bytes("file"), nil)
            }
        } catch {
            return (nil, error)
        }
    }

    private static func respond(_ connection: RawConnection, _ headers: String, _ content: [UInt8]) {
        _ = connection.readRequest()
        connection.write(
            "HTTP/1.1 200 OK\r\nContent-Length: \(content.count)\r\n\(headers)\r\nConnection: close\r\n\r\n")
        connection.write(content)
    }

    private static func isRight(_ header: String, of content: [UInt8] = content, _ way: Way) async throws -> Bool? {
        let server = try RawServer { connection, _ in respond(connection, header, content) }
        let folder = try Folder()
        let isOwn = header.hasPrefix("X-MD5")
        let (bytes, failure) =
            isOwn
            ? await take(way, Depot.Own.self, Depot(server.url), folder)
            : await take(way, Depot.Standard.self, Depot(server.url), folder)
        #expect(server.requests.allSatisfy { $0.lowercased().contains("accept-encoding: identity") })
        if let failure {
            #expect(failure.kind == .malformed, "\(failure)")
            #expect(folder.names.isEmpty, "nothing is left of the file")
            switch failure.context.underlying as? DownloadError {
            case .wrongDigest?: return false
            case .noDigest?: return nil
            default: Issue.record("it ended with \(failure)")
            }
        }
        #expect(bytes == content)
        return true
    }

    @Test(arguments: Way.allCases) func bytesWithTheirChecksumArrive(_ way: Way) async throws {
        for header in [
            "Repr-Digest: sha-256=:\(Self.digest):", "repr-digest:  md5=:AAAA:, sha-256=:\(Self.digest):;a=1 ",
            "Repr-Digest: sha-512=:AAAA:\r\nRepr-Digest: sha-256=:\(Self.digest):",
            "X-MD5: \(Self.md5)", "X-MD5: \(Self.md5.uppercased()) ", "X-MD5: \"\(Self.md5)\"",
        ] { #expect(try await Self.isRight(header, way) == true, "\(header)") }
    }

    @Test(arguments: Way.allCases) func otherBytesAreRefused(_ way: Way) async throws {
        var other = Self.content
        other[3] ^= 1
        for header in ["Repr-Digest: sha-256=:\(Self.digest):", "X-MD5: \(Self.md5)"] {
            #expect(try await Self.isRight(header, of: other, way) == false, "\(header)")
        }
        #expect(try await Self.isRight("X-MD5: \(Self.md5)", of: [], way) == false)
    }

    @Test(arguments: Way.allCases) func aChecksumThatCannotBeReadIsNone(_ way: Way) async throws {
        for header in [
            "A: b", "Repr-Digest: sha-256=\(Self.digest)", "Repr-Digest: sha-256=:\(Self.digest.dropLast(4)):",
            "Repr-Digest: sha-512=:\(Self.digest):", "Repr-Digest: ,,=::,:", "Digest: sha-256=\(Self.digest)",
            "Content-Digest: sha-256=:\(Self.digest):",
            "X-MD5: \(Self.md5.dropLast())", "X-MD5: \(Self.md5)00", "X-MD5: \(Self.md5.dropLast(2))g0", "X-MD5: ",
            "X-MD5: \"", "X-MD5: UFIauregE76D7gDe0/n0JA==",
        ] { #expect(try await Self.isRight(header, way) == nil, "\(header)") }
    }

    @Test(arguments: [Way.file, .chunks]) func theRestOfAFileDoesNotHaveToRepeatIt(_ way: Way) async throws {
        for (cut, isDamaged) in (0..<Self.content.count).flatMap({ [($0, false), ($0, true)] }) {
            let server = try RawServer { connection, number in
                guard let request = connection.readRequest() else { return }
                let start = DownloadTests.start(of: request) ?? 0
                let size = Self.content.count
                var content = Self.content
                if isDamaged, number > 1 { content[size - 1] ^= 1 }
                var head = start == 0 ? "HTTP/1.1 200 OK\r\n" : "HTTP/1.1 206 Partial Content\r\n"
                if start == 0 { head += "Repr-Digest: sha-256=:\(Self.digest):\r\n" }
                if start > 0 { head += "Content-Range: bytes \(start)-\(size - 1)/\(size)\r\n" }
                connection.write(
                    head + "ETag: \"one\"\r\nContent-Length: \(size - start)\r\nConnection: close\r\n\r\n")
                connection.write(Array(content[start...].prefix(number == 1 ? cut : .max)))
            }
            let folder = try Folder()
            let (bytes, failure) = await Self.take(way, Depot.Standard.self, Depot(server.url), folder)
            let problem = failure?.context.underlying as? DownloadError
            #expect(bytes == (isDamaged ? nil : Self.content), "cut after \(cut) bytes")
            #expect(problem == (isDamaged ? .wrongDigest : nil), "cut after \(cut) bytes")
            #expect(server.requests.count == 2)
        }
    }

    @Test func theAppCanExpectAnotherOneBesides() async throws {
        let server = try RawServer { connection, _ in
            Self.respond(connection, "Repr-Digest: sha-256=:\(Self.digest):", Self.content)
        }
        let folder = try Folder()
        let download = Depot(server.url).download(
            Depot.Checked<Depot.Standard>(), to: folder.url.appendingPathComponent("file"))
        do throws(CommandFault) {
            try await download.finish(checksum: .sha256([1]))
            Issue.record("it succeeded")
        } catch {
            #expect(error.context.underlying as? DownloadError == .wrongDigest)
        }
        #expect(folder.names.isEmpty)
    }

    @Test(arguments: Way.allCases) func aStubNeedsNoChecksum(_ way: Way) async throws {
        let depot = Depot("https://depot.example").stubbed {
            $0.on(Depot.Checked<Depot.Standard>.self) { _ in Self.content }
        }
        let (bytes, failure) = await Self.take(way, Depot.Standard.self, depot, try Folder())
        #expect(bytes == Self.content && failure == nil)
    }
}
