import ErrandTransport
import ErrandTransportConformance
import ErrandURLSession
import Foundation
import Testing

@testable import ErrandRuntime

/// Events without data, and streams that end in the middle of an element, over real sockets.
@Suite(.serialized, .timeLimit(.minutes(1))) struct StreamEndTests {
    private static let transports: [(name: String, transport: any Transport)] = [
        ("default", SystemTransport.make()), ("URLSession", URLSessionTransport()),
    ]

    /// A server whose responses have no length: the end of the connection ends the body. A CR before a break is in the text.
    private func serve(_ type: String, _ bodies: [[UInt8]]) throws -> RawServer {
        try RawServer { connection, number in
            guard connection.readRequest() != nil else { return }
            connection.write("HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nConnection: close\r\n\r\n")
            connection.write(bodies[min(number, bodies.count) - 1])
        }
    }

    private func read<C: StreamCommand>(
        _ command: C, _ server: RawServer, _ transport: any Transport, attempts: Int = 3
    ) async -> (elements: [C.Element], failure: C.Failure?) where C.Service == Feed {
        let rule = RetryRule(attempts: attempts, base: .milliseconds(1), cap: .milliseconds(2))
        let feed = Feed(
            Dispatcher(
                transport: transport, settings: DispatcherSettings(retry: rule),
                environment: DispatcherEnvironment(clock: InstantClock())),
            server: server.url)
        var elements: [C.Element] = []
        var iterator = feed.stream(command).makeAsyncIterator()
        do throws(C.Failure) {
            while let element = try await iterator.next() { elements.append(element) }
            return (elements, nil)
        } catch {
            return (elements, error)
        }
    }

    // MARK: Heartbeats

    @Test(arguments: [
        "data:\n\n", "data\n\n", "data: \n\n", "data:\ndata:\n\n", "event: ping\ndata:\n\n", "id: 2\ndata:\n\n",
    ])
    func anEventWithoutDataIsNoElement(_ beat: String) async throws {
        for (name, transport) in Self.transports {
            let text = beat + "id: 1\ndata: {\"n\":1}\n\n" + beat + "data: {\"n\":2}\n\n" + beat
            let server = try serve("text/event-stream", [Array(text.utf8)])
            let (elements, failure) = await read(Feed.Watch(), server, transport)
            #expect(elements == [1, 2] && failure == nil, "\(name): \(String(describing: failure))")
        }
    }

    /// An event that the contract declares as a failure is one without data, too.
    @Test func aFailureWithoutDataIsStillOne() async throws {
        let server = try serve("text/event-stream", [Array("data: {\"n\":1}\n\nevent: error\ndata:\n\n".utf8)])
        let (elements, failure) = await read(Feed.Watch(), server, Self.transports[0].transport)
        #expect(elements == [1] && failure?.context.name == "rejected")
    }

    /// A heartbeat has no id of its own, and the server continues after the last element all the same.
    @Test func aHeartbeatKeepsThePlace() async throws {
        let first = "id: 1\ndata: {\"n\":1}\n\ndata:\n\nid: 2\nda"
        let server = try serve("text/event-stream", [first, "id: 2\ndata: {\"n\":2}\n\n"].map { Array($0.utf8) })
        let (elements, failure) = await read(Feed.Watch(), server, Self.transports[0].transport)
        #expect(elements == [1, 2] && failure == nil, "\(String(describing: failure))")
        #expect(server.requests.count == 2 && server.requests.last?.contains("Last-Event-ID: 1\r\n") == true)
    }

    // MARK: Ends

    /// Each byte in turn is the last one of a response without a length. No part of an element is taken for all of it, and none is
    /// the server's mistake.
    @Test func aLineThatIsCutIsALostConnection() async throws {
        let line =
            Array(#"{"n":1}"#.utf8) + [10]
            + Array(#" {"b":["é\u00e9\ud83d\ude00🐙\"",-1.5e+3,true,null,{}],"n":2}"#.utf8)
        for (name, transport) in Self.transports {
            for end in 9..<line.count {
                let server = try serve("application/x-ndjson", [Array(line[..<end])])
                let (elements, failure) = await read(Feed.Lines(), server, transport, attempts: 1)
                #expect(elements == [1], "\(name), \(end) bytes")
                // A blank is no part of an element.
                let wanted = end == 9 ? nil : "connectionLost"
                #expect(failure?.context.name == wanted, "\(name), \(end) bytes: \(String(describing: failure))")
            }
            let server = try serve("application/x-ndjson", [line])
            let (elements, failure) = await read(Feed.Lines(), server, transport, attempts: 1)
            #expect(elements == [1, 2] && failure == nil, "\(name): the last line needs no break")
        }
    }

    /// A line without a break that no further byte can complete is the server's mistake.
    @Test func aLastLineThatIsNoJSONIsMalformed() async throws {
        let server = try serve("application/x-ndjson", [Array("{\"n\":1}\nhello, all of you".utf8)])
        let (elements, failure) = await read(Feed.Lines(), server, Self.transports[0].transport)
        #expect(elements == [1] && failure?.context.name == "malformed")
    }

    @Test(arguments: ["data: {\"n\":2}\n", "data: {\"n\":2}", "data: {\"n", "da", "id: 7"])
    func anEventThatIsCutIsALostConnection(_ rest: String) async throws {
        for (name, transport) in Self.transports {
            let server = try serve("text/event-stream", [Array(("data: {\"n\":1}\n\n" + rest).utf8)])
            let (elements, failure) = await read(Feed.Watch(), server, transport)
            #expect(elements == [1] && failure?.context.name == "connectionLost", "\(name)")
        }
    }

    @Test(arguments: ["", ": be", "\n", "data:\n", "event: ping\n\n"])
    func whatIsNoElementIsNotMissed(_ rest: String) async throws {
        let server = try serve("text/event-stream", [Array(("data: {\"n\":1}\n\n" + rest).utf8)])
        let (elements, failure) = await read(Feed.Watch(), server, Self.transports[0].transport)
        #expect(elements == [1] && failure == nil, "\(String(describing: failure))")
    }
}
