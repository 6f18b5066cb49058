import ErrandJSON
import FeedClient
import FeedDocuments

/// Reads or writes one fixed document so many times, for `instruction-count` to count under callgrind.
///
/// Usage: InstructionCount decode|encode TIMES
@main
struct InstructionCount {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, ["decode", "encode"].contains(arguments[1]), let times = Int(arguments[2]), times >= 0 else {
            throw Misuse(description: "usage: InstructionCount decode|encode TIMES")
        }
        var document = FeedDocument()
        let bytes = document.articles(bytes: 20_000)
        let articles = try JSON.scan(bytes, Feed.ListArticles.load)
        var sum = 0
        for _ in 0..<times {
            if arguments[1] == "decode" {
                sum += try JSON.scan(bytes, Feed.ListArticles.load).count
            } else {
                sum += try JSON.bytes { writer in articles.write(to: &writer) }.count
            }
        }
        print("\(articles.count) articles, \(bytes.count) bytes, sum \(sum)")
    }

    struct Misuse: Error, CustomStringConvertible {
        let description: String
    }
}
