#if HAS_ASYNC_HTTP_CLIENT
import AsyncHTTPClient
import ErrandJSON
import FlowClient
import Foundation
import NIOCore
import NIOFoundationCompat

/// The code that an engineer would write by hand over AsyncHTTPClient for a server, on the client that the process shares.
struct PlainAsyncHTTPClient: Contender {
    enum Reading: Sendable {
        /// Foundation's coders.
        case decoder
        /// The generated parser, so that a ratio shows the cost of everything else.
        case generated
    }

    let reading: Reading

    func carryOut(_ job: Job) async throws -> Int {
        var sum = 0
        switch job.name {
        case .down:
            for try await part in try await open(job, "/bytes?count=\(job.count)") { sum += part.readableBytes }
        case .file:
            let file = try PlainFile(writing: job.file)
            for try await part in try await open(job, "/bytes?count=\(job.count)") { sum += try file.write(part) }
        case .up:
            var request = HTTPClientRequest(url: job.server + "/bytes")
            request.method = .PUT
            request.body = .stream(
                PlainFile(reading: job.file), length: .known(Int64(job.count)))
            let response = try await HTTPClient.shared.execute(request, timeout: .seconds(120))
            let body = try await response.body.collect(upTo: 1 << 20)
            sum = try JSONDecoder().decode(PlainCount.self, from: body).count
        case .pages, .elements, .loop:
            for page in 1...job.count {
                let body = try await open(job, "/items?page=\(page)&pages=\(job.count)").collect(upTo: 1 << 20)
                sum += try items(body)
            }
        case .events:
            let lines = PlainLines(prefix: "data: ")
            sum = try await job.reader.sum(open(job, "/ticks?count=\(job.count)")) { part in
                try lines.append(part.readableBytesView, id)
            }
        case .lines:
            let lines = PlainLines()
            sum = try await job.reader.sum(open(job, "/lines?count=\(job.count)")) { part in
                try lines.append(part.readableBytesView, id)
            }
        case .frames: throw Problem("no connection")
        case .commands: for _ in 0..<job.count { sum += try await command(job) }
        }
        return sum
    }

    private func open(_ job: Job, _ path: String) async throws -> HTTPClientResponse.Body {
        let response = try await HTTPClient.shared.execute(
            HTTPClientRequest(url: job.server + path), timeout: .seconds(600))
        guard response.status == .ok else { throw Problem("status \(response.status.code)") }
        return response.body
    }

    private func items(_ body: ByteBuffer) throws -> Int {
        var sum = 0
        switch reading {
        case .decoder: for item in try JSONDecoder().decode(PlainPage.self, from: body).items { sum += item.id }
        case .generated:
            for item in try JSON.scan(Array(body.readableBytesView), Flow.ListItems.Response.load).items {
                sum += item.id
            }
        }
        return sum
    }

    private func id(_ data: ArraySlice<UInt8>) throws -> Int {
        switch reading {
        case .decoder: try JSONDecoder().decode(PlainTick.self, from: Data(data)).id
        case .generated: try JSON.scan(Array(data), Flow.Tick.load).id
        }
    }

    private func command(_ job: Job) async throws -> Int {
        var request = HTTPClientRequest(url: job.server + "/items")
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json")
        request.headers.add(name: "Accept", value: "application/json")
        switch reading {
        case .decoder:
            request.body = .bytes(try JSONEncoder().encodeAsByteBuffer(PlainBody.example, allocator: .init()))
        case .generated:
            request.body = .bytes(
                try JSON.bytes { writer in
                    writer.beginObject()
                    writer.key("name")
                    writer.write("Item number 7")
                    writer.key("price")
                    writer.write(12.5)
                    writer.key("tags")
                    ["new", "small"].write(to: &writer)
                    writer.endObject()
                })
        }
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(60))
        guard response.status == .ok else { throw Problem("status \(response.status.code)") }
        let body = try await response.body.collect(upTo: 1 << 20)
        return switch reading {
        case .decoder: try JSONDecoder().decode(PlainItem.self, from: body).id
        case .generated: try JSON.scan(Array(body.readableBytesView), Flow.Item.load).id
        }
    }
}
#endif
