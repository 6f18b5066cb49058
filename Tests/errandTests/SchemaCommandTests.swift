import Foundation
import Testing

/// `errand schema`, as a process. `SchemaTests` compares the schema of contracts with the decoder.
@Suite struct SchemaCommandTests {
    @Test(arguments: [[], ["--configuration"], ["scenario"]])
    func standardOutputAndFileSayTheSame(_ arguments: [String]) throws {
        let folder = try ProjectFolder()
        let printed = try CommandRun(["schema"] + arguments, in: folder.url)
        #expect(printed.status == 0 && printed.complaints.isEmpty)
        let written = try CommandRun(["schema", "--output", "schema.json"] + arguments, in: folder.url)
        #expect(written.status == 0 && written.output.isEmpty)
        #expect(folder.text("schema.json") == printed.output)
        let schema = try #require(try JSONSerialization.jsonObject(with: Data(printed.output.utf8)) as? [String: Any])
        #expect(schema["$schema"] as? String == "https://json-schema.org/draft/2020-12/schema" && schema["$id"] == nil)
    }

    @Test func aFileThatCannotBeWrittenIsNamed() throws {
        let folder = try ProjectFolder()
        let run = try CommandRun(["schema", "--output", "missing/schema.json"], in: folder.url)
        #expect(run.status == 2 && run.output.isEmpty)
        #expect(run.complaints.contains("`missing/schema.json` cannot be written"), "\(run.complaints)")
    }

    @Test func theConfigurationsSchemaRefusesWhatItsDecoderRefuses() throws {
        let folder = try ProjectFolder()
        let good = [
            "{}", "{\"contracts\": \"a\", \"output\": \"b\"}",
            "{\"contracts\": [\"a\"], \"access\": \"package\", \"conformances\": [\"Hashable\"], \"templates\": \"t\"}",
            "{\"lint\": {\"rules\": {\"verb-in-path\": \"off\"}, \"paths\": {\"contracts/old\": {\"missing-timeout\": \"note\"}}}}",
        ]
        let bad = [
            "[\"a\"]", "{\"outptu\": \"x\"}", "{\"access\": \"open\"}", "{\"conformances\": [\"Codeable\"]}",
            "{\"conformances\": {\"Hashable\": true}}",
            "{\"output\": [\"a\"]}", "{\"contracts\": []}", "{\"contracts\": [\"\"]}", "{\"output\": \"\"}",
            "{\"lint\": null}", "{\"lint\": {\"rule\": {}}}",
            "{\"lint\": {\"rules\": {\"verb-in-paht\": \"off\"}}}",
            "{\"lint\": {\"rules\": {\"verb-in-path\": \"loud\"}}}",
        ]
        for (texts, status) in [(good, Int32(1)), (bad, 2)] {
            for text in texts {
                try folder.write(text, to: "errand.yaml")
                try folder.write("errand: 2", to: "a")
                let run = try CommandRun(["lint", "a"], in: folder.url)
                #expect(run.status == status, "\(text): \(run.complaints)")
            }
        }
        try Self.expect(["--configuration"], takes: good, refuses: bad, in: folder)
    }

    @Test func theScenariosSchemaRefusesWhatItsDecoderRefuses() throws {
        let folder = try ProjectFolder()
        let good = [
            "{\"scenario\": 1}",
            "{\"scenario\": 1, \"seed\": 7, \"latency\": \"0ms..2s\", \"session-lifetime\": \"1m\"}",
            "{\"scenario\": 1, \"failures\": [{\"endpoint\": \"get\", \"fail\": \"slow=2s\", \"rate\": 0.5, \"times\": 1, \"after\": 0}]}",
            "{\"scenario\": 1, \"failures\": {\"fail\": \"hang\", \"rate\": \"1\"}}",
        ]
        let bad = [
            "[]", "{}", "{\"scenario\": 2}", "{\"scenario\": 1, \"sed\": 1}", "{\"scenario\": 1, \"seed\": -1}",
            "{\"scenario\": 1, \"latency\": \"2\"}", "{\"scenario\": 1, \"session-lifetime\": \"0s\"}",
            "{\"scenario\": 1, \"failures\": [{\"endpoint\": \"get\"}]}",
            "{\"scenario\": 1, \"failures\": [{\"fail\": \"\"}]}",
            "{\"scenario\": 1, \"failures\": [{\"fail\": \"hang\", \"rate\": 1.5}]}",
            "{\"scenario\": 1, \"failures\": [{\"fail\": \"hang\", \"times\": 0}]}",
        ]
        // The port is taken, so that a scenario without a mistake ends the run as well.
        let taken = try TakenPort()
        let contract =
            "errand: 1\nservice: Shop\nservers: {local: http://127.0.0.1:8080}\nendpoints: {get: {get: /a, response: string}}"
        try folder.write(contract, to: "shop.contract.yaml")
        for (texts, isGood) in [(good, true), (bad, false)] {
            for text in texts {
                try folder.write(text, to: "story.yaml")
                let run = try CommandRun(
                    ["mock", "shop.contract.yaml", "--scenario", "story.yaml", "--port", "\(taken.port)"],
                    in: folder.url)
                #expect(run.status == 2)
                #expect(run.complaints.contains("is in use") == isGood, "\(text): \(run.complaints)")
            }
        }
        try Self.expect(["scenario"], takes: good, refuses: bad, in: folder)
    }

    /// Compares a schema with what a decoder takes, if there is a validator.
    private static func expect(
        _ arguments: [String], takes good: [String], refuses bad: [String], in folder: ProjectFolder
    ) throws {
        try folder.write(CommandRun(["schema"] + arguments, in: folder.url).output, to: "schema.json")
        try folder.write("[\((good + bad).joined(separator: ","))]", to: "documents.json")
        let script = """
            import json, sys
            try: from jsonschema import Draft202012Validator
            except ImportError: print("no jsonschema"); sys.exit(0)
            schema, documents = (json.load(open(f"{sys.argv[1]}/{name}.json")) for name in ("schema", "documents"))
            Draft202012Validator.check_schema(schema)
            print("".join("+" if Draft202012Validator(schema).is_valid(d) else "-" for d in documents))
            """
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", "-c", script, folder.url.path]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        if text.hasPrefix("no jsonschema") { return print("skipped: Python has no jsonschema") }
        #expect(text == String(repeating: "+", count: good.count) + String(repeating: "-", count: bad.count) + "\n")
    }
}

/// A port on which something listens.
private final class TakenPort {
    let port: Int
    private let file: Int32

    init() throws {
        #if canImport(Darwin)
        let kind = SOCK_STREAM
        #else
        let kind = Int32(SOCK_STREAM.rawValue)
        #endif
        file = socket(AF_INET, kind, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let file = file
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { place in
                bind(file, place, length) == 0 && listen(file, 1) == 0 && getsockname(file, place, &length) == 0
            }
        }
        guard result else { throw CommandRun.ToolMissing() }
        port = Int(in_port_t(bigEndian: address.sin_port))
    }

    deinit { close(file) }
}
