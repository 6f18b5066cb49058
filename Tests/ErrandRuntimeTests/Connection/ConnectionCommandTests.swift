import ErrandTesting
import Foundation
import Testing

@testable import ErrandConnections
@testable import ErrandRuntime

/// Commands over an open connection.
@Suite(.timeLimit(.minutes(2))) struct ConnectionCommandTests {
    @Test func aCommandIsAFrameAndItsReplyTheResponse() async throws {
        let server = ScriptedMessages { frame, line in line.reply(to: frame, #"{"is":5}"#) }
        let parlor = Parlor(server)
        #expect(try await parlor.send(Parlor.Ask(of: 3)) == 5)
        #expect(try await parlor.send(Parlor.Ask(of: 4)) == 5)
        #expect(
            server.frames.map(\.text) == [
                #"{"type":"ask","id":"1","data":{"of":3}}"#, #"{"type":"ask","id":"2","data":{"of":4}}"#,
            ])
        #expect(server.openings.count == 1)
        let opening = try #require(server.openings.first)
        #expect(opening.url == "wss://parlor.example/v1")
        #expect(opening.subprotocol == "parlor.v1")
        #expect(opening.headers["X-Device"] == "device-canary")
    }

    @Test func repliesComeInAnyOrder() async throws {
        let waiting = LockedState<[SentFrame]> { [] }
        let server = ScriptedMessages { frame, line in
            let all = waiting.withLock { waiting -> [SentFrame] in
                waiting.append(frame)
                return waiting.count == 20 ? waiting : []
            }
            for frame in all.reversed() { line.reply(to: frame, frame.data.replacing("of", with: "is")) }
        }
        let parlor = Parlor(server)
        let sum = await withTaskGroup(of: Bool.self) { group in
            for number in 1...20 {
                group.addTask { (try? await parlor.send(Parlor.Ask(of: number))) == number }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(sum == 20)
    }

    @Test func withoutATransportTheCommandFailsAndNamesTheProduct() async throws {
        let failure = await Parlor(nil).result(of: Parlor.Ask()).failure
        #expect(failure?.context.name == "invalidRequest")
        #expect(failure.map { "\($0.context)".contains("ErrandWebSocket") } == true)
    }

    @Test func aCommandWithoutAReplyEndsWhenItIsWritten() async throws {
        let server = ScriptedMessages { _, _ in }
        try await Parlor(server).send(Parlor.Wave())
        #expect(server.frames.map(\.text) == [#"{"type":"wave","id":"1"}"#])
    }

    @Test func aFailureIsClassifiedByTheTable() async throws {
        let server = ScriptedMessages { frame, line in
            line.reply(to: frame, #"{"code":"noRoom","message":"there is no room"}"#, kind: "error")
        }
        let failure = await Parlor(server).result(of: Parlor.Ask()).failure
        #expect(failure?.context.name == "noRoom")
        #expect(failure?.context.serverMessage == "there is no room")
        #expect(failure?.context.applied == .never)
    }

    @Test func aFailureWithoutARowIsNoSuccess() async throws {
        let server = ScriptedMessages { frame, line in line.reply(to: frame, #"{"is":5}"#, kind: "error") }
        let failure = await Parlor(server).result(of: Parlor.Ask()).failure
        #expect(failure?.context.name == "rejected")
    }

    @Test func aRetryableFailureIsSentAgainOverTheSameConnection() async throws {
        let server = ScriptedMessages { frame, line in
            if frame.id == "1" {
                line.reply(to: frame, #"{"code":"busy"}"#, kind: "error")
            } else {
                line.reply(to: frame, #"{"is":5}"#)
            }
        }
        let reply = try await Parlor(server).reply(to: Parlor.Ask())
        #expect(reply.value == 5)
        #expect(server.frames.count == 2 && server.openings.count == 1)
    }

    @Test func theKeyIsAFieldOfThePayload() async throws {
        let server = ScriptedMessages { frame, line in line.reply(to: frame, #"{"is":5}"#) }
        _ = try await Parlor(server).send(Parlor.Post())
        #expect(server.frames.first?.data.contains(#""key":""#) == true)
    }

    @Test func aCallersHeaderHasNoPlace() async throws {
        let server = ScriptedMessages { frame, line in line.reply(to: frame, #"{"is":5}"#) }
        let failure = await Parlor(server).with { $0.headers = ["X-A": "b"] }.result(of: Parlor.Ask()).failure
        #expect(failure?.context.name == "invalidRequest")
        #expect(server.openings.isEmpty)
    }

    @Test func anHTTPServerIsRefused() async throws {
        var parlor = Parlor(ScriptedMessages { _, _ in })
        parlor.binding = ServiceBinding(
            Parlor.service, server: "https://parlor.example", on: parlor.binding.dispatcher, session: Session())
        let failure = await parlor.result(of: Parlor.Ask()).failure
        #expect(failure?.context.brokenFields == [BrokenField(name: "server", reason: "must be a ws or wss URL")])
    }

    @Test func interceptorsMayChangeThePayload() async throws {
        struct Change: Interceptor {
            func intercept(
                _ request: TransportRequest,
                next: @Sendable (TransportRequest) async throws(TransportFault) -> TransportResponse
            ) async throws(TransportFault) -> TransportResponse {
                var request = request
                request.body = Array(#"{"of":9}"#.utf8)
                return try await next(request)
            }
        }
        let server = ScriptedMessages { frame, line in line.reply(to: frame, frame.data.replacing("of", with: "is")) }
        #expect(try await Parlor(server, interceptors: [Change()]).send(Parlor.Ask()) == 9)
    }

    @Test func clientsOfOneDispatcherShareTheConnection() async throws {
        let server = ScriptedMessages { frame, line in line.reply(to: frame, #"{"is":5}"#) }
        let session = Session()
        let first = Parlor(server, session: session)
        let second = Parlor(on: first.binding.dispatcher, session: session)
        _ = try await first.send(Parlor.Ask())
        _ = try await second.send(Parlor.Ask())
        #expect(server.openings.count == 1)
        // Another session may be another user's.
        _ = try await Parlor(on: first.binding.dispatcher, session: Session()).send(Parlor.Ask())
        #expect(server.openings.count == 2)
    }
}

extension Result {
    /// The failure; nil for a success.
    var failure: Failure? {
        if case .failure(let failure) = self { failure } else { nil }
    }
}
