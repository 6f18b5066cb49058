import BankClient
import CHeapUsage
import Dispatch
import ErrandJSON
import ErrandRuntime
import FeedClient
import FeedDocuments
import FlowClient
import InstantBank
import SyntheticProjects

/// Reads or writes one fixed document so many times, or carries so many commands out, for `gate` to count under
/// callgrind.
///
/// Usage: InstructionCount decode|encode|command TIMES
///        InstructionCount get TIMES SERVER     bodies of 2 kB, from the server of the flow benchmark
///        InstructionCount waiting TIMES        prints the bytes that a waiting command has in memory
///        InstructionCount contract ENDPOINTS   prints the contract that the tool is counted with
@main
struct InstructionCount {
    enum Work: String {
        case decode, encode, command, get, waiting, contract
    }

    /// Waits on a semaphore, because callgrind can't handle the thread on which an asynchronous `main` ends.
    static func main() {
        let end = DispatchSemaphore(value: 0)
        Task.detached {
            do { try await run(CommandLine.arguments) } catch { print(error) }
            end.signal()
        }
        end.wait()
    }

    private static func run(_ arguments: [String]) async throws {
        guard (3...4).contains(arguments.count), let work = Work(rawValue: arguments[1]),
            let times = Int(arguments[2]), times >= 0, (arguments.count == 4) == (work == .get)
        else {
            throw Misuse(
                description: "usage: InstructionCount decode|encode|command|waiting TIMES, get TIMES SERVER, "
                    + "or contract ENDPOINTS")
        }
        switch work {
        case .contract: print(SyntheticContract.text(endpoints: times))
        case .waiting: print(try await bytesOfWaiting(times))
        case .get:
            let flow = Flow(Flow.Server(url: arguments[3]))
            var sum = 0
            for _ in 0..<times { sum += try await flow.send(Flow.Download(count: 2_048)).count }
            print("\(sum) bytes")
        case .decode, .encode, .command: try await repeatInMemory(work, times)
        }
    }

    private static func repeatInMemory(_ work: Work, _ times: Int) async throws {
        var document = FeedDocument()
        let bytes = document.articles(bytes: 20_000)
        let articles = try JSON.scan(bytes, Feed.ListArticles.load)
        let bank = await InstantBank.make()
        var sum = 0
        for _ in 0..<times {
            let found =
                switch work {
                case .decode: try JSON.scan(bytes, Feed.ListArticles.load).count
                case .encode: try JSON.bytes { writer in articles.write(to: &writer) }.count
                default: try await InstantBank.transfer(bank)
                }
            sum &+= found
        }
        print("\(articles.count) articles, \(bytes.count) bytes, sum \(sum)")
    }

    /// The memory of one command of many that wait for the network, in bytes.
    private static func bytesOfWaiting(_ count: Int) async throws -> Int {
        let network = SwitchedNetwork()
        let bank = await InstantBank.make(on: network)
        let before = heap_usage()
        return try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<count { group.addTask { try await InstantBank.transfer(bank) } }
            while bank.binding.dispatcher.waitingCount < count { try await Task.sleep(for: .milliseconds(5)) }
            let held = Int(heap_usage()) - Int(before)
            network.comeBack()
            _ = try await group.reduce(0, &+)
            return held / max(count, 1)
        }
    }

    struct Misuse: Error, CustomStringConvertible {
        let description: String
    }
}
