import ErrandTesting
import Foundation
import Testing

@testable import ErrandConnections
@testable import ErrandRuntime

/// Many commands on one connection.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ConnectionLoadTests {
    /// A service like Parlor's, with room for many.
    struct Hall: ConnectionClient {
        var binding: ServiceBinding

        init(_ server: ScriptedMessages) {
            let settings = DispatcherSettings(maximumRequestsPerHost: 16_384, messageTransport: server)
            binding = ServiceBinding(
                Self.service, server: "ws://hall.example",
                on: Dispatcher(
                    transport: ScriptedTransport { _, _ in TransportResponse(status: 500) }, settings: settings),
                session: Session())
        }

        static let service = ServiceDescription(
            name: "Hall", version: "1",
            connection: ConnectionDescription(
                .persistent,
                reconnect: RetryRule(base: .milliseconds(5), cap: .milliseconds(50)), maximumPending: 16_384,
                maximumBuffer: 4_096))

        struct Ask: ErrandRuntime.Command {
            typealias Service = Hall
            typealias Failure = Parlor.Failure
            typealias Response = Void
            static let endpoint = EndpointDescription(
                Hall.service, "ask", frame: FrameDescription("ask"), effect: .read, timeout: .seconds(100),
                deadline: .seconds(200), response: .none)
            func encode(into request: inout RequestEncoder) {}
        }

        struct Follow: ResumableCommand {
            typealias Service = Hall
            typealias Failure = Parlor.Failure
            typealias Element = Int
            static let endpoint = EndpointDescription(
                Hall.service, "follow", frame: FrameDescription("follow", replies: .many), effect: .read,
                retry: RetryRule(attempts: 30), response: .stream,
                stream: StreamDescription(.frames, end: "closed", cancel: "unfollow"))
            var since: Int?
            func encode(into request: inout RequestEncoder) {
                request.beginBody(.json)
                if let since { request.field("since", since) }
            }
            static func element(from reader: inout JSONReader) -> Int? { Parlor.number("seq", &reader) }
            static func position(of element: Int) -> StreamPosition? { StreamPosition(element) }
            func resuming(after position: StreamPosition) -> Self { Follow(since: position.number) }
        }
    }

    @Test(arguments: [1_000, 10_000]) func allPendingCommandsSurviveAReconnect(_ count: Int) async throws {
        let server = ScriptedMessages { frame, line in
            if line.number > 1 { line.say(#"{"type":"ask","id":"\#(frame.id)"}"#) }
        }
        let hall = Hall(server)
        let asks = (0..<count).map { _ in Task { await hall.result(of: Hall.Ask()).failure == nil } }
        #expect(await eventually(within: .seconds(60)) { server.frames.count == count })
        let start = Self.processorTime
        server.line?.cut()
        var answered = 0
        for ask in asks where await ask.value { answered += 1 }
        let spent = Self.processorTime - start
        #expect(answered == count)
        #expect(server.frames.count == 2 * count && server.openings.count == 2)
        print("a reconnect with \(count) pending commands: \(spent) s of CPU")
        // In a debug build on a busy machine: a step that is quadratic takes minutes.
        #expect(spent < 30)
    }

    @Test func atMostSoManyArePendingAndTheRestWait() async throws {
        let server = ScriptedMessages { _, _ in }
        let parlor = Parlor(server)
        let asks = (0..<200).map { _ in Task { await parlor.result(of: Parlor.Ask()) } }
        let dispatcher = parlor.binding.dispatcher
        #expect(await eventually { server.frames.count == 64 && dispatcher.waitingCount == 136 })
        #expect(dispatcher.waiting.allSatisfy { $0.place == .host })
        for frame in server.frames { server.line?.reply(to: frame, #"{"is":5}"#) }
        #expect(await eventually { server.frames.count == 128 })
        for ask in asks { ask.cancel() }
        for ask in asks { _ = await ask.value }
        #expect(dispatcher.waitingCount == 0)
    }

    @Test func aSlowReaderLosesItsSubscriptionAndMakesItAgain() async throws {
        // The server does not wait for anybody: it repeats what comes after the position.
        let server = ScriptedMessages { frame, line in
            guard frame.kind == "follow" else { return }
            let since = frame.text.firstRange(of: #""since":"#).flatMap {
                Int(frame.text[$0.upperBound...].prefix { $0.isNumber })
            }
            for number in ((since ?? 0) + 1)...2_000 {
                line.say(#"{"type":"follow","id":"\#(frame.id)","seq":\#(number)}"#)
            }
            line.say(#"{"type":"closed","id":"\#(frame.id)"}"#)
        }
        let hall = Hall(server)
        var elements: [Int] = []
        for try await element in hall.stream(Hall.Follow()) {
            elements.append(element)
            if elements.count == 1 { try await Task.sleep(for: .seconds(7)) }
        }
        #expect(elements == Array(1...2_000))
        // It was left after five seconds, so that others could be answered, and told so.
        #expect(server.kinds.contains("unfollow"))
        #expect(server.openings.count == 1)
    }

    /// The seconds of CPU that this process has used.
    private static var processorTime: Double { Double(clock()) / Double(CLOCKS_PER_SEC) }
}
