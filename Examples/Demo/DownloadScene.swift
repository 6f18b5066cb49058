import ErrandTransportConformance
import Foundation
import VideoClient

/// Downloads a large response to a file with a progress bar, over a connection that breaks on the way.
extension BankDemo {
    func downloadAPicture() async throws {
        let picture = (0..<24 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 11) }
        let server = try RawServer { connection, number in
            Self.serve(picture, to: connection, upTo: number == 1 ? 10 << 20 : .max)
        }
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("errand-demo-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        narrator.step(
            "try await video.download(Video.LoadImage(imageURL: url), to: file).finish()   // cut after 10 MB")
        guard let address = URL(string: server.url + "/picture") else {
            return narrator.contradict("\(server.url) is not a URL")
        }
        let video = Video(.production, on: Dispatcher())
        let download = video.download(Video.LoadImage(imageURL: address), to: file)
        async let bar: Void = {
            var bar = ProgressBar("    picture", total: picture.count)
            for await state in download.progress { bar.update(to: state.bytes) }
            bar.finish()
        }()
        do {
            try await download.finish()
        } catch {
            narrator.contradict("\(error)")
        }
        await bar
        let written = FileManager.default.contents(atPath: file.path).map(Array.init)
        let starts = server.requests.map { Self.firstByte(of: $0) ?? 0 }
        narrator.claim(written == picture, "\(picture.count >> 20) MB are in the file, byte for byte")
        narrator.claim(
            starts.count == 2 && starts.last ?? 0 > 0,
            "\(starts.count) requests, and the second one asked for the rest, from byte \(starts.last ?? 0)")
    }

    /// Answers with the bytes that a request asks for, and closes the connection after so many.
    private static func serve(_ bytes: [UInt8], to connection: RawConnection, upTo count: Int) {
        guard let request = connection.readRequest() else { return }
        let start = firstByte(of: request)
        let body = bytes[(start ?? 0)...]
        let status = start == nil ? "200 OK" : "206 Partial Content"
        let range = start.map { "Content-Range: bytes \($0)-\(bytes.count - 1)/\(bytes.count)\r\n" } ?? ""
        connection.write(
            "HTTP/1.1 \(status)\r\n\(range)ETag: \"1\"\r\nContent-Length: \(body.count)\r\nConnection: close\r\n\r\n")
        connection.write(Array(body.prefix(count)))
    }

    /// Where the range begins that a request asks for (RFC 9110 section 14.1.2).
    private static func firstByte(of request: String) -> Int? {
        request.lowercased().firstMatch(of: /range: bytes=(\d+)-/).flatMap { Int($0.1) }
    }
}
