import FigureTables
import Foundation

/// Measures the contenders in turns, and makes the tables.
struct FlowFigures {
    let field: Field
    let isQuick: Bool
    let hasAsyncHTTPClient: Bool

    private var rounds: Int { isQuick ? 1 : 5 }

    /// One contender.
    private struct Entrant {
        /// The contender's name as an argument of FlowContender.
        let name: String
        let title: String
        /// The name of the contender that it is compared with.
        var peer: String?
    }

    private static let curl = Entrant(name: "curl", title: "curl")
    private static let urlSession = Entrant(name: "urlsession", title: "plain URLSession")
    private static let asyncHTTPClient = Entrant(name: "ahc", title: "plain AsyncHTTPClient")
    private static let sameReading = Entrant(
        name: "ahc-same-reading", title: "plain AsyncHTTPClient, generated parser")

    private static func errand(_ title: String = "Errand, default transport", beside peer: String) -> Entrant {
        Entrant(name: "errand", title: title, peer: peer)
    }

    private static func errandOverAsyncHTTPClient(beside peer: String) -> Entrant {
        Entrant(name: "errand-ahc", title: "Errand over AsyncHTTPClient", peer: peer)
    }

    // MARK: Tables

    func bodies() throws -> FigureTable {
        let count = isQuick ? 16 << 20 : 1 << 30
        try field.prepareUpload(count)
        var table = FigureTable(
            "A body of \(count >> 20) MiB",
            columns: [
                "way", "who", "throughput", "CPU", "peak memory", "÷ plain", "goal", "", "memory above plain", "goal",
                "",
            ])
        let entrants =
            (Field.hasCurl ? [Self.curl] : []) + [Self.urlSession, Self.errand(beside: "urlsession")]
            + (hasAsyncHTTPClient ? [Self.asyncHTTPClient, Self.errandOverAsyncHTTPClient(beside: "ahc")] : [])
        for (job, title) in [(Field.Job.down, "down"), (.file, "down, to a file"), (.up, "up, from a file")] {
            let found = try measure(job, count, entrants)
            for entrant in entrants {
                guard let mine = found[entrant.name] else { continue }
                var cells = [
                    title, entrant.title, "\(rounded(Double(count >> 20) / mine.wall)) MiB/s",
                    duration(mine.processor), megabytes(mine.memory),
                ]
                if let peer = entrant.peer.flatMap({ found[$0] }) {
                    let (speed, memory) = (peer.wall / mine.wall, Double(mine.memory - peer.memory) / 1e6)
                    cells += ["\(rounded(speed)) ×"] + Goal.atLeast(0.95).cells(speed)
                    cells += ["\(Int(memory.rounded())) MB"] + Goal.atMost(40, "MB").cells(memory)
                }
                table.add(cells)
            }
        }
        return table
    }

    func elements() throws -> FigureTable {
        var table = FigureTable(
            "Pages of 100 elements, and server-sent events",
            columns: ["work", "who", "time", "CPU", "peak memory", "of a tenth", "time ÷ plain", "CPU ÷ plain"])
        let entrants =
            [Self.urlSession, Self.errand(beside: "urlsession")]
            + (hasAsyncHTTPClient
                ? [Self.asyncHTTPClient, Self.sameReading, Self.errandOverAsyncHTTPClient(beside: "ahc-same-reading")]
                : [])
        for (job, count) in [(Field.Job.pages, isQuick ? 100 : 10_000), (.events, isQuick ? 10_000 : 1_000_000)] {
            let found = try measure(job, count, entrants)
            for entrant in entrants {
                guard let mine = found[entrant.name] else { continue }
                // A run with a tenth of the count shows whether memory grows with the count.
                let tenth = try field.run(entrant.name, job, count / 10)
                var cells = [
                    "\(count) \(job.rawValue)", entrant.title, duration(mine.wall), duration(mine.processor),
                    megabytes(mine.memory), megabytes(tenth.memory),
                ]
                if let peer = entrant.peer.flatMap({ found[$0] }) {
                    cells += [
                        "\(rounded(mine.wall / peer.wall)) ×", "\(rounded(mine.processor / peer.processor)) ×",
                    ]
                }
                table.add(cells)
            }
        }
        return table
    }

    func commands() throws -> FigureTable {
        let count = isQuick ? 200 : 20_000
        var table = FigureTable(
            "\(count) commands, one after the other, each",
            columns: ["who", "time", "CPU", "time ÷ plain", "goal", "", "CPU ÷ plain", "goal", ""])
        let entrants =
            [Self.urlSession, Self.errand(beside: "urlsession")]
            + (hasAsyncHTTPClient
                ? [Self.asyncHTTPClient, Self.sameReading, Self.errandOverAsyncHTTPClient(beside: "ahc")]
                : [])
        let found = try measure(.commands, count, entrants)
        for entrant in entrants {
            guard let mine = found[entrant.name] else { continue }
            var cells = [
                entrant.title, duration(mine.wall / Double(count)), duration(mine.processor / Double(count)),
            ]
            if let peer = entrant.peer.flatMap({ found[$0] }) {
                let (wall, processor) = (mine.wall / peer.wall, mine.processor / peer.processor)
                cells += ["\(rounded(wall)) ×"] + Goal.atMost(1.2).cells(wall)
                cells += ["\(rounded(processor)) ×"] + Goal.atMost(1.2).cells(processor)
            }
            table.add(cells)
        }
        return table
    }

    // MARK: Measuring

    private func measure(_ job: Field.Job, _ count: Int, _ entrants: [Entrant]) throws -> [String: Field.Figure] {
        var found: [String: [Field.Figure]] = [:]
        for round in 0..<rounds {
            // The order alternates between rounds.
            for entrant in round % 2 == 0 ? entrants : entrants.reversed() {
                found[entrant.name, default: []].append(try field.run(entrant.name, job, count))
            }
        }
        return found.mapValues { figures in
            Field.Figure(
                wall: Self.median(figures.map(\.wall)), processor: Self.median(figures.map(\.processor)),
                memory: Self.median(figures.map(\.memory)))
        }
    }

    private static func median<Value: Comparable>(_ values: [Value]) -> Value { values.sorted()[values.count / 2] }

    private func megabytes(_ bytes: Int) -> String { "\(Int((Double(bytes) / 1e6).rounded())) MB" }
}
