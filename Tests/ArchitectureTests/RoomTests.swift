import Foundation
import Testing

/// The order of the folders of each module. A file uses types and members of its own folder and of the folders below, so a reader can
/// learn one folder after the other.
@Suite struct RoomTests {
    /// The folders of each module, and of each folder with folders, from the bottom to the top. The files beside them are above all
    /// of them, or at the place of the period.
    static let orders = [
        "ContractChecks": "Table Subject Rules",
        "ContractDiff": "Spelling Changes Snapshot Tree Tables Verdicts",
        "ContractModel": "Model Decode Print Resolve Schema",
        "Diagnostics": ". Findings Reports",
        "ErrandConnections": "ConnectionState ConnectionPool .",
        "ErrandHTTPServer": "HTTP WebSocket",
        "ErrandRuntime":
            "Concurrency Environment Redaction TLS HTTP Bodies Digests Description Streams Transport Failure Encode SessionStore "
            + "Command Classify Observe Cache Gates Incidents Decide Dispatcher Session "
            + "CommandRun Pages Transfers",
        "ErrandTesting": "Scripted Simulation Responses Server",
        "ErrandTransportConformance": ". Checks Messages",
        "ErrandUI": "Texts Presentation Presenter Debug Screen SwiftUI UIKit AppKit Combine",
        "LanguageServer": "Messages Connection Workspace Language Features",
        "MockHost": "Page",
        "MockServer": "Values Messages Checks Samples Responses Failures State Exchanges Engine",
        "OpenAPI": "Export Import",
        "OpenAPI/Import": "Reading Overlay Model Account Naming Text Plan Exported Update",
        "Pipeline": "FileAccess",
        "RecordedTraffic": "Reading Judging",
        "ReferencePages": "Inputs Text Templates Samples Pages",
        "SwiftEmitter": "Text Naming Render Plan Samples Customization Audit",
    ].mapValues { $0.split(separator: " ").map(String.init) }

    /// The name for the files beside the folders.
    private static let beside = "."

    /// A file of a module or a folder whose folders have an order.
    struct File {
        /// Its place in the module or the folder.
        let path: Substring
        let names: CodeNames

        var room: String { path.firstIndex(of: "/").map { String(path[..<$0]) } ?? RoomTests.beside }
    }

    @Test func everyFolderIsInAnOrder() throws {
        var found: [String: Set<String>] = [:]
        for path in try Self.sources.get().keys {
            let parts = path.split(separator: "/").map(String.init)
            for count in parts.indices.dropFirst() {
                let room = count == parts.count - 1 ? Self.beside : parts[count]
                found[parts[..<count].joined(separator: "/"), default: []].insert(room)
            }
        }
        // All files of a folder may be in one folder of it.
        found = found.filter { $0.value.count > 1 }
        #expect(found.keys.sorted() == Self.orders.keys.sorted(), "each has an order here")
        for (house, rooms) in Self.orders {
            #expect(Set(rooms).union([Self.beside]) == found[house, default: []].union([Self.beside]), "\(house)")
        }
    }

    @Test func theArchitecturePageListsTheFoldersOfTheRuntime() throws {
        let map = try String(
            contentsOf: SourceTree.root.appendingPathComponent("docs/architecture.md"), encoding: .utf8)
        var rest = map[...]
        for room in Self.orders["ErrandRuntime", default: []] {
            guard let place = rest.range(of: "`\(room)/`") else {
                Issue.record("docs/architecture.md does not list `\(room)/` in its order")
                continue
            }
            rest = rest[place.upperBound...]
        }
    }

    @Test(arguments: orders.keys.sorted()) func noFolderUsesOneAboveIt(_ house: String) throws {
        let sources = try Self.sources.get()
        let files = sources.filter { $0.key.hasPrefix(house + "/") }.map { path, names in
            File(path: path.dropFirst(house.count + 1), names: names)
        }
        #expect(!files.isEmpty)
        let visible = Self.modules(seenFrom: String(house.prefix { $0 != "/" }), sources)
        let others = sources.filter { path, _ in
            !path.hasPrefix(house + "/") && visible.contains(String(path.prefix { $0 != "/" }))
        }
        let found = Self.violations(
            in: files, Self.orders[house, default: []], Set(sources.values.flatMap(\.types)),
            Set(others.values.flatMap(\.declared)))
        for violation in found { Issue.record("\(violation)") }
    }

    /// A check that cannot fail says nothing.
    @Test func aUseOfAFolderAboveIsFound() {
        let files = [
            File(
                path: "HTTP/A.swift",
                names: CodeNames(
                    """
                    struct Header { var owner: Caller }
                    struct Method {
                        struct Roof {}
                        let roof: Roof
                        // Not in a comment: Caller
                        func send() { header.hold(for: 1); header.hold(until: "\\(Caller.self)").close() }
                    }
                    """)),
            File(
                path: "Dispatch/B.swift",
                names: CodeNames(
                    """
                    package final class Caller { let header: Header; let house: Roof }
                    extension Header {
                        private func end() { close() }
                        func hold(for time: Int) {}
                        static var first: Header { Header() }
                        func close() {}
                    }
                    extension String { func trim() {} }
                    """)),
            File(path: "C.swift", names: CodeNames("struct Roof { let header = Header.first; func close() {} }")),
            File(path: "HTTP/D.swift", names: CodeNames("let all = [Header.first, text.trim(), header.end()]")),
        ]
        let types = Set(files.flatMap(\.names.types))
        #expect(
            Self.violations(in: files, ["HTTP", "Dispatch"], types, []) == [
                "Dispatch/B.swift uses Roof, which is above all folders", "HTTP/A.swift uses Caller of Dispatch",
                "HTTP/A.swift uses hold(for:) of Dispatch", "HTTP/D.swift uses first of Dispatch",
            ])
        #expect(
            Self.violations(in: files, [".", "HTTP", "Dispatch"], types, ["first", "hold(for:"]) == [
                "C.swift uses Header of HTTP", "HTTP/A.swift uses Caller of Dispatch",
            ])
    }

    /// The names of all files of all modules, by their paths without the wing.
    private static let sources = Result<[String: CodeNames], any Error> {
        let files = try SourceTree.swiftFiles(below: "Sources").map { file in
            (file.path.split(separator: "/").dropFirst(2).joined(separator: "/"), CodeNames(file.text))
        }
        return Dictionary(uniqueKeysWithValues: files)
    }

    /// A module with the modules that it imports, and with those that they import.
    private static func modules(seenFrom module: String, _ sources: [String: CodeNames]) -> Set<String> {
        var found: Set<String> = [module]
        var open = [module]
        while let next = open.popLast() {
            for (path, names) in sources where path.hasPrefix(next + "/") {
                for name in names.imports where found.insert(name).inserted { open.append(name) }
            }
        }
        return found
    }

    /// The uses of folders above.
    ///
    /// Names do not tell the type of a value. A member counts if it extends a type of this package, and if nothing else that the file
    /// can use has its name.
    ///
    /// - Parameters:
    ///   - types: The types of this package.
    ///   - others: What is declared elsewhere, and can be used in the files.
    private static func violations(
        in files: [File], _ order: [String], _ types: Set<String>, _ others: Set<String>
    ) -> [String] {
        let rooms = order.contains(beside) ? order : order + [beside]
        let floors = Dictionary(uniqueKeysWithValues: rooms.enumerated().map { ($1, $0) })
        var declaring: [String: Set<String>] = [:]
        for file in files { for name in file.names.declared { declaring[name, default: []].insert(file.room) } }
        var homes: [String: String] = [:]
        for file in files {
            for (name, type) in file.names.members where types.contains(type) {
                // A call can also be that of a value or of a case.
                let spellings = Set([name, name.split(separator: "(").first.map(String.init) ?? name])
                let isAlone = spellings.allSatisfy {
                    !others.contains($0) && declaring[$0, default: []].isSubset(of: [file.room])
                }
                if isAlone { homes[name] = file.room }
            }
        }
        for file in files { for type in file.names.types { homes[type] = file.room } }
        var found: Set<String> = []
        for file in files {
            for name in file.names.used.subtracting(file.names.declared) {
                guard let home = homes[name], let there = floors[home], let here = floors[file.room], there > here
                else {
                    continue
                }
                let place = home == beside ? ", which is above all folders" : " of \(home)"
                found.insert("\(file.path) uses \(name)\(name.contains("(") ? ")" : "")\(place)")
            }
        }
        return found.sorted()
    }
}
