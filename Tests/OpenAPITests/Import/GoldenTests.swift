import Diagnostics
import Foundation
import OpenAPI
import Testing

@testable import Pipeline
@testable import ProjectTasks

/// A case is a folder: the document `api.yaml` with the files that it refers to, and the contract that it becomes.
/// `ERRAND_RECORD=1` records the contracts anew, and the run fails, so that the change is looked at. A folder `wanted` has the
/// contract's client, which is a target of the package, and `wanted.findings` what the import reports.
@Suite struct GoldenImportTests {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Cases")

    static let cases: [String] =
        (try? FileManager.default.contentsOfDirectory(atPath: folder.path))?.filter { !$0.hasPrefix(".") }.sorted()
        ?? []

    @Test(arguments: cases) func becomesTheContractThatIsRecorded(_ name: String) throws {
        let folder = Self.folder.appendingPathComponent(name)
        let files = try Self.files(of: name)
        let document = ImportedDocument(files: files)
        #expect(document.problems == [])
        let said = folder.appendingPathComponent("wanted.findings")
        let known = (try? String(contentsOf: said, encoding: .utf8))?.split(separator: "\n").map(String.init) ?? []
        #expect(document.findings == known)
        let generated = document.generated
        #expect(!generated.isEmpty)
        let wanted = folder.appendingPathComponent("wanted.contract.yaml")
        try compare(document, with: folder.appendingPathComponent("wanted"), name)
        if ProcessInfo.processInfo.environment["ERRAND_RECORD"] != nil {
            try Data(document.contract.utf8).write(to: wanted)
            Issue.record("recorded \(wanted.lastPathComponent) of \(name); look at it")
        } else {
            #expect(try document.contract == String(contentsOf: wanted, encoding: .utf8))
        }
        #expect(
            ImportedDocument(files: files).contract == document.contract, "the same document gives the same contract")
    }

    /// The document of a case, with the files that it refers to.
    static func files(of name: String) throws -> [String: String] {
        let folder = folder.appendingPathComponent(name)
        var files: [String: String] = [:]
        let walk = FileManager.default.enumerator(atPath: folder.path)
        while let path = walk?.nextObject() as? String {
            guard path.hasSuffix(".yaml") || path.hasSuffix(".json"), !path.hasPrefix("wanted") else { continue }
            files[path] = try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
        }
        return files
    }

    /// The client of a contract whose folder has one.
    private func compare(_ document: ImportedDocument, with client: URL, _ name: String) throws {
        guard FileManager.default.fileExists(atPath: client.path) else { return }
        for file in document.client(of: "\(name).contract.yaml") {
            let place = client.appendingPathComponent(file.path)
            if ProcessInfo.processInfo.environment["ERRAND_RECORD"] != nil {
                try Data(file.bytes).write(to: place)
            } else {
                let isCurrent = (try? Array(Data(contentsOf: place))) == file.bytes
                #expect(isCurrent, "\(file.path) is not current; ERRAND_RECORD=1 swift test --filter GoldenImportTests")
            }
        }
    }
}
