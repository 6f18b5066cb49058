import Diagnostics
import Foundation
import TestPrograms
import Testing

@testable import OpenAPIExport
@testable import Pipeline

/// An exported document is valid OpenAPI, and lacks nothing of the contract.
@Suite struct ExportTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
        "../..")

    /// The shipped contracts, the one that uses everything, and one that is hostile to writers of YAML.
    static func contracts() throws -> [URL] {
        let folder = root.appendingPathComponent("contracts")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        return names.filter { $0.hasSuffix(".contract.yaml") }.map { folder.appendingPathComponent($0) } + [
            root.appendingPathComponent("Tests/GeneratedFixture/everything.contract.yaml"),
            root.appendingPathComponent("Tests/OpenAPIExportTests/hostile.contract.yaml"),
        ]
    }

    private static func export(_ contract: URL, _ format: Export.Format) throws -> String {
        switch Export.openAPI(contract: contract.path, format: format) {
        case .document(let text, _, _): return text
        case .findings(let findings, _): throw Refused(messages: findings.map(\.message))
        }
    }

    private struct Refused: Error { let messages: [String] }

    /// openapi-spec-validator takes each document, and PyYAML reads the same from its YAML as from its JSON.
    @Test(
        .enabled(
            if: PythonTools.areInstalled,
            "`scripts/install-python-tools` installs openapi-spec-validator"))
    func documentsAreValid() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("errand-export-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (number, contract) in try Self.contracts().enumerated() {
            for format in Export.Format.allCases {
                let file = folder.appendingPathComponent("\(number).\(format.rawValue)")
                try Data(Self.export(contract, format).utf8).write(to: file)
            }
        }
        #expect(try Self.validate(folder) == "{}")
    }

    /// The problems of the documents in a folder, by their number, as JSON.
    private static func validate(_ folder: URL) throws -> String {
        let script = """
            import glob, json, sys, yaml
            from openapi_spec_validator import OpenAPIV31SpecValidator
            problems = {}
            paths = sorted(glob.glob(sys.argv[1] + "/*.yaml"))
            if not paths: problems["all"] = "there are none"
            for path in paths:
                document = json.load(open(path[:-4] + "json"))
                found = [str(e.message)[:300] for e in OpenAPIV31SpecValidator(document).iter_errors()]
                if yaml.safe_load(open(path)) != document: found.append("YAML and JSON differ")
                if found: problems[path] = found[:5]
            print(json.dumps(problems))
            """
        let process = Process()
        process.executableURL = PythonTools.python
        process.arguments = ["-c", script, folder.path]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Each endpoint is an operation, each error is defined, and each that a response can be is among the responses.
    @Test func nothingIsLeftOut() throws {
        for contract in try Self.contracts() {
            let text = try Self.export(contract, .json)
            let document = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
            let paths = try #require(document["paths"] as? [String: [String: [String: Any]]])
            let errors = document["x-errand-errors"] as? [String: [String: Any]] ?? [:]
            // A service with a connection has no paths. `ImportedExportTests` compares its frames.
            let operations =
                (document["x-errand-frames"] as? [String: [String: Any]])?.values.map(\.self)
                ?? paths.values.flatMap(\.values)
            #expect(!operations.isEmpty)
            if document["x-errand-frames"] != nil { continue }
            for operation in operations {
                let responses = try #require(operation["responses"] as? [String: [String: Any]])
                let means = Set(responses.values.flatMap { $0["x-errand-means"] as? [String] ?? [] })
                let outcomes = (operation["x-errand-outcomes"] as? [String: Any] ?? [:]).keys
                for name in operation["x-errand-errors"] as? [String] ?? [] {
                    let definition = try #require(errors[name], "\(name) is not defined")
                    let conditions = definition["when"] as? [[String: Any]] ?? []
                    let hasResponse = conditions.contains { $0["transport"] == nil }
                    #expect(!hasResponse || means.contains(name), "\(contract.lastPathComponent): \(name)")
                }
                #expect(means.isSuperset(of: outcomes))
            }
        }
    }

    /// Parts without a place in OpenAPI are reported, and the rest is exported.
    @Test func whatIsLeftOutIsSaid() throws {
        let text = """
            errand: 1
            service: Shop
            endpoints:
              get: {get: "/a/{one}"}
              same: {get: "/a/{one}"}
              post: {post: "/a/{one}"}
            """
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).contract.yaml")
        defer { try? FileManager.default.removeItem(at: file) }
        try text.write(to: file, atomically: true, encoding: .utf8)
        guard case .document(let document, let lost, _) = Export.openAPI(contract: file.path, format: .yaml) else {
            Issue.record("not exported")
            return
        }
        #expect(lost.map(\.message) == ["`same` is left out, because `get` has the same method and path"])
        #expect(document.split(separator: "\n").filter { $0.contains("operationId") }.count == 2)
    }

    @Test func aContractWithErrorsIsNotExported() {
        let missing = Export.openAPI(contract: "no-such.contract.yaml", format: .yaml)
        guard case .findings(let findings, _) = missing else {
            Issue.record("exported")
            return
        }
        #expect(!findings.isEmpty)
    }
}
