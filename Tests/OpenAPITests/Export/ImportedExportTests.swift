import ContractModel
import Diagnostics
import Foundation
import OpenAPI
import SwiftEmitter
import Testing

@testable import Pipeline
@testable import ProjectTasks

/// A contract that is exported and imported again is unchanged: it has the same content, and the same client.
@Suite struct ImportedExportTests {
    @Test(arguments: try ExportTests.contracts()) func nothingChanges(_ contract: URL) throws {
        let original = try #require(
            Self.resolved(ContractFiles(ProjectBoundary(naming: [contract.path])), contract.path))
        for text in [
            YAMLDocument.text(of: original), OpenAPIExport.document(of: original).json,
        ] {
            let result = Self.imported(text)
            #expect(result.findings.map(\.message) == [])
            let imported = try #require(result.contract)
            let files = Texts(texts: ["again.contract.yaml": imported])
            let known = Self.problems(ContractFiles(ProjectBoundary(naming: [contract.path])), contract.path)
            #expect(Self.problems(files, "again.contract.yaml").subtracting(known) == [])
            let again = try #require(Self.resolved(files, "again.contract.yaml"))
            let (one, other) = (Saying(original).lines, Saying(again).lines)
            #expect(one.count > 50)
            for (left, right) in zip(one, other) where left != right {
                Issue.record("\(contract.lastPathComponent): \(left) became \(right)")
                break
            }
            #expect(one.count == other.count)
            #expect(OpenAPIExport.document(of: again).json == OpenAPIExport.document(of: original).json)
            let client = Self.client(of: original)
            #expect(client.count > 3)
            #expect(Self.client(of: again) == client)
        }
    }

    /// Each endpoint of a shared path or operation keeps its own names and parameters.
    @Test(arguments: [ExportTests.otherNames, ExportTests.partlyCommon, ExportTests.described])
    func sharedPlacesChangeNothing(
        _ text: String
    ) throws {
        let name = "a.contract.yaml"
        let original = try #require(Self.resolved(Texts(texts: [name: text]), name))
        let result = Self.imported(YAMLDocument.text(of: original))
        #expect(result.findings.map(\.message) == [])
        let contract = try #require(result.contract)
        let again = try #require(Self.resolved(Texts(texts: [name: contract]), name))
        #expect(OpenAPIExport.document(of: again).json == OpenAPIExport.document(of: original).json, "\(contract)")
    }

    /// A change of any of the keys reaches the contract, so that the comparison can fail.
    @Test func keysAreRead() throws {
        let bank = try #require(try ExportTests.contracts().first { $0.lastPathComponent.hasPrefix("bank") })
        let original = try #require(Self.resolved(ContractFiles(ProjectBoundary(naming: [bank.path])), bank.path))
        let text = YAMLDocument.text(of: original)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        var tried = 0
        var integers = 0
        for (number, line) in lines.enumerated() where line.contains("x-errand-") {
            // Parts that occur twice, and parts that OpenAPI's own keywords repeat.
            if line.contains("x-errand-contract") || line.contains("x-errand-means") || line.contains("-key: true")
                || line.contains("x-errand-errors: [\(original.sharedErrors.joined(separator: ", "))]")
            {
                continue
            }
            var depth = line.prefix { $0 == " " }.count
            if line.dropFirst(depth).hasPrefix("- ") { continue }
            // Most fields are integers, which all have this line.
            if line.hasSuffix("x-errand-type: int") {
                integers += 1
                if integers > 3 { continue }
            }
            // The data of an error is that of its definition, which an import reads.
            let outer = Self.outerKeys(of: number, in: lines)
            if let place = outer.firstIndex(of: "responses"), outer.count > place + 1, outer[place + 1] == "default" {
                continue
            }
            var changed = lines
            var end = number + 1
            while end < lines.count, lines[end].prefix(while: { $0 == " " }).count > depth || lines[end].isEmpty {
                end += 1
            }
            changed.removeSubrange(number..<end)
            depth = 0
            let result = Self.imported(changed.joined(separator: "\n"))
            let again = result.contract.flatMap {
                Self.resolved(Texts(texts: ["again.contract.yaml": $0]), "again.contract.yaml")
            }
            tried += 1
            #expect(again.map { Saying($0).lines } != Saying(original).lines, "without \(line)")
        }
        #expect(tried > 30)
    }

    /// The keys around a line of YAML in block style, the outermost first.
    private static func outerKeys(of number: Int, in lines: [String]) -> [String] {
        var keys: [String] = []
        var depth = lines[number].prefix { $0 == " " }.count
        for line in lines[..<number].reversed() where !line.isEmpty {
            let own = line.prefix { $0 == " " }.count
            guard own < depth else { continue }
            depth = own
            keys.insert(String(line.dropFirst(own).prefix { $0 != ":" }), at: 0)
        }
        return keys
    }

    /// A constant is in the schema and in the extension. An edit of one alone is reported.
    @Test func aConstantIsReadOnce() throws {
        let name = "a.contract.yaml"
        let original = try #require(Self.resolved(Texts(texts: [name: ExportTests.described]), name))
        let text = YAMLDocument.text(of: original)
        #expect(text.components(separatedBy: "const: ios").count == 3, "in the schema, and in the extension")
        let edited = text.replacingOccurrences(of: "\n        const: ios", with: "\n        const: web")
        #expect(edited != text)
        #expect(Self.imported(edited).findings.map(\.rule) == ["openapi-schema-lost"])
    }

    /// An addition to an exported document is imported or reported.
    @Test func additionsAreImportedOrSaid() throws {
        let document = """
            openapi: 3.1.0
            x-errand-contract: 1
            info: {title: Shop, version: 1.0.0}
            servers: [{url: "https://shop.example"}]
            paths:
              /items/{id}:
                get:
                  operationId: getItem
                  tags: [items]
                  parameters:
                    - {name: id, in: path, required: true, schema: {type: integer}}
                    - {name: mood, in: matrix, schema: {type: string}}
                  responses:
                    200: {description: Fine, content: {application/json: {schema: {$ref: "#/components/schemas/Item"}}}}
                    404: {description: None}
                trace: {responses: {200: {description: Fine}}}
            components:
              schemas:
                Item:
                  type: object
                  properties:
                    name: {type: string, title: Name}
                    size: {oneOf: [{type: string}, {type: integer}]}
                    more: {$ref: "other.yaml#/More"}
            """
        let result = Self.imported(document)
        #expect(result.contract?.contains("get: /items/{id:int}") == true)
        let rules = Set(result.findings.map(\.rule))
        #expect(
            rules.isSuperset(of: [
                "openapi-parameter-lost", "openapi-response-lost", "openapi-schema-lost", "openapi-keyword-unknown",
            ]), "\(result.findings.map(\.message))")
        #expect(result.findings.count >= 7)
    }

    /// What only the operation says that several endpoints share belongs to none of them.
    @Test func additionsToASharedOperationAreSaid() throws {
        let document = """
            openapi: 3.1.0
            x-errand-contract: 1
            info: {title: Shop, version: 1.0.0}
            servers: [{url: "https://shop.example"}]
            paths:
              /items:
                post:
                  callbacks: {}
                  parameters: [{name: mood, in: query, schema: {type: string}}]
                  requestBody: {content: {application/json: {schema: {}}, text/csv: {schema: {}}}}
                  responses: {200: {description: Fine}, 418: {description: Tea}}
                  x-errand-operations:
                    - operationId: add
                      requestBody: {content: {application/json: {schema: {type: object, properties: {name: {type: string}}}}}}
                      responses: {200: {description: Fine}}
                    - {operationId: clear, responses: {200: {description: Fine}}}
            """
        let result = Self.imported(document)
        #expect(result.endpointCount == 2)
        #expect(
            Set(result.findings.map(\.rule)) == [
                "openapi-keyword-unknown", "openapi-parameter-lost", "openapi-media-lost", "openapi-response-lost",
            ], "\(result.findings.map(\.message))")
        #expect(result.findings.count == 4)
    }

    @Test func aPartBringsItsTypes() throws {
        let bank = try #require(try ExportTests.contracts().first { $0.lastPathComponent.hasPrefix("bank") })
        let original = try #require(Self.resolved(ContractFiles(ProjectBoundary(naming: [bank.path])), bank.path))
        var options = OpenAPIImporter.Options()
        options.only = ["transferFunds", "logIn"]
        let result = Self.imported(YAMLDocument.text(of: original), options)
        let text = try #require(result.contract)
        #expect(result.endpointCount == 2)
        #expect(text.contains("  Transfer:"))
        #expect(!text.contains("listAccounts:"))
        options.only = ["transferFund"]
        #expect(Self.imported(YAMLDocument.text(of: original), options).contract == nil)
    }

    // MARK: Tools

    private enum YAMLDocument {
        static func text(of contract: ResolvedContract) -> String {
            Export.text(of: OpenAPIExport.document(of: contract), format: .yaml)
        }
    }

    private static func imported(
        _ document: String, _ options: OpenAPIImporter.Options = OpenAPIImporter.Options()
    ) -> OpenAPIImporter.Result {
        OpenAPIImporter(provider: Texts(texts: ["api.yaml": document]), options: options).run("api.yaml")
    }

    private static func resolved(_ provider: any SourceProvider, _ path: String) -> ResolvedContract? {
        ContractResolver(provider: provider).examine(path: path).resolved
    }

    private static func problems(_ provider: any SourceProvider, _ path: String) -> Set<String> {
        Set(ContractAnalyzer(provider: provider).analyze(path).findings.filter { $0.severity == .error }.map(\.message))
    }

    private static func client(of contract: ResolvedContract) -> [String: String] {
        guard let catalog = TemplateCatalog.load(overrides: [:]).catalog else { return [:] }
        let files = ClientEmitter(templates: catalog, options: EmitterOptions()).emit(contract).files
        // The first lines name the file that a client was made of.
        return Dictionary(
            files.map { file in
                let lines = String(decoding: file.bytes, as: UTF8.self).split(
                    separator: "\n", omittingEmptySubsequences: false)
                return (file.path, lines.filter { !$0.contains(".contract.yaml") }.joined(separator: "\n"))
            }
        ) { first, _ in first }
    }

    private struct Texts: SourceProvider {
        let texts: [String: String]

        func read(_ path: String) -> SourceReading {
            texts[path].map { .bytes(Array($0.utf8)) }
                ?? .failure(rule: .missingFile, message: "there is no file `\(path)`", help: nil)
        }
    }
}

/// Everything that a resolved contract says, a line for each value, without the places where it says it.
private struct Saying {
    private(set) var lines: [String] = []

    init(_ contract: ResolvedContract) {
        var used = contract
        // Defaults may list an error that no endpoint has.
        used.sharedErrors = contract.sharedErrors.filter { contract.error(named: $0) != nil }
        add(used, "contract")
    }

    /// Places, and what is kept for speed.
    private static let left: Set<String> = [
        "range", "typeRange", "file", "sources", "typeIndex", "errorIndex", "roleIndex", "envelopeIndex", "aliases",
        // The type determines the form of an example's scalar.
        "isQuoted",
    ]

    private mutating func add(_ value: Any, _ path: String) {
        if value is SourceRange { return }
        if let field = value as? FieldDefinition {
            // The name on the wire counts, and not whether the field or the defaults say it.
            let parts: [(String, Any)] = [
                ("name", field.name), ("type", field.type), ("wire", field.wireName), ("swift", field.swiftName as Any),
                ("default", field.defaultValue as Any), ("example", field.example as Any), ("doc", field.doc as Any),
                ("deprecated", field.deprecated as Any), ("sensitive", field.isSensitive), ("coerce", field.coerces),
                ("lenient", field.isLenient), ("skipInvalid", field.skipsInvalid), ("single", field.acceptsSingle),
                ("nullable", field.nullable as Any), ("contentType", field.contentType as Any),
                ("constraints", field.constraints),
            ]
            for (name, part) in parts { add(part, "\(path).\(name)") }
            return
        }
        let mirror = Mirror(reflecting: value)
        guard !mirror.children.isEmpty else { return lines.append("\(path): \(value)") }
        for (position, child) in mirror.children.enumerated() where !Self.left.contains(child.label ?? "") {
            add(child.value, path + "." + (child.label ?? "\(position)"))
        }
    }
}
