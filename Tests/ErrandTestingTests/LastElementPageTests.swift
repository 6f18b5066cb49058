import ErrandRuntime
import ErrandTesting
import EverythingClient
import Foundation
import Testing

/// Lists whose cursor is in the last element, beside a flag for another page.
@Suite struct LastElementPageTests {
    private static func client(on dispatcher: Dispatcher) -> Everything {
        Everything(.fixed, on: dispatcher, common: .init(xDevice: UUID(), apiKey: "k"), secretKey: "s")
    }

    /// The cursor of each request; nil if it has none.
    private static func cursors(_ transport: ScriptedTransport) -> [String?] {
        transport.requests.map { request in
            request.url.split { $0 == "?" || $0 == "&" }.first { $0.hasPrefix("starting_after=") }
                .map { String($0.dropFirst("starting_after=".count)) }
        }
    }

    private static func walk(_ bodies: [String]) async -> (keys: [Int], problem: PageError?, cursors: [String?]) {
        let transport = ScriptedTransport { _, number in .json(bodies[min(number, bodies.count) - 1]) }
        let client = Self.client(on: Dispatcher(transport: transport))
        let elements = client.elements(of: Everything.PageByLast()).makeAsyncIterator()
        var keys: [Int] = []
        do throws(Everything.Failure) {
            while let element = try await elements.next() { keys.append(element.key) }
            return (keys, nil, cursors(transport))
        } catch {
            return (keys, error.context.underlying as? PageError, cursors(transport))
        }
    }

    @Test func theLastElementLeadsToTheNextPage() async {
        let walk = await Self.walk([
            #"{"data":[{"id":4,"text":"a"},{"id":9,"text":"b"}],"has_more":true}"#,
            #"{"has_more":false,"data":[{"id":12,"text":"c"}]}"#,
        ])
        #expect(walk.keys == [4, 9, 12] && walk.problem == nil)
        #expect(walk.cursors == [nil, "9"])
    }

    /// An element that cannot be read is in the list of the server all the same.
    @Test func anElementThatIsSkippedIsTheLast() async {
        let walk = await Self.walk([
            #"{"data":[{"id":4,"text":"a"},{"id":9,"text":7}],"has_more":true}"#,
            #"{"data":[],"has_more":false}"#,
        ])
        #expect(walk.keys == [4] && walk.problem == nil)
        #expect(walk.cursors == [nil, "9"])
    }

    @Test(arguments: [
        (#"{"data":[],"has_more":true}"#, PageError.missingCursor),
        (#"{"data":[{"text":"a"}],"has_more":true}"#, .invalidCursor),
        (#"{"data":[{"id":{},"text":"a"}],"has_more":true}"#, .invalidCursor),
        (#"{"data":[{"id":99999999999,"text":"a"}],"has_more":true}"#, .invalidCursor),
        (#"{"data":[{"id":3,"text":7},{"id":4,"text":"a"}],"has_more":true}"#, .repeated),
    ])
    func aPageWithoutAWayOnFails(_ body: String, _ problem: PageError) async {
        #expect(await Self.walk([body]).problem == problem)
    }

    @Test func aSimulatedServerTurnsThePages() async throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try await Simulation.run { simulation in
            simulation.server.list(of: Everything.PageByLast.self, hasElements: 25)
            let client = Self.client(on: simulation.dispatcher)
            var keys: [Int] = []
            for try await element in client.elements(of: Everything.PageByLast()) { keys.append(element.key) }
            #expect(keys == Array(0..<25))
        }
    }
}
