import ErrandJSON
import ErrandTesting
import Foundation
import TestShelf
import Testing

@testable import ErrandRuntime

/// Lists in parts whose responses have declared headers.
@Suite struct PageHeaderTests {
    @Test func pagesOfAnEndpointWithDeclaredHeadersAreWalked() async throws {
        let transport = ScriptedTransport.scripted { _, number in
            var answer = TransportResponse.json(200, #"{"items":[\#(number)],"total":2}"#)
            answer.headers.append("X-Remaining", "\(10 - number)")
            return answer
        }
        let environment = DispatcherEnvironment(clock: InstantClock(), generator: SeededGenerator(seed: 7))
        let shelf = PagedShelf(on: Dispatcher(transport: transport, environment: environment))
        var found: [Int] = []
        for try await element in shelf.elements(of: CountedByPage()) { found.append(element) }
        #expect(found == [1, 2])
        #expect(transport.requests.count == 2)
    }
}

/// A page with a header that the contract declares, without which it could not be read.
private struct CountedByPage: PagedCommand, HeaderCommand {
    typealias Service = PagedShelf
    typealias Failure = CommandFault
    typealias Response = PagedShelf.ByPage.Response

    static let endpoint = EndpointDescription(
        PagedShelf.service, "countedByPage", .get, effect: .read,
        headers: [.text("X-Remaining", isRequired: true)], pagination: PagedShelf.ByPage.endpoint.pagination)

    var inner = PagedShelf.ByPage()

    func encode(into request: inout RequestEncoder) { inner.encode(into: &request) }
    static func load(from reader: inout JSONReader) -> Response? { PagedShelf.ByPage.load(from: &reader) }
    func pageMark() -> PageMark? { inner.pageMark() }
    func turned(to mark: PageMark) -> Self? { inner.turned(to: mark).map { Self(inner: $0) } }
    static func elements(of response: Response) -> [Int] { PagedShelf.ByPage.elements(of: response) }

    struct Headers: Sendable, JSONReadable {
        var remaining = 0
        static func load(from reader: inout JSONReader) -> Headers? {
            let keys = JSONKeys(["X-Remaining"])
            var headers = Headers()
            var fields = reader.beginObject()
            while reader.nextField(keys, &fields) == 0 { headers.remaining = reader.readLenientInt() }
            return reader.isFaulted ? nil : headers
        }
    }
}
