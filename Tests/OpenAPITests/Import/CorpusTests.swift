import ContractChecks
import Foundation
import TestDocuments
import Testing

@testable import OpenAPI
@testable import Pipeline
@testable import ProjectTasks

/// Real documents, where `ERRAND_CORPORA` names the folder that has them: each becomes a contract that lints without an
/// error and can be generated.
@Suite struct CorpusTests {
    /// The documents of both folders, without the other files that they are made of.
    static let documents = ["openapi", "openapi-2026-11"].flatMap { section in
        RealDocuments.openAPI(in: section, upTo: 1_000_000).filter { path in
            FileManager.default.contents(atPath: path).map { OpenAPIImporter.isDocument(Array($0)) } ?? false
        }
    }

    @Test(.enabled(if: !documents.isEmpty, "ERRAND_CORPORA names no folder with real documents"), arguments: documents)
    func becomesAContractThatCanBeGenerated(_ path: String) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("errand-import-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        var options = ImportOptions(document: path)
        options.output = folder.appendingPathComponent("a.contract.yaml").path
        let report = Import.run(options)
        #expect(report.outcome != .couldNotRun)
        #expect(report.findings.filter { $0.severity == .error }.map(\.message) == [])
        #expect(report.written != nil)
        var generating = GenerateOptions(ProjectConfiguration())
        generating.contracts = [options.output ?? ""]
        // Rules may find errors in the document's API itself, such as a password in a URL.
        generating.lint = .withoutRules
        generating.output = folder.appendingPathComponent("generated").path
        #expect(Generate.run(generating).outcome == .fine)
    }
}
