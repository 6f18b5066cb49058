import Foundation
import Testing

/// `ErrandClient` is the list of what an app sees of the runtime.
@Suite struct ClientSurfaceTests {
    /// The folders of the runtime whose types generated code and transports need. A type of these that an app writes, too, is
    /// named here.
    static let seam: [String: Set<String>] = [
        "Shared/ErrandSemantics": ["Applied", "ErrorCategory", "IncidentAnswer", "Priority"],
        "Runtime/ErrandRuntime/Description": ["WaitLimit"],
        "Runtime/ErrandRuntime/Encode": ["FilePart"],
        "Runtime/ErrandRuntime/Digests": [],
        "Runtime/ErrandRuntime/Classify": [],
        "Runtime/ErrandRuntime/Environment": [],
        "Runtime/ErrandRuntime/Redaction": [],
    ]

    @Test func anAppSeesNothingThatOnlyGeneratedCodeNeeds() throws {
        let listed = try Self.listed()
        #expect(listed.count >= 12, "the lines are found")
        #expect(Set(listed).count == listed.count, "a type is listed once")
        for (folder, exceptions) in Self.seam {
            for file in try SourceTree.swiftFiles(below: "Sources/" + folder) {
                for (name, _) in file.publicTypes where listed.contains(name) && !exceptions.contains(name) {
                    Issue.record("ErrandClient exports `\(name)` of \(folder), which an app does not write")
                }
            }
        }
    }

    /// A completion list with every type would help little. Apps import `ErrandRuntime` for rarely used types.
    @Test func anAppSeesFewTypesAndThePagesNameEachOfThem() throws {
        let listed = try Self.listed()
        #expect(listed.count <= 20, "an app's completion list has \(listed.count) types of Errand")
        let pages = try Self.textOfThePages()
        for name in listed where try !pages.contains(Regex("\\b\(name)\\b")) {
            Issue.record("no page says what an app does with `\(name)`")
        }
    }

    /// A client that exported a whole module would show all of it again. Of `ErrandConnections`, that is two types, without which an app
    /// could not read events.
    @Test func generatedClientsExportNoWholeRuntime() throws {
        var count = 0
        for file in try SourceTree.swiftFiles(below: "generated")
            + SourceTree.swiftFiles(of: "ErrandTransport")
        {
            for (number, line) in file.lines.enumerated() where line.hasPrefix("@_exported") {
                count += 1
                let isListed = try line.contains(
                    Regex(#"import (ErrandClient|ErrandConnections|ErrandTransport|\w+ \w+\.\w+)$"#))
                #expect(isListed, "\(file.path):\(number + 1): \(line)")
            }
        }
        #expect(count > 10, "the lines are found")
    }

    private static func textOfThePages() throws -> String {
        var pages = ["README.md"]
        for folder in ["docs", "Sources"] {
            guard let walk = FileManager.default.enumerator(atPath: SourceTree.root.appendingPathComponent(folder).path)
            else { continue }
            for case let path as String in walk where path.hasSuffix(".md") {
                pages.append(folder + "/" + path)
            }
        }
        return try pages.map { page in
            try String(contentsOf: SourceTree.root.appendingPathComponent(page), encoding: .utf8)
        }.joined(separator: "\n")
    }

    private static func listed() throws -> [String] {
        try SourceTree.swiftFiles(of: "ErrandClient").flatMap(\.lines).compactMap { line in
            guard let match = line.wholeMatch(of: /@_exported public import \w+ \w+\.(\w+)/) else { return nil }
            return String(match.1)
        }
    }
}
