import Foundation

/// Does one job as one of the contenders, and prints its figures. Each contender has a process of its own, so their memory is
/// measured separately.
///
/// Usage: FlowContender CONTENDER JOB READER PORT COUNT FILE
///   READER task or mainActor: where the code that takes pages, elements and events runs
///   COUNT  bytes, pages, events, lines or commands
///   FILE   the file that a download writes, or that an upload sends
///
/// It prints seconds of wall time, seconds of processor time and the largest resident size in bytes.
@main
struct FlowContender {
    static func main() async {
        do {
            let words = CommandLine.arguments
            guard words.count == 7, let name = Job.Name(rawValue: words[2]), let reader = Reader(rawValue: words[3]),
                let port = Int(words[4]), let count = Int(words[5])
            else { throw Problem("usage: FlowContender CONTENDER JOB READER PORT COUNT FILE") }
            let job = Job(
                name: name, reader: reader, server: "http://127.0.0.1:\(port)", count: count, file: words[6])
            guard let contender = contender(words[1], job.server) else { throw Problem("no contender \(words[1])") }
            try await measure(job, contender)
        } catch {
            FileHandle.standardError.write(Data("FlowContender: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func contender(_ name: String, _ server: String) -> (any Contender)? {
        switch name {
        case "errand": ErrandContender.overSystemTransport(server)
        case "urlsession": PlainURLSession()
        #if HAS_ASYNC_HTTP_CLIENT
        case "errand-ahc": ErrandContender.overAsyncHTTPClient(server)
        case "ahc": PlainAsyncHTTPClient(reading: .decoder)
        case "ahc-same-reading": PlainAsyncHTTPClient(reading: .generated)
        case "errand-nio": ErrandFrames(server)
        case "nio": PlainFrames()
        #endif
        default: nil
        }
    }

    private static func measure(_ job: Job, _ contender: any Contender) async throws {
        // A first small job loads libraries and makes the connection.
        var small = job
        small.count = 1
        small.name = .commands
        _ = try await contender.carryOut(small)
        let (begun, used) = (ContinuousClock.now, Usage.processorTime)
        let result = try await contender.carryOut(job)
        let (wall, processor) = (ContinuousClock.now - begun, Usage.processorTime - used)
        guard result == job.expected else { throw Problem("\(job.name) came to \(result), not \(job.expected)") }
        let seconds = Double(wall.components.seconds) + Double(wall.components.attoseconds) / 1e18
        print(seconds, processor, Usage.peakMemory)
    }
}

/// The job of a contender.
struct Job: Sendable {
    enum Name: String, Sendable {
        /// Reads bytes as they arrive, and discards them.
        case down
        /// Writes received bytes to a file.
        case file
        /// Sends a file.
        case up
        /// Takes the pages of a list as a client gives them.
        case pages
        /// Takes the elements of the list.
        case elements
        /// Requests the pages of the list in a loop, each with a command.
        case loop
        case events
        case lines
        case commands
        /// Takes events from a connection of WebSocket.
        case frames
    }

    var name: Name
    let reader: Reader
    let server: String
    var count: Int
    let file: String

    /// The result that every contender must return: the number of bytes, or the sum of the numbers of all elements.
    var expected: Int {
        switch name {
        case .down, .file, .up: count
        case .pages, .elements, .loop: count * 5_050
        case .events, .lines, .frames: count / 1_000 * 500_500
        case .commands: count * 7
        }
    }
}

protocol Contender: Sendable {
    /// Does a job, and returns the result to compare with `Job.expected`.
    func carryOut(_ job: Job) async throws -> Int
}

struct Problem: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// The isolation of the code that takes pages, elements and events.
enum Reader: String, Sendable {
    /// A task that belongs to no actor.
    case task
    /// The main actor, as the code of a screen.
    case mainActor

    /// Adds up the numbers of all elements.
    func sum<Elements: AsyncSequence & Sendable>(
        _ elements: Elements, _ number: @escaping @Sendable (Elements.Element) throws -> Int
    ) async throws -> Int {
        switch self {
        case .task:
            var sum = 0
            for try await element in elements { sum += try number(element) }
            return sum
        case .mainActor: return try await Self.sumOnMainActor(elements, number)
        }
    }

    @MainActor private static func sumOnMainActor<Elements: AsyncSequence & Sendable>(
        _ elements: Elements, _ number: @escaping @Sendable (Elements.Element) throws -> Int
    ) async throws -> Int {
        var sum = 0
        for try await element in elements { sum += try number(element) }
        return sum
    }
}
