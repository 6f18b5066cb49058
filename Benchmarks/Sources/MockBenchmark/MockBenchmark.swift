import FigureTables
import Foundation

/// Prints how many requests per second `errand mock` answers, beside a plain FlyingFox handler that sends the same bytes, in turns.
///
/// Usage: MockBenchmark ERRAND CONTRACT [--quick] [--markdown]
///   ERRAND    the tool, built in release
///   CONTRACT  the contract of the bank
@main
struct MockBenchmark {
    /// Connections that send one request after the other.
    private static let connections = 4

    static func main() {
        // This program is also the server that it measures.
        if CommandLine.arguments.count == 3, CommandLine.arguments[1] == PlainServer.option {
            return PlainServer.run(body: CommandLine.arguments[2])
        }
        BenchmarkRun.main("MockBenchmark", ["ERRAND", "CONTRACT"], measure)
    }

    private struct Contender {
        let name: String
        let port: Int
        let request: String
        /// Requests per second of each round.
        var rates: [Double] = []

        var median: Double { rates.sorted()[rates.count / 2] }
    }

    private static func measure(_ run: BenchmarkRun) throws {
        let mock = try ServerProcess(run.operands[0], ["mock", run.operands[1], "--port", "0"])
        defer { mock.stop() }
        let token = try Self.token(port: mock.port)
        let account = "GET /v1/accounts/1 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(token)\r\n\r\n"
        let body = try LoadClient(port: mock.port).body(of: account)
        let plain = try ServerProcess(CommandLine.arguments[0], [PlainServer.option, body])
        defer { plain.stop() }
        let page = "GET /_errand/nothing HTTP/1.1\r\nHost: localhost\r\n\r\n"
        var contenders = [
            Contender(name: "plain FlyingFox handler", port: plain.port, request: account),
            Contender(name: "`ErrandHTTPServer`, a fixed text", port: mock.port, request: page),
            Contender(name: "`errand mock`, `GET /accounts/1`", port: mock.port, request: account),
        ]
        let (rounds, time) = run.isQuick ? (3, 0.3) : (9, 1.0)
        for _ in 0..<rounds {
            for index in contenders.indices {
                let rate = try LoadClient.rate(
                    port: contenders[index].port, contenders[index].request, connections: connections, for: time)
                contenders[index].rates.append(rate)
            }
        }
        var table = FigureTable(
            "Requests to `errand mock`, \(connections) connections, in a second (median of \(rounds) rounds)",
            columns: ["server", "requests", "to FlyingFox"])
        for (index, contender) in contenders.enumerated() {
            let ratio = contender.median / contenders[0].median
            table.add([contender.name, rounded(contender.median), index == 0 ? "" : "\(rounded(ratio)) ×"])
        }
        print(table.text(run.style))
    }

    private static func token(port: Int) throws -> String {
        let login = #"{"user":"ada","password":"lovelace"}"#
        let body = try LoadClient(port: port).body(
            of: "POST /v1/sessions HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(login.utf8.count)\r\n\r\n\(login)")
        guard let start = body.range(of: #""token":""#) else {
            throw LoadClient.Failure(description: "no token: \(body)")
        }
        return String(body[start.upperBound...].prefix { $0 != "\"" })
    }
}
