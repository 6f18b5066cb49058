import Dispatch
import ErrandJSON
import FeedClient
import FeedDocuments
import InstantBank
import SyntheticProjects

/// Reads or writes one fixed document so many times, or carries so many commands out, for `instruction-count` to count under
/// callgrind.
///
/// Usage: InstructionCount decode|encode|command TIMES
///        InstructionCount contract ENDPOINTS     prints the contract that linting is counted with
@main
struct InstructionCount {
    enum Work: String {
        case decode, encode, command
    }

    /// Waits on a semaphore, because callgrind can't handle the thread on which an asynchronous `main` ends.
    static func main() {
        let end = DispatchSemaphore(value: 0)
        Task.detached {
            do { try await run() } catch { print(error) }
            end.signal()
        }
        end.wait()
    }

    private static func run() async throws {
        let arguments = CommandLine.arguments
        if arguments.count == 3, arguments[1] == "contract", let count = Int(arguments[2]) {
            return print(SyntheticContract.text(endpoints: count))
        }
        guard arguments.count == 3, let work = Work(rawValue: arguments[1]), let times = Int(arguments[2]), times >= 0
        else {
            throw Misuse(description: "usage: InstructionCount decode|encode|command TIMES, or contract ENDPOINTS")
        }
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
                case .command: try await InstantBank.transfer(bank)
                }
            sum &+= found
        }
        print("\(articles.count) articles, \(bytes.count) bytes, sum \(sum)")
    }

    struct Misuse: Error, CustomStringConvertible {
        let description: String
    }
}
