import ContractChecks
import Diagnostics
import Foundation
import Pipeline
import SwiftEmitter
import Testing

/// A folder of a test's own, where contracts become clients. It is gone when the test is.
final class Workplace {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("errand-contracts-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// The tool's result for one contract.
    struct Verdict {
        var lint: [Diagnostic]
        var generate: [Diagnostic]
        var isAccepted: Bool { generate.isEmpty }

        /// What one of the two refuses, and the other does not. Rules of lint may weigh as errors; that is not one.
        var contradictions: [String] {
            let found = Set(lint.map(Self.summary))
            let refused = Set(generate.map(Self.summary))
            let others = Set(lint.filter { RuleCatalog.rule(named: $0.rule) == nil }.map(Self.summary))
            return refused.subtracting(found).map { "only generate refuses: \($0)" }.sorted()
                + others.subtracting(refused).map { "only lint refuses: \($0)" }.sorted()
        }

        private static func summary(_ finding: Diagnostic) -> String {
            let place = finding.range.map { "\($0.start.line):\($0.start.column)" } ?? ""
            return "\(place) \(finding.rule): \(finding.message)"
        }
    }

    /// Writes a contract, lints it, and generates its client as each style of output wants it.
    func judge(_ trial: Trial, into output: String) throws -> Verdict {
        try judge(trial.files, of: trial.service, into: output)
    }

    func judge(_ files: [String: String], of service: String, into output: String) throws -> Verdict {
        let folder = url.appendingPathComponent("contracts/\(service)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, text) in files {
            try Data(text.utf8).write(to: folder.appendingPathComponent(name))
        }
        let contract = folder.appendingPathComponent("main.contract.yaml").path
        let lint = Lint.run(LintOptions(contracts: [contract]))
        var verdict = Verdict(lint: lint.findings.filter { $0.severity == .error }, generate: [])
        for style in Style.allCases {
            var options = GenerateOptions(ProjectConfiguration())
            options.contracts = [contract]
            // Rules of lint may refuse what generates a client that compiles.
            options.lint = .withoutRules
            options.output = url.appendingPathComponent("\(output)/\(style)").path
            options.emitter = style.options
            options.isWholeProject = false
            verdict.generate = Generate.run(options).findings.sorted().filter { $0.severity == .error }
            guard verdict.isAccepted else { break }
        }
        return verdict
    }

    /// The contract as it is, or what of it the tool accepts. Each form on the way is judged by lint and generate, and
    /// counted with its number.
    func accepted(_ trial: Trial, into output: String, count: (Verdict, Trial, Int) -> Void = { _, _, _ in }) throws
        -> Trial?
    {
        var trial = trial
        for round in 0..<6 {
            let verdict = try judge(trial, into: output)
            for contradiction in verdict.contradictions {
                Issue.record("seed \(trial.seed): \(contradiction)\n\(trial.text)")
            }
            count(verdict, trial, round)
            if verdict.isAccepted { return trial }
            guard let smaller = trial.without(verdict.generate) else { return nil }
            trial = smaller
        }
        return nil
    }

    /// The output of a program of all clients in the folder `clients` for each line of its input.
    ///
    /// - Parameter driver: a source file with `@main`.
    func answers(to lines: [String], driver: String) throws -> [String] {
        let file = url.appendingPathComponent("Driver.swift")
        try Data(driver.utf8).write(to: file)
        let (program, problems) = try Compiler().program(of: sources("clients", .plain) + [file.path], below: url)
        for problem in problems { Issue.record("\(problem)") }
        let (input, output) = (url.appendingPathComponent("in"), url.appendingPathComponent("out"))
        try Data(lines.joined().utf8).write(to: input)
        try Data().write(to: output)
        let process = Process()
        process.executableURL = program
        process.standardInput = try FileHandle(forReadingFrom: input)
        process.standardOutput = try FileHandle(forWritingTo: output)
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return try String(contentsOf: output, encoding: .utf8).components(separatedBy: "\n").dropLast()
    }

    /// The files of the clients in a folder of output.
    func sources(_ output: String, _ style: Style) -> [String] {
        let folder = url.appendingPathComponent("\(output)/\(style)")
        let walk = FileManager.default.enumerator(atPath: folder.path)
        var files: [String] = []
        while let name = walk?.nextObject() as? String {
            guard name.hasSuffix(".swift") else { continue }
            files.append(folder.appendingPathComponent(name).path)
        }
        return files.sorted()
    }
}

/// How clients are generated, as `errand.yaml` says.
enum Style: CaseIterable {
    case plain
    case conforming

    var options: EmitterOptions {
        switch self {
        case .plain: EmitterOptions()
        case .conforming: EmitterOptions(access: .internal, conformances: [.hashable, .codable])
        }
    }
}

/// A contract with the seed that it was made from.
struct Trial {
    let service: String
    let seed: UInt64
    var root: ContractNode
    let imports: [String: ContractNode]
    /// The keys of the language that it had when it was made.
    var used: Set<String> = []

    init(service: String, seed: UInt64) {
        self.init(RandomContract(service: service, seed: seed), service: service, seed: seed)
    }

    init(_ contract: RandomContract, service: String, seed: UInt64) {
        self.service = service
        self.seed = seed
        root = contract.root
        imports = contract.imports
        used = contract.used
    }

    /// The same contract under another name, or another contract of it.
    init(_ trial: Trial, root: ContractNode, service: String) {
        self.service = service
        self.seed = trial.seed
        self.root = root.replacing("service", by: .word(service))
        self.imports = trial.imports
    }

    var text: String { root.contractText }

    /// All files, the contract itself as `main.contract.yaml`.
    var files: [String: String] { imports.mapValues(\.contractText).merging(["main.contract.yaml": text]) { $1 } }

    /// Without the declarations that findings point at; nil if none can be taken out.
    func without(_ findings: [Diagnostic]) -> Trial? {
        let places = findings.compactMap { finding in
            finding.range.flatMap {
                $0.file.hasSuffix("main.contract.yaml") ? root.declaration(onLine: $0.start.line) : nil
            }
        }
        var smaller = root
        var seen: Set<String> = []
        for place in places.sorted(by: { $0.name > $1.name }) where seen.insert("\(place)").inserted {
            guard !["errand", "service"].contains(place.section) else { continue }
            smaller = smaller.without(place.section, place.name)
        }
        guard smaller != root else { return nil }
        var trial = self
        trial.root = smaller
        return trial
    }
}

extension ContractNode {
    func replacing(_ section: String, by value: ContractNode) -> ContractNode {
        guard case .mapping(var entries) = self else { return self }
        for index in entries.indices where entries[index].key == section { entries[index].value = value }
        return .mapping(entries)
    }
}
