import Foundation
import Testing

/// `errand schema`, as a process. `SchemaTests` compares the schema of contracts with the decoder.
@Suite struct SchemaCommandTests {
    @Test(arguments: [[], ["--configuration"]])
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
        try folder.write(CommandRun(["schema", "--configuration"], in: folder.url).output, to: "schema.json")
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
