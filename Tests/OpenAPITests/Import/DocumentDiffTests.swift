import ContractDiff
import Foundation
import TestDocuments
import Testing

@testable import Pipeline
@testable import ProjectTasks

/// The documents that have an endpoint.
private let documents = RealDocuments.openAPI(upTo: 100_000) { !$0.contains("webhook-example") }

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

    @Test(arguments: documents)
    func anotherPathBreaksTheWire(_ path: String) throws {
        let changes = try changes(of: path) { try DocumentPaths($0).renamingFirst }
        let broken = consequences(of: changes).filter { $0.verdict.wire.level == .breaks }
        #expect(!broken.isEmpty && broken.allSatisfy { $0.place.first == "endpoints" }, "\(changes)")
    }

    @Test(arguments: documents)
    func anOperationThatIsGoneBreaksItsCommand(_ path: String) throws {
        let changes = try changes(of: path) { try DocumentPaths($0).replacingFirst }
        let gone = changes.filter { $0.place.count == 2 && $0.place[0] == "endpoints" && $0.edit == .removed }
        #expect(!gone.isEmpty && gone.allSatisfy { $0.verdict.source.level == .breaks }, "\(changes)")
        #expect(gone.allSatisfy { $0.verdict.wire.level == .breaks }, "\(changes)")
    }

    @Test(arguments: documents)
    func aNewOperationBreaksNothing(_ path: String) throws {
        let changes = try changes(of: path) { try DocumentPaths($0).addingZebras }
        #expect(changes.contains { $0.place == ["endpoints", "getZebras"] && $0.verdict.level == .none }, "\(changes)")
        #expect(consequences(of: changes) == [])
    }
}

/// The text of a document around its first path. Only these lines are edited, because the import gives names by the order of a document.
private struct DocumentPaths {
    private let lines: [Substring]
    /// The lines of the first path, with what is inside it.
    private let first: Range<Int>
    private let indentation: Substring
    private let isJSON: Bool

    struct NoPath: Error {}

    init(_ text: String) throws {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let isJSON = text.first == "{"
        func depth(_ line: Substring) -> Int { line.prefix { $0 == " " }.count }
        guard
            let paths = lines.firstIndex(where: { $0.drop { $0 == " " }.hasPrefix(isJSON ? "\"paths\":" : "paths:") }),
            let start = lines[paths...].firstIndex(where: {
                $0.contains("/") && $0.hasSuffix(isJSON ? "{" : ":")
            })
        else { throw NoPath() }
        let inside = depth(lines[start])
        let end = lines[(start + 1)...].firstIndex { !$0.isEmpty && depth($0) <= inside } ?? lines.count
        // In JSON, a brace ends the object.
        first = start..<min(end + (isJSON ? 1 : 0), lines.count)
        indentation = lines[start].prefix { $0 == " " }
        (self.lines, self.isJSON) = (lines, isJSON)
    }

    private func text(_ lines: [Substring]) -> String { lines.joined(separator: "\n") }

    var renamingFirst: String {
        get throws {
            var all = lines
            guard let slash = lines[first.lowerBound].firstIndex(of: "/") else { throw NoPath() }
            all[first.lowerBound].insert(contentsOf: "/elsewhere", at: slash)
            return text(all)
        }
    }

    /// With another path in place of the first one.
    var replacingFirst: String {
        let comma = lines[first.upperBound - 1].hasSuffix(",") ? "," : ""
        return text(Array(lines[..<first.lowerBound] + [zebras + comma] + lines[first.upperBound...]))
    }

    var addingZebras: String {
        text(Array(lines[..<first.lowerBound] + [zebras + (isJSON ? "," : "")] + lines[first.lowerBound...]))
    }

    private var zebras: Substring {
        let responses = #"{"200": {"description": "Stripes."}}"#
        return indentation
            + (isJSON
                ? #""/zebras": {"get": {"operationId": "getZebras", "responses": \#(responses)}}"#
                : "/zebras: {get: {operationId: getZebras, responses: \(responses)}}")
    }
}
