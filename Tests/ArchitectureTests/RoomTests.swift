import Foundation
import Testing

/// The order of the folders of a module, for those that have one. A file uses types of its own folder and of the folders below,
/// so a reader can learn one folder after the other.
@Suite struct RoomTests {
    /// A module whose folders have an order.
    struct House: CustomTestStringConvertible {
        let module: String
        /// The folders from the bottom to the top. The files beside them, if there are any, are above all folders.
        let rooms: [String]
        /// Whether `docs/architecture.md` lists the folders in their order.
        var isListed = false

        var testDescription: String { module }
    }

    static let houses = [
        House(
            module: "ErrandRuntime",
            rooms: [
                "Concurrency", "Environment", "Redaction", "HTTP", "Bodies", "Digests", "Description", "Streams",
                "Transport", "Failure", "Encode",
                "SessionStore", "Command", "Connection", "Classify", "Observe", "Cache", "Gates", "Incidents", "Decide",
                "Dispatcher",
                "Session", "Connections",
                "Dispatch", "Pages", "Transfers", "Background", "Outbox",
            ], isListed: true),
        House(module: "ContractModel", rooms: ["Model", "Decode", "Print", "Resolve", "Schema"]),
        House(
            module: "OpenAPIImport",
            rooms: ["Reading", "Model", "Naming", "Text", "Plan", "Exported", "Update"]),
        House(
            module: "SwiftEmitter", rooms: ["Text", "Naming", "Render", "Plan", "Samples", "Customization", "Audit"]),
    ]

    @Test(arguments: houses) func everyFolderIsInTheOrder(_ house: House) throws {
        let folders = try SourceTree.folders(in: "Sources/\(house.module)").filter { !$0.hasSuffix(".docc") }
        #expect(Set(folders) == Set(house.rooms))
        guard house.isListed else { return }
        let map = try String(
            contentsOf: SourceTree.root.appendingPathComponent("docs/architecture.md"), encoding: .utf8)
        var rest = map[...]
        for room in house.rooms {
            guard let place = rest.range(of: "`\(room)/`") else {
                Issue.record("docs/architecture.md does not list `\(room)/` in its order")
                continue
            }
            rest = rest[place.upperBound...]
        }
    }

    @Test(arguments: houses) func noFolderUsesOneAboveIt(_ house: House) throws {
        let sources = try Self.sources(of: house)
        #expect(!sources.isEmpty)
        for found in Self.violations(in: sources, of: house) { Issue.record("\(found)") }
    }

    /// A check that cannot fail says nothing.
    @Test func aUseOfAFolderAboveIsFound() {
        let house = House(module: "House", rooms: ["HTTP", "Dispatch"])
        let sources = [
            Source(room: "HTTP", path: "HTTP/A.swift", code: "struct Header { var owner: Caller }"),
            Source(
                room: "Dispatch", path: "Dispatch/B.swift",
                code: "package final class Caller { let header: Header; let house: Roof }"),
            Source(room: Self.roof, path: "C.swift", code: "struct Roof { let header: Header }"),
        ]
        #expect(
            Self.violations(in: sources, of: house) == [
                "Dispatch/B.swift uses Roof, which is above all folders", "HTTP/A.swift uses Caller of Dispatch",
            ])
    }

    struct Source {
        let room: String
        let path: String
        /// Without comments and texts.
        let code: String
    }

    /// The place of the files that are in no folder.
    private static let roof = ""

    private static func sources(of house: House) throws -> [Source] {
        let root = "Sources/\(house.module)/"
        return try SourceTree.swiftFiles(below: "Sources/\(house.module)").map { file in
            let path = file.path.dropFirst(root.count)
            let room = path.contains("/") ? path.split(separator: "/").first.map(String.init) ?? roof : roof
            return Source(room: room, path: String(path), code: code(of: file.text))
        }
    }

    private static func violations(in sources: [Source], of house: House) -> [String] {
        let floor = Dictionary(uniqueKeysWithValues: (house.rooms + [roof]).enumerated().map { ($1, $0) })
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
                let place = home == roof ? ", which is above all folders" : " of \(home)"
                found.insert("\(source.path) uses \(name)\(place)")
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
