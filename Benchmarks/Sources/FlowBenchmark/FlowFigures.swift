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

    /// A client's walk over a list, beside the same commands in a loop and beside plain code.
    func pages() throws -> FigureTable {
        let count = isQuick ? 100 : 10_000
        var table = FigureTable(
            "\(count) pages of 100 elements, each page",
            columns: [
                "walk", "reader", "who", "time", "CPU", "peak memory", "of a tenth", "CPU ÷ plain", "CPU ÷ loop",
                "goal", "",
            ])
        let walks: [(job: Field.Job, title: String, reader: Field.Reader, goal: Goal?)] = [
            (.loop, "commands in a loop", .task, nil), (.pages, "pages(of:)", .task, .atMost(1.2)),
            (.elements, "elements(of:)", .task, .atMost(1.4)), (.elements, "elements(of:)", .mainActor, .atMost(1.4)),
        ]
        let plain = [Self.urlSession] + (hasAsyncHTTPClient ? [Self.asyncHTTPClient, Self.sameReading] : [])
        let clients =
            [Self.errand(beside: "urlsession")]
            + (hasAsyncHTTPClient ? [Self.errandOverAsyncHTTPClient(beside: "ahc-same-reading")] : [])
        let found = try measure(
            plain.map { Run($0, .loop, count) }
                + walks.flatMap { walk in clients.map { Run($0, walk.job, count, by: walk.reader) } })
        func add(_ title: String, _ run: Run, _ goal: Goal?) throws {
            guard let mine = found[run] else { return }
            var cells = [
                title, run.reader.title, run.entrant.title, duration(mine.wall / Double(count)),
                duration(mine.processor / Double(count)),
            ]
            cells += [megabytes(mine.memory), megabytes(try tenth(run).memory)]
            if let peer = run.entrant.peer.flatMap({ name in plain.first { $0.name == name } }),
                let other = found[Run(peer, .loop, count)]
            {
                cells.append("\(rounded(mine.processor / other.processor)) ×")
            }
            if let goal, let loop = found[Run(run.entrant, .loop, count)] {
                let ratio = mine.processor / loop.processor
                cells += ["\(rounded(ratio)) ×"] + goal.cells(ratio)
            }
            table.add(cells)
        }
        for entrant in plain { try add("requests in a loop", Run(entrant, .loop, count), nil) }
        for walk in walks {
            for entrant in clients { try add(walk.title, Run(entrant, walk.job, count, by: walk.reader), walk.goal) }
        }
        return table
    }

    /// The elements of a stream, by the isolation of their reader.
    func elements() throws -> FigureTable {
        let count = isQuick ? 10_000 : 1_000_000
        var table = FigureTable(
            "\(count) server-sent events, and as many JSON lines, each element",
            columns: [
                "stream", "reader", "who", "time", "CPU", "peak memory", "of a tenth",
                "CPU ÷ JSONDecoder over AsyncHTTPClient",
                "goal", "",
            ])
        for job in [Field.Job.events, .lines] {
            // URLSession hands its bytes to a delegate, wherever their reader is.
            var runs = [Run(Self.urlSession, job, count)]
            for reader in [Field.Reader.task, .mainActor] {
                if hasAsyncHTTPClient {
                    runs += [
                        Run(Self.asyncHTTPClient, job, count, by: reader),
                        Run(Self.sameReading, job, count, by: reader),
                    ]
                }
                runs.append(Run(Self.errand(beside: "ahc"), job, count, by: reader))
                if hasAsyncHTTPClient {
                    runs.append(Run(Self.errandOverAsyncHTTPClient(beside: "ahc"), job, count, by: reader))
                }
            }
            let found = try measure(runs)
            for run in runs {
                guard let mine = found[run] else { continue }
                var cells = [
                    job.rawValue, run.reader.title, run.entrant.title, duration(mine.wall / Double(count)),
                    duration(mine.processor / Double(count)), megabytes(mine.memory),
                    megabytes(try tenth(run).memory),
                ]
                if run.entrant.peer != nil, let other = found[Run(Self.asyncHTTPClient, job, count, by: run.reader)] {
                    let ratio = mine.processor / other.processor
                    cells += ["\(rounded(ratio)) ×"] + Goal.atMost(0.45).cells(ratio)
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

    /// The events of a connection, beside plain code with the same parsing; nil if those are not built.
    func frames() throws -> FigureTable? {
        guard hasAsyncHTTPClient else { return nil }
        let count = 1_000_000
        var table = FigureTable(
            "\(count) events over a connection of WebSocket, each event",
            columns: ["who", "time", "CPU", "peak memory", "of a tenth", "CPU ÷ plain", "goal", ""])
        let entrants = [
            Entrant(name: "nio", title: "plain SwiftNIO, generated parser"),
            Entrant(name: "errand-nio", title: "Errand over SwiftNIO", peer: "nio"),
        ]
        let found = try measure(.frames, count, entrants)
        for entrant in entrants {
            guard let mine = found[entrant.name] else { continue }
            var cells = [
                entrant.title, duration(mine.wall / Double(count)), duration(mine.processor / Double(count)),
                megabytes(mine.memory), megabytes(try tenth(Run(entrant, .frames, count)).memory),
            ]
            if let peer = entrant.peer.flatMap({ found[$0] }) {
                let ratio = mine.processor / peer.processor
                cells += ["\(rounded(ratio)) ×"] + Goal.atMost(1.5).cells(ratio)
            }
            table.add(cells)
        }
        return table
    }

    // MARK: Measuring

    /// A job of one contender.
    private struct Run: Hashable {
        let entrant: Entrant
        let job: Field.Job
        let reader: Field.Reader
        let count: Int

        init(_ entrant: Entrant, _ job: Field.Job, _ count: Int, by reader: Field.Reader = .task) {
            self.entrant = entrant
            self.job = job
            self.reader = reader
            self.count = count
        }

        static func == (first: Run, second: Run) -> Bool {
            first.entrant.name == second.entrant.name && first.job == second.job && first.reader == second.reader
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(entrant.name)
            hasher.combine(job)
            hasher.combine(reader)
        }
    }

    private func measure(_ job: Field.Job, _ count: Int, _ entrants: [Entrant]) throws -> [String: Field.Figure] {
        let found = try measure(entrants.map { Run($0, job, count) })
        return Dictionary(uniqueKeysWithValues: found.map { ($0.key.entrant.name, $0.value) })
    }

    private func measure(_ runs: [Run]) throws -> [Run: Field.Figure] {
        var found: [Run: [Field.Figure]] = [:]
        for round in 0..<rounds {
            // The order alternates between rounds.
            for run in round % 2 == 0 ? runs : runs.reversed() {
                found[run, default: []].append(try field.run(run.entrant.name, run.job, run.count, by: run.reader))
            }
        }
        return found.mapValues { figures in
            Field.Figure(
                wall: Self.median(figures.map(\.wall)), processor: Self.median(figures.map(\.processor)),
                memory: Self.median(figures.map(\.memory)))
        }
    }

    /// A run with a tenth of the count, which shows whether memory grows with the count.
    private func tenth(_ run: Run) throws -> Field.Figure {
        try field.run(run.entrant.name, run.job, run.count / 10, by: run.reader)
    }

    private static func median<Value: Comparable>(_ values: [Value]) -> Value { values.sorted()[values.count / 2] }

    private func megabytes(_ bytes: Int) -> String { "\(Int((Double(bytes) / 1e6).rounded())) MB" }
}
