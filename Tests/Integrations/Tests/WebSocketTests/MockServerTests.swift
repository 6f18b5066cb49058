import ErrandWebSocket
import Foundation
import PresenceClient
import Testing

@testable import ErrandRuntime

/// The generated client against `errand mock`, which plays the same contract. Without a tool that was built before, they are skipped.
@Suite(.enabled(if: MockProcess.isAvailable), .serialized) struct MockServerTests {
    @Test(.timeLimit(.minutes(2))) func theGeneratedClientUnderstandsTheMockServer() async throws {
        let mock = try MockProcess(["--event-interval", "50ms"])
        defer { mock.stop() }
        let presence = try mock.makeClient()
        let heard = Task {
            for await next in presence.events(of: Presence.Notice.self) {
                if let notice = next.event { return notice.text }
            }
            return ""
        }
        _ = try await presence.queryInfo(of: 7)
        #expect(try await presence.sendMessage(room: 1, text: "Hello").text == "Hello")
        var places: [Int] = []
        for try await event in presence.follow(room: 1) { places.append(event.seq) }
        #expect(places == [1, 2, 3, 4, 5])
        #expect(await !heard.value.isEmpty)
    }

    /// Each connection is cut after two elements, and no element is missing or comes twice.
    @Test(.timeLimit(.minutes(2))) func aSubscriptionSurvivesCuts() async throws {
        let mock = try MockProcess(["--event-interval", "0s", "--fail", "follow=cut-inside"])
        defer { mock.stop() }
        let presence = try mock.makeClient()
        var places: [Int] = []
        for try await event in presence.follow(room: 1) { places.append(event.seq) }
        #expect(places == [1, 2, 3, 4, 5])
    }

    @Test(.timeLimit(.minutes(2))) func failuresAreThoseOfTheContract() async throws {
        let mock = try MockProcess(["--event-interval", "0s", "--fail", "sendMessage=roomFull", "--fail", "poke=muted"])
        defer { mock.stop() }
        let presence = try mock.makeClient()
        await #expect { _ = try await presence.sendMessage(room: 1, text: "Hello") } throws: { error in
            "\(error)".contains("roomFull")
        }
        guard case .muted = try await presence.poke(user: 7) else {
            Issue.record("the outcome is not played")
            return
        }
    }
}

/// `errand mock` with the contract `presence`, as another process.
private final class MockProcess {
    struct NotStarted: Error {}

    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private static let tool = root.appendingPathComponent(".build/debug/errand")
    static var isAvailable: Bool { FileManager.default.isExecutableFile(atPath: tool.path) }

    private let url: String
    private let process = Process()
    private let output = Pipe()

    init(_ arguments: [String]) throws {
        process.executableURL = Self.tool
        process.arguments =
            ["mock", Self.root.appendingPathComponent("contracts/presence.contract.yaml").path, "--port", "0"]
            + arguments
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        var text = Data()
        while !text.contains(0x0A) {
            let part = output.fileHandleForReading.availableData
            guard !part.isEmpty else { throw NotStarted() }
            text += part
        }
        // The log is not read, and must not fill the pipe.
        output.fileHandleForReading.readabilityHandler = { _ = $0.availableData }
        let line = String(decoding: text, as: UTF8.self)
        guard let start = line.range(of: "ws://") else { throw NotStarted() }
        url = String(line[start.lowerBound...].prefix { !$0.isWhitespace })
    }

    func stop() {
        output.fileHandleForReading.readabilityHandler = nil
        kill(process.processIdentifier, SIGKILL)
    }

    func makeClient() throws -> Presence {
        let dispatcher = Dispatcher(
            network: AlwaysSatisfiedPath(), settings: DispatcherSettings(messageTransport: try WebSocketTransport()),
            environment: DispatcherEnvironment(clock: FastClock(factor: 8)))
        return Presence(
            Presence.Server(url: url), on: dispatcher,
            session: Session { Presence.LogIn(user: "ada", password: "lovelace") })
    }
}
