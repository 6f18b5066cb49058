import Foundation
import Testing

/// The folders of `ErrandRuntime`, from the bottom to the top, as `docs/architecture.md` lists them. A file uses types of its own
/// folder and of the folders below, so a reader can learn one folder after the other.
@Suite struct RoomTests {
    static let rooms = [
        "Concurrency", "Environment", "Redaction", "HTTP", "Bodies", "Digests", "Description", "Streams", "Transport",
        "Failure", "Encode",
        "SessionStore", "Command", "Classify", "Observe", "Gates", "Incidents", "Decide", "Dispatcher", "Session",
        "Dispatch", "Pages", "Transfers", "Background",
    ]

    @Test func everyFolderIsListed() throws {
        let folders = try SourceTree.folders(in: "Sources/ErrandRuntime").filter { !$0.hasSuffix(".docc") }
        #expect(Set(folders) == Set(Self.rooms))
        let map = try String(
            contentsOf: SourceTree.root.appendingPathComponent("docs/architecture.md"), encoding: .utf8)
        var rest = map[...]
        for room in Self.rooms {
            guard let place = rest.range(of: "`\(room)/`") else {
                Issue.record("docs/architecture.md does not list `\(room)/` in its order")
                continue
            }
            rest = rest[place.upperBound...]
        }
    }

    @Test func noFolderUsesOneAboveIt() throws {
        let sources = try Self.sources()
        for found in Self.violations(in: sources) { Issue.record("\(found)") }
    }

    /// A check that cannot fail says nothing.
    @Test func aUseOfAFolderAboveIsFound() {
        let sources = [
            Source(room: "HTTP", path: "HTTP/A.swift", code: "struct Header { var owner: Caller }"),
            Source(
                room: "Dispatch", path: "Dispatch/B.swift", code: "package final class Caller { let header: Header }"),
        ]
        #expect(Self.violations(in: sources) == ["HTTP/A.swift uses Caller of Dispatch"])
    }

    struct Source {
        let room: String
        let path: String
        /// Without comments and texts.
        let code: String
    }

    private static func sources() throws -> [Source] {
        let root = "Sources/ErrandRuntime/"
        return try SourceTree.swiftFiles(below: "Sources/ErrandRuntime").compactMap { file in
            let path = file.path.dropFirst(root.count)
            guard let room = path.split(separator: "/").first, path.contains("/") else { return nil }
            return Source(room: String(room), path: String(path), code: code(of: file.text))
        }
    }

    private static func violations(in sources: [Source]) -> [String] {
        let floor = Dictionary(uniqueKeysWithValues: rooms.enumerated().map { ($1, $0) })
        var homes: [Substring: String] = [:]
        for source in sources {
            for match in source.code.matches(of: declaration) { homes[match.output.1] = source.room }
        }
        var found: Set<String> = []
        for source in sources {
            for name in source.code.matches(of: /\b[A-Z]\w+/).map(\.output) {
                guard let home = homes[name], let there = floor[home], let here = floor[source.room], there > here
                else {
                    continue
                }
                found.insert("\(source.path) uses \(name) of \(home)")
            }
        }
        return found.sorted()
    }

    /// A type at the top level of a file.
    nonisolated(unsafe) private static let declaration =
        /(?m)^(?:[a-z@_()]+ )*(?:struct|class|enum|actor|protocol|typealias) (\w+)/

    /// The text without comments and without texts in quotation marks.
    private static func code(of text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            String(line.replacing(/"(?:[^"\\]|\\.)*"/, with: "\"\"").replacing(/\/\/.*/, with: ""))
        }.joined(separator: "\n")
    }
}
