import BankClient
import CAllocationCount
@_spi(Measuring) import ErrandRuntime
import FigureTables
import Foundation
import InstantBank
import MeasuredTurns

/// Measures commands of the bank: a keyed POST with an envelope, a body and a session's token.
struct PipelineRows {
    let isQuick: Bool
    let rounds: Int
    private let slot: Double
    private let counts: [Int]
    private let waiting: [Int]

    init(isQuick: Bool) {
        self.isQuick = isQuick
        rounds = isQuick ? 5 : 15
        slot = isQuick ? 0.02 : 0.1
        counts = isQuick ? [1, 100, 1_000] : [1, 100, 10_000]
        waiting = isQuick ? [1_000, 10_000] : [1_000, 10_000, 100_000]
    }

    private let transport = InstantBank.transport
    private let request = TransportRequest(
        method: .post, url: "https://api.bank.example/v1/transfers",
        body: Array(#"{"fromAccount":1,"toAccount":5,"amount":500}"#.utf8))

    /// The work without a dispatcher: a request that was made before, its response, and the same parsing.
    private static func bare(_ transport: InstantTransport, _ request: TransportRequest) async throws -> Int {
        let answer = try await transport.send(request)
        guard case .completed(let transfer)? = try Bank.TransferFunds.response(readFrom: answer.body) else { return 0 }
        return transfer.confirmation
    }

    // MARK: Tables

    func oneCommand() async throws -> FigureTable {
        var table = FigureTable(
            "One command on an instant transport, beside the bare call and the same reading",
            columns: ["work", "command", "bare call", "added", "goal", ""])
        let bank = await InstantBank.make()
        let found = try await Comparison.measure(
            rounds: rounds, slot: slot, ours: Contender { try await InstantBank.transfer(bank) },
            theirs: Contender { try await Self.bare(transport, request) })
        let added = found.ours - found.theirs
        table.add(
            ["processor time", duration(found.ours), duration(found.theirs), duration(added)]
                + Goal.atMost(15, "µs").cells(added * 1e6))
        guard allocation_count_is_available() else { return table }
        let ours = try await allocations { try await InstantBank.transfer(bank) }
        let theirs = try await allocations { try await Self.bare(transport, request) }
        table.add(["allocations", "\(ours)", "\(theirs)", "\(ours - theirs)"])
        return table
    }

    /// The cost of an app's own code over URLSession, for comparison. It is far more than the cost of the pipeline.
    func overURLSession() async throws -> FigureTable {
        var table = FigureTable(
            "The same over URLSession with an instant network, beside plain code with the same reading",
            columns: ["work", "command", "plain code", "added", "command ÷ plain"])
        let bank = await InstantProtocol.makeBank()
        let plain = PlainCall()
        let found = try await Comparison.measure(
            rounds: rounds, slot: slot, ours: Contender { try await InstantBank.transfer(bank) },
            theirs: Contender { try await plain.transfer() })
        table.add([
            "processor time", duration(found.ours), duration(found.theirs), duration(found.ours - found.theirs),
            "\(rounded(found.ours / found.theirs)) ×",
        ])
        return table
    }

    private func allocations(_ work: () async throws -> Int) async throws -> Int {
        let passes = 1_000
        for _ in 0..<100 { _ = try await work() }
        allocation_count_start()
        for _ in 0..<passes { _ = try await work() }
        return Int(allocation_count_stop()) / passes
    }

    func manyCommands() async throws -> FigureTable {
        var table = FigureTable(
            "Commands at once, processor time of each", columns: ["commands", "command", "bare call", "added"])
        let bank = await InstantBank.make()
        for count in counts {
            let found = try await Comparison.measure(
                rounds: rounds, slot: slot,
                ours: Contender { try await Self.all(count) { try await InstantBank.transfer(bank) } },
                theirs: Contender { try await Self.all(count) { try await Self.bare(transport, request) } })
            let each = (ours: found.ours / Double(count), theirs: found.theirs / Double(count))
            table.add(["\(count)", duration(each.ours), duration(each.theirs), duration(each.ours - each.theirs)])
        }
        return table
    }

    private static func all(_ count: Int, _ work: @escaping @Sendable () async throws -> Int) async throws -> Int {
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<count { group.addTask { try await work() } }
            return try await group.reduce(0, &+)
        }
    }

    func waitingCommands() async throws -> FigureTable {
        var table = FigureTable(
            "Commands that wait for the network",
            columns: ["commands", "memory of each", "processor time of each", "against the row above", ""])
        var last: Double?
        for count in waiting {
            let network = SwitchedNetwork()
            let bank = await InstantBank.make(on: network)
            let before = ProcessUsage.residentMemory()
            let start = ProcessUsage.processorTime()
            let end = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<count { group.addTask { try await InstantBank.transfer(bank) } }
                while bank.binding.dispatcher.waitingCount < count { try await Task.sleep(for: .milliseconds(5)) }
                let held = ProcessUsage.residentMemory() - before
                network.comeBack()
                _ = try await group.reduce(0, &+)
                return (memory: held, time: ProcessUsage.processorTime() - start)
            }
            let each = end.time / Double(count)
            let growth = last.map { each / $0 }
            // Memory that the process already had holds only a few of them.
            let memory = count == waiting.last ? "\(end.memory / count) bytes" : ""
            table.add(
                ["\(count)", memory, duration(each), growth.map { "\(rounded($0)) ×" } ?? ""]
                    + (growth.map { [$0 < 1.5 ? "linear" : "more than linear"] } ?? []))
            last = each
        }
        return table
    }
}
