import ContractModel
import Foundation
import SwiftEmitter
import Testing

/// Runs the clients of contracts before and after an edit against the services of both, and compares what can be observed with
/// the verdict of `errand diff`.
struct DiffProof {
    /// A verdict that the run contradicts, or a break that the run shows.
    struct Finding {
        let pair: ProofPair
        let text: String
    }

    private(set) var disagreements: [Finding] = []
    /// The first difference that shows each break.
    private(set) var shown: [Finding] = []
    /// How many breaks were not seen, for a written reason.
    private(set) var excused = 0
    private(set) var conversations = 0

    /// How many breaks of the source the uses of an app show, of how many.
    private(set) var sourceBreaks = (shown: 0, all: 0)

    /// Compiles the clients of some edits into one program, and runs it.
    init(_ pairs: [ProofPair], in workplace: Workplace) throws {
        // One client before the edit serves all edits of its contract.
        var wanted:
            [String: (
                contract: ProofContract, endpoints: Set<String>, focuses: [(number: Int, contract: ResolvedContract)]
            )] = [:]
        for pair in pairs {
            wanted[pair.old.name, default: (pair.old, [], [])].endpoints.formUnion(pair.endpoints.compactMap(\.old))
            if let focus = pair.focus { wanted[pair.old.name]?.focuses.append((pair.number, focus)) }
        }
        var clients: [ProofClient] = []
        var numbers: [String: Int] = [:]
        for (name, (contract, endpoints, focuses)) in wanted.sorted(by: { $0.key < $1.key }) {
            numbers[name] = clients.count
            clients.append(ProofClient(contract.resolved, endpoints: endpoints, focuses: focuses))
        }
        for pair in pairs {
            numbers[pair.new.service.value] = clients.count
            clients.append(ProofClient(pair.new, endpoints: Set(pair.endpoints.compactMap(\.new))))
        }
        let program = try Self.compile(clients, in: workplace)
        defer {
            program.finish()
        }
        for pair in pairs {
            let run = ProofRun(
                pair: pair, program: program,
                old: (numbers[pair.old.name] ?? 0, clients[numbers[pair.old.name] ?? 0]),
                new: (
                    numbers[pair.new.service.value] ?? 0, clients[numbers[pair.new.service.value] ?? 0]
                ))
            let difference = try run.difference()
            switch (pair.claim, difference) {
            case (.safe, nil), (nil, _): break
            case (.safe, let text?):
                disagreements.append(Finding(pair: pair, text: "is called safe, and changes something: \(text)"))
            case (.breaks, nil):
                guard ProofLimits.reason(whyNotSeen: pair) == nil else {
                    excused += 1
                    continue
                }
                disagreements.append(Finding(pair: pair, text: "is called a break, and changes nothing"))
            case (.breaks, let text?): shown.append(Finding(pair: pair, text: text))
            }
        }
        conversations = program.conversations
        try checkSource(pairs, in: workplace)
    }

    /// Compiles the code of apps from before the edits with the clients from after them.
    private mutating func checkSource(_ pairs: [ProofPair], in workplace: Workplace) throws {
        var files: [String] = []
        func write(_ contract: ProofContract, _ endpoints: [String], as service: String) throws {
            let names = contract.resolved.endpoints.map(\.name).filter { endpoints.contains($0.value) }
            let selected = ContractCustomization(endpoints: names).apply(to: contract.resolved).contract
            let file = workplace.url.appendingPathComponent("uses/\(service)/\(service)Uses.swift")
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(SourceUses(selected, as: service).file(endpoints).utf8).write(to: file)
            files.append(file.path)
        }
        var unchanged: [String: (contract: ProofContract, endpoints: [String])] = [:]
        for pair in pairs {
            let endpoints = pair.endpoints.compactMap(\.old)
            unchanged[pair.old.name, default: (pair.old, [])].endpoints += endpoints
            try write(pair.old, endpoints, as: pair.new.service.value)
        }
        for (name, (contract, endpoints)) in unchanged { try write(contract, endpoints, as: name) }
        let problems = try Compiler().errors(
            in: files, using: workplace.url.appendingPathComponent("RandomClients.swiftmodule"), below: workplace.url)
        let broken = Dictionary(problems.map { ($0.service, $0) }) { first, _ in first }
        for name in unchanged.keys { if let problem = broken[name] { Issue.record("the old app: \(problem)") } }
        for pair in pairs {
            let problem = broken[pair.new.service.value]
            switch pair.changes.map(\.verdict.source.level).max() ?? .none {
            case .breaks:
                sourceBreaks.all += 1
                if problem != nil { sourceBreaks.shown += 1 }
            case .warns: break
            case .none:
                guard let problem else { continue }
                disagreements.append(
                    Finding(pair: pair, text: "is called safe in source, and does not compile: \(problem)"))
            }
        }
    }

    private static func compile(_ clients: [ProofClient], in workplace: Workplace) throws -> ProofProgram {
        let loaded = TemplateCatalog.load()
        let catalog = try #require(loaded.catalog)
        var files: [String] = []
        func write(_ text: String, _ name: String) throws {
            let file = workplace.url.appendingPathComponent(name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
            files.append(file.path)
        }
        for client in clients {
            let (output, findings) = ClientEmitter(templates: catalog).emit(client.contract)
            #expect(findings.isEmpty)
            for file in output { try write(String(decoding: file.bytes, as: UTF8.self), file.path) }
        }
        try write(ProofDriver.source + ProofDriver.functions(of: clients), "Driver.swift")
        let (program, problems) = try Compiler().program(
            of: files, below: workplace.url, module: workplace.url.appendingPathComponent("RandomClients.swiftmodule"))
        for problem in problems.filter(\.isError).prefix(10) { Issue.record("\(problem)") }
        return try ProofProgram(program)
    }
}
