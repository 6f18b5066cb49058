import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The code that an app's engineer would write by hand over URLSession. FoundationNetworking has no `bytes(for:)`, so a
/// delegate receives the bytes on all systems.
struct PlainURLSession: Contender {
    private let session = URLSession(configuration: .ephemeral)

    func carryOut(_ job: Job) async throws -> Int {
        switch job.name {
        case .down: return try await stream(job, "/bytes?count=\(job.count)") { $0.count }
        case .file: return try await download(job)
        case .up: return try await upload(job)
        case .pages, .elements, .loop:
            var sum = 0
            for page in 1...job.count {
                let data = try await load(URLRequest(url: url(job, "/items?page=\(page)&pages=\(job.count)")))
                for item in try JSONDecoder().decode(PlainPage.self, from: data).items { sum += item.id }
            }
            return sum
        case .events:
            let lines = PlainLines(prefix: "data: ")
            return try await stream(job, "/ticks?count=\(job.count)") { data in
                try lines.append(data) { try JSONDecoder().decode(PlainTick.self, from: Data($0)).id }
            }
        case .lines:
            let lines = PlainLines()
            return try await stream(job, "/lines?count=\(job.count)") { data in
                try lines.append(data) { try JSONDecoder().decode(PlainTick.self, from: Data($0)).id }
            }
        case .frames: throw Problem("no connection")
        case .commands:
            var sum = 0
            for _ in 0..<job.count {
                var request = URLRequest(url: try url(job, "/items"))
                request.httpMethod = "POST"
                request.setValue("application/json", forHTTPHeaderField: "Content-Type")
                request.httpBody = try JSONEncoder().encode(PlainBody.example)
                sum += try JSONDecoder().decode(PlainItem.self, from: try await load(request)).id
            }
            return sum
        }
    }

    private func url(_ job: Job, _ path: String) throws -> URL {
        guard let url = URL(string: job.server + path) else { throw URLError(.badURL) }
        return url
    }

    private func load(_ request: URLRequest) async throws -> Data {
        let (data, response) = try await session.data(for: request)
        guard (response as? HTTPURLResponse)?.statusCode == 200 else { throw URLError(.badServerResponse) }
        return data
    }

    private func stream(
        _ job: Job, _ path: String, _ take: @escaping @Sendable (Data) throws -> Int
    ) async throws -> Int {
        let url = try url(job, path)
        return try await withCheckedThrowingContinuation { continuation in
            let reader = PlainReader(take) { continuation.resume(with: $0) }
            let session = URLSession(configuration: .ephemeral, delegate: reader, delegateQueue: nil)
            session.dataTask(with: url).resume()
            session.finishTasksAndInvalidate()
        }
    }

    private func download(_ job: Job) async throws -> Int {
        let url = try url(job, "/bytes?count=\(job.count)")
        try? FileManager.default.removeItem(atPath: job.file)
        return try await withCheckedThrowingContinuation { continuation in
            session.downloadTask(with: url) { file, response, error in
                continuation.resume(
                    with: Result {
                        guard let file, (response as? HTTPURLResponse)?.statusCode == 200 else {
                            throw error ?? URLError(.badServerResponse)
                        }
                        try FileManager.default.moveItem(atPath: file.path, toPath: job.file)
                        return try FileManager.default.attributesOfItem(atPath: job.file)[.size] as? Int ?? 0
                    })
            }.resume()
        }
    }

    private func upload(_ job: Job) async throws -> Int {
        var request = URLRequest(url: try url(job, "/bytes"))
        request.httpMethod = "PUT"
        return try await withCheckedThrowingContinuation { continuation in
            session.uploadTask(with: request, fromFile: URL(fileURLWithPath: job.file)) { data, _, error in
                continuation.resume(
                    with: Result {
                        guard let data else { throw error ?? URLError(.badServerResponse) }
                        return try JSONDecoder().decode(PlainCount.self, from: data).count
                    })
            }.resume()
        }
    }
}

/// Adds up the results of parsing the bytes of a response.
private final class PlainReader: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    // Accessed only on the delegate's queue.
    private var sum = 0
    private var problem: (any Error)?
    private let take: @Sendable (Data) throws -> Int
    private let finish: @Sendable (Result<Int, any Error>) -> Void

    init(
        _ take: @escaping @Sendable (Data) throws -> Int,
        _ finish: @escaping @Sendable (Result<Int, any Error>) -> Void
    ) {
        (self.take, self.finish) = (take, finish)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        do { sum += try take(data) } catch { problem = error }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        if let error = error ?? problem { finish(.failure(error)) } else { finish(.success(sum)) }
    }
}
