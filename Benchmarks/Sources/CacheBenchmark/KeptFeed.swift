import ErrandRuntime
import FeedClient
import FeedDocuments

/// A transport that has the articles, and counts how often it is asked.
final class ArticleTransport: Transport {
    private let response: TransportResponse
    /// How long each response takes.
    private let delay: Duration
    private let count = RequestCount()

    init(_ articles: [UInt8], delay: Duration = .zero) {
        response = TransportResponse(status: 200, headers: Self.headers, body: articles)
        self.delay = delay
    }

    static let headers: HTTPHeaders = [
        "Content-Type": "application/json", "Cache-Control": "max-age=86400", "ETag": "\"1\"",
    ]

    var sent: Int { get async { await count.value } }

    func send(_ request: TransportRequest) async throws(TransportFault) -> TransportResponse {
        await count.add()
        if delay > .zero { try? await Task.sleep(for: delay) }
        return response
    }

    private actor RequestCount {
        var value = 0
        func add() { value += 1 }
    }
}

/// A network that an app in a tunnel has.
struct NoNetwork: Transport {
    func send(_ request: TransportRequest) async throws(TransportFault) -> TransportResponse {
        throw TransportFault(.offline, evidence: .notSent)
    }
}

enum KeptFeed {
    /// A response in the contract's envelope, of at least so many bytes.
    static func articles(bytes: Int) -> [UInt8] {
        var document = FeedDocument()
        return FeedDocument.enveloped(document.articles(bytes: bytes), codeFirst: true)
    }

    /// A client whose responses are kept, in a folder if there is one.
    static func client(_ transport: any Transport, folder: String? = nil, size: Int = 0) -> Feed {
        let kept = folder.map { HTTPCacheFolder(path: $0, maximumSize: size) }
        return Feed(on: Dispatcher(transport: transport, settings: DispatcherSettings(cacheFolder: kept)))
    }
}
