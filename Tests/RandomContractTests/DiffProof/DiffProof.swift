import ContractModel
import Foundation
import SwiftEmitter
import Testing

/// Runs the clients of contracts before and after an edit against the services of both, and compares what can be observed with
/// the verdict of `errand diff`.
struct DiffProof {
    /// A column of a verdict that the run contradicts, or a break that the run shows.
    struct Finding {
        let pair: ProofPair
        /// The name of the column.
        let column: String
        let text: String
    }

    private(set) var disagreements: [Finding] = []
    /// The first difference that shows each break on the wire and in behavior.
    private(set) var shown: [Finding] = []
    /// How many breaks were not seen, for a written reason.
    private(set) var excused = 0
    private(set) var conversations = 0

    /// How many breaks of the source the uses of an app show, and how many only the declarations of the client.
    private(set) var sourceBreaks = (inUses: 0, inSurface: 0)

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
        for pair in pairs where numbers[pair.new.service.value] == nil {
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
            let result = try run.result()
            for column in ProofColumn.allCases {
                let name = column.rawValue
                if let text = result.contradictions[column],
                    ProofLimits.reason(whyOfService: pair.edit, in: column) == nil
                {
                    disagreements.append(
                        Finding(pair: pair, column: name, text: "is called safe, and changes something: \(text)"))
                }
                guard pair.claim(column) == .breaks else { continue }
                if let text = result.shown[column] {
                    shown.append(Finding(pair: pair, column: name, text: text))
                } else if ProofLimits.reason(whyNotSeen: pair, in: column) == nil {
                    disagreements.append(
                        Finding(pair: pair, column: name, text: "is called a break, and changes nothing"))
                } else {
                    excused += 1
                }
            }
        }
        conversations = program.conversations
        try checkSource(pairs, in: workplace)
    }

    /// Compiles the code of apps from before the edits with the clients from after them. A break that this code does not show is one
    /// of a declaration, which is gone, has changed, or is a new case.
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
        var written: Set<String> = []
        for pair in pairs where written.insert(pair.new.service.value).inserted {
            let endpoints = pair.endpoints.compactMap(\.old)
            unchanged[pair.old.name, default: (pair.old, [])].endpoints += endpoints
            try write(pair.old, endpoints, as: pair.new.service.value)
        }
        for (name, (contract, endpoints)) in unchanged { try write(contract, endpoints, as: name) }
        let problems = try Compiler().errors(
            in: files, using: workplace.url.appendingPathComponent("RandomClients.swiftmodule"), below: workplace.url)
        let broken = Dictionary(problems.map { ($0.service, $0) }) { first, _ in first }
        for name in unchanged.keys { if let problem = broken[name] { Issue.record("the old app: \(problem)") } }
        let emitter = ClientEmitter(templates: try #require(TemplateCatalog.load().catalog))
        var surfaces: [String: PublicSurface] = [:]
        for pair in pairs {
            let problem = broken[pair.new.service.value]
            switch pair.changes.map(\.verdict.source.level).max() ?? .none {
            case .breaks:
                guard problem == nil else {
                    sourceBreaks.inUses += 1
                    continue
                }
                let old = surfaces[pair.old.name] ?? PublicSurface(of: pair.old.resolved, emitter)
                surfaces[pair.old.name] = old
                if old.lost(in: PublicSurface(of: pair.new.named(pair.old.name), emitter)) != nil {
                    sourceBreaks.inSurface += 1
                } else {
                    disagreements.append(
                        Finding(
                            pair: pair, column: "source", text: "is called a break, and the client declares the same"))
                }
            case .warns: break
            case .none:
                guard let problem else { continue }
                disagreements.append(
                    Finding(pair: pair, column: "source", text: "is called safe, and does not compile: \(problem)"))
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

extension ResolvedContract {
    /// The contract under another name of its service.
    fileprivate func named(_ service: String) -> ResolvedContract {
        var contract = self
        contract.service = Located(service, at: self.service.range)
        return contract
    }
}
