@_spi(Measuring) import ErrandRuntime
import FeedClient
import MeasuredTurns

/// Reads a response of the contract as the runtime does: envelope, decision table, payload.
enum EnvelopeReading {
    static func articles(_ body: [UInt8]) throws -> [Feed.Article] {
        guard let articles = try Feed.ListArticles.response(readFrom: body) else {
            throw Disagreement(what: "what a success is")
        }
        return articles
    }
}

/// A transport that already has the response.
struct InstantTransport: Transport {
    private let answer: TransportResponse

    static func client(answering body: [UInt8]) -> Feed {
        Feed(on: Dispatcher(transport: InstantTransport(answer: TransportResponse(status: 200, body: body))))
    }

    func send(_ request: TransportRequest) async throws(TransportFault) -> TransportResponse { answer }
}
