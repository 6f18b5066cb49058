import ErrandRuntime
import EverythingClient
import Foundation
import Testing

/// The methods of groups, which send what the client's own methods send.
@Suite struct GroupTests {
    private func client(_ transport: RecordingTransport) -> Everything {
        Everything(
            .fixed, on: Dispatcher(transport: transport), session: Session(tokens: SessionTokens(access: "t")),
            common: Everything.Common(xDevice: UUID(), apiKey: "k"), secretKey: "s")
    }

    @Test func aGroupHasShortNames() async throws {
        let transport = RecordingTransport(200, #"{"data":7}"#)
        let books = client(transport).books
        #expect(try await books.create(title: "Emma", client: "c") == 7)
        #expect(transport.requests.last?.url.hasPrefix("https://everything.example/a/books?") == true)
        #expect(transport.body.hasPrefix(#"{"title":"Emma","client":"c","at":2"#))
        try await books.import(body: .bytes([1]))
        #expect(transport.requests.last?.url.hasPrefix("https://everything.example/a/books/whole") == true)
    }

    @Test func theFlatNamesStay() async throws {
        let transport = RecordingTransport(200, #"{"data":[1]}"#)
        let client = client(transport)
        #expect(try await client.books.listPages(book: 3) == [1])
        #expect(try await client.listPagesOfBook(book: 3) == [1])
        #expect(transport.requests.map(\.method) == [.get, .get])
        #expect(Set(transport.requests.map { $0.url.prefix { $0 != "?" } }).count == 1)
    }

    /// A short name that another endpoint has, or that is no name, is not taken.
    @Test func otherEndpointsKeepTheirNames() async throws {
        let transport = RecordingTransport(200, "[1]")
        _ = try? await client(transport).oddNames.default()
        _ = try? await client(transport).oddNames.list()
        #expect(transport.requests.count == 2)
    }

    @Test func streamsAreStreams() {
        let client = client(RecordingTransport())
        let (flat, grouped) = (client.followMarks(), client.streams.followMarks())
        #expect(type(of: flat) == type(of: grouped))
    }
}
