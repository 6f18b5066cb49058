import ContractChecks
import ContractModel
import Diagnostics
import Foundation
import SwiftEmitter
import Testing

/// The two cases of one rule: `Cases/RULE/fails.contract.yaml`, in which `«…»` marks each place that a finding must point
/// at, and `Cases/RULE/passes.contract.yaml`, in which nothing is found. Other files of the folder can be imported.
struct RuleCase: Sendable, CustomTestStringConvertible {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Cases")

    let rule: String
    /// File name → text without markers.
    private(set) var files: [String: String] = [:]
    /// The marked places of the failing case, as byte offsets.
    private(set) var marks: [Range<Int>] = []

    init(_ rule: String) throws {
        self.rule = rule
        let folder = Self.folder.appendingPathComponent(rule)
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where !name.hasPrefix(".") {
            let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
            files[name] = name == "fails.contract.yaml" ? strip(text) : text
        }
    }

    static func all() throws -> [RuleCase] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { !$0.hasPrefix(".") }.sorted().map {
            try RuleCase($0)
        }
    }

    private mutating func strip(_ marked: String) -> String {
        var plain = ""
        var starts: [Int] = []
        for character in marked {
            switch character {
            case "«": starts.append(plain.utf8.count)
            case "»": if let start = starts.popLast() { marks.append(start..<plain.utf8.count) }
            default: plain.append(character)
            }
        }
        return plain
    }

    func findings(in name: String, settings: RuleSettings = RuleSettings()) -> [Diagnostic] {
        Self.findings(in: name, files, settings)
    }

    /// What `errand lint` says: of the contract, and of the names that its client would have.
    static func findings(in name: String, _ files: [String: String], _ settings: RuleSettings = RuleSettings())
        -> [Diagnostic]
    {
        let examination = ContractResolver(provider: MemorySource(files: files)).examine(path: name)
        let names = examination.resolved.map { ClientEmitter.findings(in: $0) } ?? []
        return DiagnosticBag(LintRunner(settings: settings, today: CalendarDay("2026-01-01")).run(examination) + names)
            .sorted()
    }

    var testDescription: String { rule }
}

/// Files in memory.
struct MemorySource: SourceProvider {
    var files: [String: String]

    func read(_ path: String) -> SourceReading {
        files[path].map { .bytes(Array($0.utf8)) }
            ?? .failure(rule: .missingFile, message: "there is no file `\(path)`", help: nil)
    }
}

/// The findings about a contract in memory.
func lint(_ text: String) -> [Diagnostic] {
    LintRunner().run(examine(text))
}

func examine(_ text: String) -> ContractExamination {
    ContractResolver(provider: MemorySource(files: ["sample.contract.yaml": text])).examine(
        path: "sample.contract.yaml")
}

/// One line for each finding, for the message of a failed test.
func listing(_ findings: [Diagnostic]) -> String {
    findings.map {
        "\($0.range?.description ?? $0.file): \($0.severity.rawValue) [\($0.rule)] \($0.message) — \($0.help ?? "")"
    }.joined(separator: "\n")
}
