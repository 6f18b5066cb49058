import ContractDiff
import Foundation
import TestDocuments
import Testing

@testable import Pipeline

/// The documents that have an endpoint. A large one takes seconds.
private let documents = RealDocuments.openAPI { !$0.contains("webhook-example") }.filter { path in
    let size = (try? FileManager.default.attributesOfItem(atPath: path)[.size]) as? Int
    return ProcessInfo.processInfo.environment["ERRAND_DOCUMENTS"] == "all" || size ?? 0 < 100_000
}

/// Two versions of documents that other people wrote, where `ERRAND_CORPORA` names the folder that has them. The second version is
/// made here. `ERRAND_DOCUMENTS=all` takes the large documents too.
@Suite(.enabled(if: !documents.isEmpty, "ERRAND_CORPORA names no folder with real documents"))
struct DocumentDiffTests {
    /// Compares a document with another version of it.
    private func changes(of path: String, _ edit: (String) throws -> String) throws -> [Change] {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("errand-diff-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let new = folder.appendingPathComponent(URL(fileURLWithPath: path).lastPathComponent)
        try edit(String(contentsOfFile: path, encoding: .utf8)).write(to: new, atomically: true, encoding: .utf8)
        let report = Diff.run(DiffOptions(old: path, new: new.path))
        #expect(report.outcome != .couldNotRun, "\(report.findings.map(\.message))")
        return report.services.flatMap(\.changes)
    }

    private func changes(ofJSON path: String, _ edit: (inout [String: Any]) throws -> Void) throws -> [Change] {
        try changes(of: path) { text in
            var document = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
            try edit(&document)
            return String(
                decoding: try JSONSerialization.data(withJSONObject: document, options: .sortedKeys), as: UTF8.self)
        }
    }

    /// The changes that a running app notices. Logs name a renamed error by its new name. The import tells the cases of a union apart
    /// by the first member that does, so another order of members can be another contract. It gives `defaults` the errors that all operations
    /// have, so one more operation can move an error.
    private func consequences(of changes: [Change]) -> [Change] {
        changes.filter { change in
            let isMoved = change.edit == .changed && change.place.dropLast().last == "errors"
            return change.edit != .renamed && !isMoved && !change.place.contains("union")
                && (change.verdict.wire != .none || change.verdict.behavior != .none)
        }
    }

    @Test(arguments: documents)
    func theSameDocumentHasNoChange(_ path: String) throws {
        #expect(try changes(of: path) { $0 } == [])
    }

    /// The order of keys can change names in Swift, which the import gives in the order of the document, but nothing else.
    @Test(arguments: documents.filter { $0.hasSuffix(".json") })
    func theOrderOfKeysChangesNothingOnTheWire(_ path: String) throws {
        let changes = try changes(ofJSON: path) { _ in }
        #expect(consequences(of: changes) == [])
    }

    @Test(arguments: documents.filter { $0.hasSuffix(".json") })
    func anotherPathBreaksTheWire(_ path: String) throws {
        let changes = try changes(ofJSON: path) { document in
            var paths = try #require(document["paths"] as? [String: Any])
            let first = try #require(paths.keys.min())
            paths["/elsewhere" + first] = paths.removeValue(forKey: first)
            document["paths"] = paths
        }
        let broken = consequences(of: changes).filter { $0.verdict.wire.level == .breaks }
        #expect(!broken.isEmpty && broken.allSatisfy { $0.place.first == "endpoints" }, "\(changes)")
    }

    @Test(arguments: documents.filter { $0.hasSuffix(".json") })
    func aNewOperationBreaksNothing(_ path: String) throws {
        let changes = try changes(ofJSON: path) { document in
            var paths = try #require(document["paths"] as? [String: Any])
            paths["/zebras"] = [
                "get": ["operationId": "getZebras", "responses": ["200": ["description": "Stripes."]]]
            ]
            document["paths"] = paths
        }
        #expect(changes.contains { $0.place == ["endpoints", "getZebras"] && $0.verdict.level == .none }, "\(changes)")
        #expect(consequences(of: changes) == [])
    }
}
