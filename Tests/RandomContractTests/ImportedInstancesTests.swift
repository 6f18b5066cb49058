import ContractModel
import ErrandJSON
import Foundation
import OpenAPI
import TestDocuments
import TestPrograms
import Testing

@testable import Pipeline
@testable import ProjectTasks

/// Values of OpenAPI documents pass through the clients that are imported from these documents.
///
/// hypothesis-jsonschema makes valid instances of each schema. The generated parser reads them, writes them again, and the result
/// must be the same JSON. The parser of an endpoint reads the document's own examples of its responses. The parsers of types read
/// the examples of request bodies and of failures. The everyday run has the small documents; `ERRAND_INSTANCES` names a part of
/// the others' paths, or `all`.
@Suite(.serialized) struct ImportedInstancesTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let documents: [String] = {
        let wanted = environment["ERRAND_INSTANCES"] ?? "examples/"
        return RealDocuments.openAPI { wanted == "all" || $0.contains(wanted) }
    }()

    private static var hasPython: Bool {
        let process = Process()
        process.executableURL = PythonTools.python
        process.arguments = ["-c", "import hypothesis_jsonschema, yaml"]
        process.standardError = FileHandle.nullDevice
        // hypothesis leaves a folder in its working directory.
        process.currentDirectoryURL = FileManager.default.temporaryDirectory
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    private struct Question {
        var document: String
        var subject: String
        var json: String
        /// Whether the output must be the same JSON.
        var isEchoed: Bool
    }

    @Test(
        .enabled(if: !documents.isEmpty, "ERRAND_CORPORA names no folder with documents"),
        .enabled(if: hasPython, "`scripts/install-python-tools` installs hypothesis-jsonschema"))
    func instancesSurviveTheRoundTrip() throws {
        let workplace = try Workplace()
        var questions: [Question] = []
        var lines: [String] = []
        var cases: [String] = []
        var unread = 0
        for (number, document) in Self.documents.enumerated() {
            let service = "D\(number)"
            var options = OpenAPIImporter.Options()
            options.service = service
            options.hasExamples = false
            let files = ContractFiles(ProjectBoundary(naming: [document]))
            let result = OpenAPIImporter(provider: files, options: options).run(document)
            let own = try #require(DocumentExamples(result, of: document))
            let contract = own.contract
            let types = result.components.filter { component in contract.contains("\n  \(component.type):") }
            guard !types.isEmpty || !own.examples.isEmpty else { continue }
            var echoing = contract
            for type in Set(own.examples.map(\.type)).sorted() {
                echoing +=
                    "\n  \(type.lowercased())echo: {put: /\(type), body: \(type), response: \(type), session: none, envelope: none}\n"
            }
            var wrappers = ""
            for (position, type) in types.enumerated() {
                // An alias of a plain value can be written only inside a structure.
                wrappers += "  Echo\(position)Value: {value: {type: \"\(type.type)?\", wire: value}}\n"
                echoing +=
                    "\n  echo\(position)echo: {put: /echo/\(position), body: Echo\(position)Value, response: Echo\(position)Value, session: none, envelope: none}\n"
            }
            echoing = echoing.replacing("\ntypes:\n", with: "\ntypes:\n" + wrappers)
            if !contract.contains("\nsession:") {
                echoing = echoing.replacing(", session: none, envelope", with: ", envelope")
            }
            echoing = echoing.replacing("\nendpoints: {}\n", with: "\nendpoints:\n")
            let verdict = try workplace.judge(["main.contract.yaml": echoing], of: service, into: "clients")
            guard verdict.isAccepted else {
                Issue.record("\(document): \(verdict.generate.map(\.message))")
                continue
            }
            for position in types.indices {
                let command = "\(service).Echo\(position)echo"
                cases.append("    case \"\(command)\": echo(text) { \(command).load(from: &$0) }\n")
            }
            for (schema, json) in try Self.instances(of: document, types.map(\.schema), below: workplace.url) {
                guard let position = types.firstIndex(where: { $0.schema == schema }) else { continue }
                let wrapped = "{\"value\": \(json)}"
                questions.append(
                    Question(document: document, subject: types[position].type, json: wrapped, isEchoed: true))
                lines.append("\(service).Echo\(position)echo \(wrapped)\n")
            }
            for (type, subject, json) in own.examples {
                let command = "\(service).\(type)echo"
                let line = "    case \"\(command)\": read(text) { \(command).load(from: &$0) != nil }\n"
                if !cases.contains(line) { cases.append(line) }
                questions.append(Question(document: document, subject: subject, json: json, isEchoed: false))
                lines.append("\(command) \(json)\n")
            }
            unread += own.unreadCount
            for (endpoint, json) in try Self.examples(of: document, service) {
                let command = "\(service).\(endpoint.prefix(1).uppercased() + endpoint.dropFirst())"
                let line = "    case \"\(command)\": read(text) { \(command).load(from: &$0) != nil }\n"
                if !cases.contains(line) { cases.append(line) }
                questions.append(Question(document: document, subject: endpoint, json: json, isEchoed: false))
                lines.append("\(command) \(json)\n")
            }
        }
        let answers = try workplace.answers(
            to: lines,
            driver: Self.driver
                + "func answer(_ command: Substring, _ text: String) -> String {\n    switch command {\n"
                + cases.joined() + "    default: \"\"\n    }\n}\n")
        try #require(answers.count == questions.count)
        var failures = 0
        for (question, answer) in zip(questions, answers) {
            let isFine = question.isEchoed ? try Self.isSame(answer, question.json) : answer == "read"
            guard !isFine else { continue }
            failures += 1
            guard failures <= 20 else { continue }
            Issue.record("\(question.document), \(question.subject)\nsent \(question.json)\ngot  \(answer)")
        }
        print(
            "\(questions.count) instances, \(questions.count { !$0.isEchoed }) of them examples, \(failures) failures, \(unread) examples of no JSON"
        )
        #expect(failures == 0)
        #expect(questions.count > 100)
    }

    /// The response examples of a document, each with its endpoint.
    private static func examples(of document: String, _ service: String) throws -> [(endpoint: String, json: String)] {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("errand-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        var options = ImportOptions(document: document)
        options.service = service
        options.output = folder.appendingPathComponent("a.contract.yaml").path
        guard let written = Import.run(options).written,
            let contract = ContractResolver(provider: ContractFiles(ProjectBoundary(naming: [written]))).examine(
                path: written
            ).resolved
        else { return [] }
        let exported = OpenAPIExport.document(of: contract)
        guard let text = exported.json.data(using: .utf8),
            let object = try JSONSerialization.jsonObject(with: text) as? [String: Any],
            let paths = object["paths"] as? [String: [String: [String: Any]]]
        else { return [] }
        var found: [(String, String)] = []
        for operation in paths.values.flatMap(\.values) {
            guard let name = operation["operationId"] as? String,
                let examples = operation["x-errand-examples"] as? [String: [String: Any]]
            else { continue }
            for example in examples.values {
                guard let response = example["response"] else { continue }
                let data = try JSONSerialization.data(
                    withJSONObject: response, options: [.fragmentsAllowed, .sortedKeys])
                found.append((name, String(decoding: data, as: UTF8.self)))
            }
        }
        return found.sorted { $0 < $1 }
    }

    /// Whether two texts are the same JSON. A null equals an absent value.
    private static func isSame(_ one: String, _ other: String) throws -> Bool {
        func plain(_ text: String) throws -> NSObject? {
            guard let value = try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
            else {
                return nil
            }
            return bare(value) as? NSObject
        }
        func bare(_ value: Any) -> Any {
            if let object = value as? [String: Any] { return object.filter { !($0.value is NSNull) }.mapValues(bare) }
            if let list = value as? [Any] { return list.map(bare) }
            return value
        }
        guard let left = try plain(one), let right = try plain(other) else { return false }
        return left == right
    }

    // MARK: Instances

    private static func instances(
        of document: String, _ schemas: [String], below folder: URL
    ) throws -> [(schema: String, json: String)] {
        let output = folder.appendingPathComponent("instances")
        try Data().write(to: output)
        let process = Process()
        process.executableURL = PythonTools.python
        process.arguments = [
            URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("instances.py").path,
            document,
        ]
        let input = folder.appendingPathComponent("schemas")
        try Data(schemas.map { $0 + "\n" }.joined().utf8).write(to: input)
        process.standardInput = try FileHandle(forReadingFrom: input)
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return try String(contentsOf: output, encoding: .utf8).split(separator: "\n").compactMap { line in
            let parts = line.split(separator: "\t", maxSplits: 1)
            return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
        }
    }

    private static let driver =
        EchoDriver.source + """
            func read(_ text: String, _ load: (inout JSONReader) -> Bool) -> String {
                do throws(JSONError) {
                    return try JSON.scan(Array(text.utf8), { load(&$0) ? true : nil }) ? "read" : "nothing"
                } catch {
                    return "refused: \\(error)"
                }
            }


            """
}
