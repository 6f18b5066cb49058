import Diagnostics
import Foundation
import TestPrograms
import Testing

@testable import OpenAPI
@testable import Pipeline
@testable import ProjectTasks

/// An exported document is valid OpenAPI, and lacks nothing of the contract.
@Suite struct ExportTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
        "../../..")

    /// The shipped contracts, the one that uses everything, and one that is hostile to writers of YAML.
    static func contracts() throws -> [URL] {
        let folder = root.appendingPathComponent("contracts")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        return names.filter { $0.hasSuffix(".contract.yaml") }.map { folder.appendingPathComponent($0) } + [
            root.appendingPathComponent("Tests/Support/GeneratedFixture/everything.contract.yaml"),
            root.appendingPathComponent("Tests/OpenAPITests/Export/hostile.contract.yaml"),
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
            from openapi_spec_validator import OpenAPIV31SpecValidator, OpenAPIV32SpecValidator
            problems = {}
            paths = sorted(glob.glob(sys.argv[1] + "/*.yaml"))
            if not paths: problems["all"] = "there are none"
            for path in paths:
                document = json.load(open(path[:-4] + "json"))
                validator = OpenAPIV32SpecValidator if document["openapi"] == "3.2.0" else OpenAPIV31SpecValidator
                found = [str(e.message)[:300] for e in validator(document).iter_errors()]
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
                ?? paths.values.flatMap(\.values).flatMap { $0["x-errand-operations"] as? [[String: Any]] ?? [$0] }
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

    /// OpenAPI has one operation for the method of a path. It describes the requests of all endpoints there, and names no two alike.
    @Test func endpointsWithOnePathAreOneOperation() throws {
        let text = """
            errand: 1
            service: Shop
            endpoints:
              now: {post: "/posts/{board:int}", body: {text: string}, response: {id: int}}
              other: {get: "/posts/{board:int}", response: {id: int}}
              later: {post: "/posts/{place}", body: {text: string, sendAt: timestamp}, response: {sendAt: timestamp}}
              form: {post: "/posts/{board:int}", query: {loud: bool}, body: {encoding: form, fields: {text: string}}}
            """
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).contract.yaml")
        defer { try? FileManager.default.removeItem(at: file) }
        try text.write(to: file, atomically: true, encoding: .utf8)
        guard case .document(let document, let lost, _) = Export.openAPI(contract: file.path, format: .json) else {
            Issue.record("not exported")
            return
        }
        #expect(lost.isEmpty)
        let all = try #require(try JSONSerialization.jsonObject(with: Data(document.utf8)) as? [String: Any])
        let paths = try #require(all["paths"] as? [String: [String: [String: Any]]])
        #expect(Set(paths.keys) == ["/posts/{board}"])
        let post = try #require(paths["/posts/{board}"]?["post"])
        let names = (post["x-errand-operations"] as? [[String: Any]])?.map { $0["operationId"] as? String }
        #expect(names == ["now", "later", "form"])
        #expect(all["x-errand-order"] as? [String] == ["now", "other", "later", "form"])
        let parameters = try #require(post["parameters"] as? [[String: Any]])
        #expect(parameters.map { $0["name"] as? String } == ["board", "loud"])
        #expect(parameters.map { $0["required"] as? Bool } == [true, false])
        let board = try #require((parameters[0]["schema"] as? [String: Any])?["anyOf"] as? [[String: Any]])
        #expect(board.map { $0["type"] as? String } == ["integer", "string"])
        let content = try #require(
            (post["requestBody"] as? [String: Any])?["content"] as? [String: [String: [String: Any]]])
        #expect(Set(content.keys) == ["application/json", "application/x-www-form-urlencoded"])
        let bodies = try #require(content["application/json"]?["schema"]?["anyOf"] as? [[String: Any]])
        #expect(bodies.map { ($0["required"] as? [String])?.count } == [1, 2])
        let responses = try #require(post["responses"] as? [String: [String: Any]])
        let success = try #require(
            (responses["200"]?["content"] as? [String: [String: [String: Any]]])?["application/json"]?["schema"])
        #expect((success["anyOf"] as? [Any])?.count == 2)
        #expect(responses["2XX"] != nil)
    }

    /// The document of a contract's text.
    private static func document(of text: String) throws -> [String: Any] {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).contract.yaml")
        defer { try? FileManager.default.removeItem(at: file) }
        try text.write(to: file, atomically: true, encoding: .utf8)
        return try object(export(file, .json))
    }

    private static func object(_ json: String) throws -> [String: Any] {
        try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any] ?? [:]
    }

    static let otherNames = """
        errand: 1
        service: Shop
        servers: {main: "https://shop.example"}
        endpoints:
          read: {get: "/items/{id:int}", response: {id: int}}
          remove: {delete: "/items/{item}"}
          change: {put: "/items/{id:int}", body: {text: string}}
        """

    /// OpenAPI forbids two paths that differ only by the names of their parameters.
    @Test func pathsDifferByMoreThanNames() throws {
        let all = try Self.contracts().map { try Self.object(Self.export($0, .json)) }
        for document in all + [try Self.document(of: Self.otherNames)] {
            let paths = document["paths"] as? [String: Any] ?? [:]
            let shapes = paths.keys.map {
                $0.replacingOccurrences(of: "\\{[^}]*\\}", with: "{}", options: .regularExpression)
            }
            #expect(Set(shapes).count == shapes.count, "\(shapes.sorted())")
        }
    }

    /// An operation has the names of its path, and the endpoint in it its own.
    @Test func operationsHaveTheNamesOfTheirPath() throws {
        let document = try Self.document(of: Self.otherNames)
        let paths = try #require(document["paths"] as? [String: [String: [String: Any]]])
        #expect(Set(paths.keys) == ["/items/{id}"])
        let item = try #require(paths["/items/{id}"])
        #expect(Set(item.keys) == ["get", "delete", "put"])
        #expect(item["get"]?["x-errand-operations"] == nil && item["put"]?["x-errand-operations"] == nil)
        let remove = try #require(item["delete"])
        let parameters = remove["parameters"] as? [[String: Any]] ?? []
        #expect(parameters.map { $0["name"] as? String } == ["id"])
        let own = remove["x-errand-operations"] as? [[String: Any]] ?? []
        #expect(own.map { $0["x-errand-path"] as? String } == ["/items/{item}"])
    }

    static let described = """
        errand: 1
        service: Shop
        servers: {main: "https://shop.example"}
        common:
          headers: {X-Platform: {const: ios}}
          parameters: {api: {const: "3"}, size: {type: int, const: "7"}}
        envelopes: {coded: {data: data, code: code, message: text, success: [100]}}
        defaults: {envelope: coded}
        errors: {soldOut: {category: nonRetryable, when: {code: 200}}}
        endpoints:
          list: {get: /items, response: [int]}
          add: {post: /items, body: {text: string}, response: {id: int}, effect: keyed, errors: [soldOut]}
          note: {post: /notes, body: {text: string?}, response: none, envelope: none}
          keep: {put: /items, body: {text: string?}, response: none, effect: {keyed: {field: key}}}
        """

    /// Only OpenAPI 3.2 has the method QUERY. Other documents stay in 3.1, which more tools read.
    @Test func aQueryIsAnOperationOfItsOwn() throws {
        let list = "list: {get: /orders, query: {page: int}, response: [int]}"
        let find = "find: {query: /orders, body: {text: string}, response: [int]}"
        for (endpoints, version) in [(list, "3.1.0"), (list + ", " + find, "3.2.0")] {
            let document = try Self.document(
                of: "errand: 1\nservice: Shop\nservers: {main: https://shop.example}\nendpoints: {\(endpoints)}\n")
            #expect(document["openapi"] as? String == version)
            let paths = document["paths"] as? [String: [String: [String: Any]]]
            let query = paths?["/orders"]?["query"]
            #expect((query != nil) == (version == "3.2.0"))
            if let query {
                #expect(query["operationId"] as? String == "find" && query["requestBody"] != nil)
                #expect(query["x-errand-effect"] == nil)
            }
        }
    }

    /// What other tools need to make a request that the service takes, and to understand every response.
    @Test func requestsAndFailuresAreDescribed() throws {
        let document = try Self.document(of: Self.described)
        func value(_ path: String) -> Any? {
            path.split(separator: " ").reduce(document as Any?) { value, key in
                if let list = value as? [Any] { return Int(key).flatMap { list.indices.contains($0) ? list[$0] : nil } }
                return (value as? [String: Any])?[String(key)]
            }
        }
        let media = "content application/json schema"
        #expect(value("components parameters X-Platform schema const") as? String == "ios")
        #expect(value("components parameters size schema const") as? Int == 7)
        // A body of fields has the common parameters, and a query in other requests.
        let more = "paths /items post requestBody \(media) allOf 1"
        #expect(value("\(more) properties api const") as? String == "3")
        #expect((value("\(more) required") as? [String]).map(Set.init) == ["api", "size"])
        let references = (value("paths /items get parameters") as? [[String: Any]] ?? []).compactMap {
            $0["$ref"] as? String
        }
        #expect(references.contains("#/components/parameters/api"))
        // The key is there, and is not empty.
        let keys = (value("paths /items post parameters") as? [[String: Any]] ?? []).filter {
            $0["x-errand-idempotency-key"] as? Bool == true
        }
        #expect((keys.first?["schema"] as? [String: Any])?["minLength"] as? Int == 1)
        #expect(value("paths /items put requestBody \(media) allOf 1 properties key minLength") as? Int == 1)
        #expect(value("paths /items post requestBody required") as? Bool == true)
        // A failure that the contract does not name, also with the status of a success, and with a code that it does not name.
        #expect(value("paths /notes post responses default x-errand-means") as? [String] == [])
        let success = "paths /items post responses 200 \(media) anyOf"
        #expect(value("\(success) 0 properties code enum") as? [AnyHashable] == [100, "100"])
        #expect(value("\(success) 1 properties code not enum") as? [AnyHashable] == [100, "100"])
        let failures = value("paths /items post responses default \(media) anyOf") as? [[String: Any]] ?? []
        #expect(failures.count == 2)
        #expect((failures.last?["properties"] as? [String: [String: Any]])?["code"]?["enum"] == nil)
        #expect(value("paths /items post responses 200 x-errand-payload") as? String == "/anyOf/0/properties/data")
        #expect(
            value("paths /items get responses 200 \(media) anyOf 0 properties data items format") as? String == "int64")
    }

    /// What JSON Schema says by itself, for readers that take no notice of `discriminator` and extensions.
    @Test func schemasSayWhatTheContractSays() throws {
        let document = try Self.document(
            of: """
                errand: 1
                service: Shop
                servers: {main: "https://shop.example"}
                types:
                  Size: {enum: [small, large]}
                  Level: {enum: {low: 1, high: 2}}
                  Unit: {enum: [gram], closed: true}
                  Card: {number: string}
                  Cash: {amount: decimal}
                  Means: {union: {by: kind, cases: {card: Card, cash: Cash}}}
                endpoints:
                  pay: {post: /payments, body: {means: Means, size: Size = small, level: Level?, unit: Unit}, response: none}
                  load: {get: "{image:url}", response: bytes}
                """)
        let schemas = try #require((document["components"] as? [String: Any])?["schemas"] as? [String: [String: Any]])
        let size = schemas["Size"]?["anyOf"] as? [[String: Any]]
        #expect(size?.count == 2 && size?[0]["enum"] as? [String] == ["small", "large"])
        #expect(size?[1] as? [String: String] == ["type": "string"], "an open enum takes other texts")
        #expect((schemas["Level"]?["anyOf"] as? [[String: Any]])?.last as? [String: String] == ["type": "integer"])
        #expect(schemas["Unit"]?["enum"] as? [String] == ["gram"] && schemas["Unit"]?["anyOf"] == nil)
        let means = try #require(schemas["Means"])
        #expect(means["required"] as? [String] == ["kind"])
        let kind = (means["properties"] as? [String: [String: Any]])?["kind"]
        #expect(kind?["enum"] as? [String] == ["card", "cash"])
        // A whole URL is no path of the document's servers.
        let load = (document["paths"] as? [String: [String: [String: Any]]])?["/{image}"]?["get"]
        let servers = load?["servers"] as? [[String: Any]]
        #expect(servers?.count == 1 && servers?[0]["url"] as? String == "{origin}")
    }

    /// A body whose fields are all optional can be left out.
    @Test func aBodyOfOptionalFieldsIsNotRequired() throws {
        let document = try Self.document(
            of: Self.otherNames.replacingOccurrences(of: "{text: string}", with: "{text: string?}"))
        let paths = document["paths"] as? [String: [String: [String: Any]]]
        let body = try #require(paths?["/items/{id}"]?["put"]?["requestBody"] as? [String: Any])
        #expect(body["required"] as? Bool == false)
    }

    static let partlyCommon = """
        errand: 1
        service: Gallery
        servers: {main: {url: "https://api.gallery.example", upload: "https://upload.gallery.example"}}
        roles:
          upload: {sends: [session]}
        session:
          header: Authorization
          format: "Bearer {token}"
        common:
          headers:
            X-Device: uuid
        endpoints:
          putText: {put: "/pictures/{id}", query: {size: int}, body: {text: string}}
          putPicture: {put: "/pictures/{id}", server: upload, query: {size: {type: int, doc: Its size.}}, body: bytes}
        """

    /// A common parameter that one of the endpoints lacks is not required.
    @Test func aCommonParameterOfSomeEndpointsIsNotRequired() throws {
        let document = try Self.document(of: Self.partlyCommon)
        let paths = try #require(document["paths"] as? [String: [String: [String: Any]]])
        let put = try #require(paths["/pictures/{id}"]?["put"])
        let parameters = put["parameters"] as? [[String: Any]] ?? []
        var required: [String: Bool] = [:]
        var descriptions: [String: String] = [:]
        for parameter in parameters {
            let name = parameter["name"] as? String ?? "a reference"
            required[name] = parameter["required"] as? Bool
            descriptions[name] = parameter["description"] as? String
        }
        #expect(parameters.count == 3)
        #expect(required == ["id": true, "size": true, "X-Device": false])
        #expect(descriptions == ["size": "Its size."])
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
