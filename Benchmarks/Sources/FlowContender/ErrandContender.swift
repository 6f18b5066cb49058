import ErrandRuntime
import FlowClient
import Foundation

#if HAS_ASYNC_HTTP_CLIENT
import AsyncHTTPClient
import ErrandAsyncHTTPClient
#endif

/// The generated client.
struct ErrandContender: Contender {
    private let flow: Flow

    private init(_ transport: any Transport, _ server: String) {
        flow = Flow(Flow.Server(url: server), on: Dispatcher(transport: transport))
    }

    /// Sends over the default transport.
    static func overSystemTransport(_ server: String) -> ErrandContender {
        ErrandContender(SystemTransport.make(), server)
    }

    #if HAS_ASYNC_HTTP_CLIENT
    static func overAsyncHTTPClient(_ server: String) -> ErrandContender {
        ErrandContender(AsyncHTTPClientTransport(), server)
    }
    #endif

    func carryOut(_ job: Job) async throws -> Int {
        var sum = 0
        switch job.name {
        case .down:
            for try await chunk in flow.chunks(of: Flow.Download(count: Int64(job.count))) { sum += chunk.count }
        case .file:
            let download = flow.download(
                Flow.Download(count: Int64(job.count)), to: URL(fileURLWithPath: job.file))
            try await download.finish()
            sum = download.progress.current.bytes
        case .up: sum = Int(try await flow.upload(body: .file(at: URL(fileURLWithPath: job.file))).count)
        case .pages:
            sum = try await job.reader.sum(flow.pages(of: Flow.ListItems(pages: job.count))) { page in
                page.elements.reduce(0) { $0 + $1.id }
            }
        case .elements:
            sum = try await job.reader.sum(flow.elements(of: Flow.ListItems(pages: job.count))) { $0.id }
        case .loop:
            for page in 1...job.count {
                for item in try await flow.listItems(page: page, pages: job.count).items { sum += item.id }
            }
        case .events: sum = try await job.reader.sum(flow.watchTicks(count: job.count)) { $0.id }
        case .lines: sum = try await job.reader.sum(flow.watchLines(count: job.count)) { $0.id }
        case .frames: throw Problem("no connection")
        case .commands:
            for _ in 0..<job.count {
                sum += try await flow.addItem(name: "Item number 7", price: 12.5, tags: ["new", "small"]).id
            }
        }
        return sum
    }
}
