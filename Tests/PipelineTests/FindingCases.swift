import ContractDiff
import ContractModel
import Diagnostics
import Foundation
import SwiftEmitter

@testable import Pipeline
@testable import ProjectTasks
@testable import TextCatalog
@testable import YAMLTree

/// The cases for kinds of findings whose pages have no example that can be read alone.
enum FindingCases {
    typealias Case = @Sendable () throws -> [Diagnostic]

    static let all: [String: Case] = yaml.merging(contracts) { $1 }.merging(project) { $1 }.merging(files) { $1 }
        .merging(openAPI) { $1 }.merging(changes) { $1 }.merging(pages) { $1 }.merging(recordings) { $1 }

    // MARK: YAML

    private static func parse(_ bytes: [UInt8], _ limits: YAMLParser.Limits = .init()) -> [Diagnostic] {
        YAMLParser(limits: limits).parse(bytes, file: "a.yaml").diagnostics
    }

    private static func parse(_ text: String, _ limits: YAMLParser.Limits = .init()) -> [Diagnostic] {
        parse(Array(text.utf8), limits)
    }

    private static let yaml: [String: Case] = [
        "yaml-file-too-large": {
            var limits = YAMLParser.Limits()
            limits.bytes = 3
            return parse("a: b", limits)
        },
        "yaml-invalid-utf8": { parse([0x61, 0x3A, 0x20, 0xE9, 0x0A]) },
        "yaml-library-too-old": { [LibraryDiagnostics.tooOld((0, 2, 4), file: "a.yaml")].compactMap { $0 } },
        "yaml-not-text": {
            parse([UInt8](repeating: 1, count: 1_000)).filter { !$0.isOf(.yamlControlCharacter) }
        },
        "yaml-not-utf8": { parse([0xFF, 0xFE, 0x61, 0x00, 0x3A, 0x00]) },
        "yaml-out-of-memory": { [LibraryDiagnostics.outOfMemory(file: "a.yaml")] },
        "yaml-too-many-problems": {
            var limits = YAMLParser.Limits()
            limits.diagnostics = 1
            return parse("a: *b\nc: *d\n", limits).filter { !$0.isOf(.yamlUnknownAlias) }
        },
        "yaml-nesting-too-deep": {
            parse(String(repeating: "[", count: 65) + "a" + String(repeating: "]", count: 65))
        },
        "yaml-too-many-aliases": {
            var limits = YAMLParser.Limits()
            limits.aliasedNodes = 3
            return parse("a: &a [1, 2, 3, 4]\nb: *a\n", limits)
        },
    ]

    // MARK: Contracts and templates

    private static let head = "errand: 1\nservice: Sample\n"

    private static let contracts: [String: Case] = [
        "openapi-document": {
            FindingExample.findings(inContract: "openapi: 3.0.3\ninfo: {title: Library, version: 1.0.0}\npaths: {}\n")
        },
        "alias-too-deep": {
            let aliases = (0..<40).map { "  A\($0): {alias: \"[\($0 == 39 ? "string" : "A\($0 + 1)")]\"}\n" }.joined()
            return FindingExample.findings(inContract: "\(head)types:\n\(aliases)endpoints: {}\n")
        },
        "ambiguous-name": {
            let other = "errand: 1\nservice: Other\ntypes:\n  Item: {id: int}\nendpoints: {}\n"
            let text =
                "\(head)imports: [books.yaml, records.yaml]\nendpoints:\n  getItem: {get: /item, response: Item}\n"
            return FindingExample.findings(inContract: text, ["books.yaml": other, "records.yaml": other])
        },
        "import-cycle": {
            let other = "errand: 1\nservice: Other\nimports: [sample.contract.yaml]\nendpoints: {}\n"
            let text = "\(head)imports: [other.yaml]\nendpoints: {}\n"
            return FindingExample.findings(inContract: text, ["other.yaml": other])
        },
        "invalid-import": {
            FindingExample.findings(inContract: "\(head)imports: [/home/me/shared.contract.yaml]\nendpoints: {}\n")
        },
        "unknown-field": {
            let text = "\(head)types:\n  Book: {title: string}\nendpoints:\n  getBook: {get: /book, response: Book}\n"
            let configuration = "names: {Sample: {fields: {Book.titel: heading}}}\n"
            return try inProject { folder in
                try folder.write(text, to: "sample.contract.yaml")
                return lint([folder.path("sample.contract.yaml")], configuration)
            }
        },
        "template-file-unknown": { FindingExample.findings(inTemplate: "", as: "structrue.mustache") },
        "template-not-utf8": {
            try inProject { folder in
                try folder.write("", to: "templates/structure.mustache")
                try Data([0x2F, 0x2F, 0x0A, 0xE9]).write(
                    to: URL(fileURLWithPath: folder.path("templates/structure.mustache")))
                return TemplateFolder.read(
                    folder.path("templates"), in: ProjectBoundary(naming: [folder.path("templates")])
                ).diagnostics
            }
        },
        "no-templates": {
            try inProject { folder in
                try folder.write("", to: "templates/notes.txt")
                return TemplateFolder.read(
                    folder.path("templates"), in: ProjectBoundary(naming: [folder.path("templates")])
                ).diagnostics
            }
        },
    ]

    // MARK: The project

    static func inProject(_ body: (TemporaryFolder) throws -> [Diagnostic]) throws -> [Diagnostic] {
        let folder = try TemporaryFolder()
        return try withExtendedLifetime(folder) { try body(folder) }
    }

    /// What `errand lint` says of contracts without findings of rules.
    private static func lint(_ contracts: [String], _ configuration: String = "output: generated\n") -> [Diagnostic] {
        var options = LintOptions(contracts: contracts)
        let decoded = ProjectConfiguration.decode(Array(configuration.utf8), file: "errand.yaml")
        options.customization = decoded.configuration?.customization ?? ServiceCustomization()
        options.isWholeProject = true
        return decoded.diagnostics + Lint.run(options).findings.filter { $0.severity == .error }
    }

    private static func configuration(_ text: String) throws -> ProjectConfiguration {
        ProjectConfiguration.decode(Array(text.utf8), file: "errand.yaml").configuration ?? ProjectConfiguration()
    }

    private static let project: [String: Case] = [
        "duplicate-service": {
            try inProject { folder in
                for name in ["a", "b"] {
                    try folder.write("\(head)endpoints: {}\n", to: "\(name).contract.yaml")
                }
                return lint([folder.path])
            }
        },
        "endpoints-of-which-service": {
            try configuration("endpoints: [getBook]\n").customization.findings(services: ["Library", "Museum"])
        },
        "unknown-service": {
            try configuration("names: {Libary: {types: {Book: Volume}}}\n").customization.findings(services: ["Library"]
            )
        },
        "meaningless-in-target": {
            TargetBuild.refused(in: try configuration("output: Sources/Clients\naccess: internal\n"))
        },
        "too-many-endpoints": {
            try inProject { folder in
                try folder.write(
                    "\(head)endpoints: {getA: {get: /a}, getB: {get: /b}}\n", to: "a.contract.yaml")
                var access = AccessOptions()
                access.endpoints = 1
                var options = LintOptions(contracts: [folder.path])
                options.boundary = ProjectBoundary(naming: [folder.path], access)
                return Lint.run(options).findings
            }
        },
        "outside-target": { TargetBuild.refused(in: try configuration("templates: ../templates\n")) },
        "more-findings": {
            let findings = (0..<3).map { Diagnostic(rule: .wrongKind, message: "\($0)", file: "a.yaml") }
            return findings.bounded(to: 2).filter { !$0.isOf(.wrongKind) }
        },
        "expired-sign-off": { SignOffFile.findings(signOffs("2020-01-01").applied(to: signedOff)) },
        "unused-sign-off": { SignOffFile.findings(signOffs("2999-01-01").applied(to: [])) },
        "version-too-low": {
            let change = Change(
                place: ["endpoints", "ask"], edit: .removed, verdict: ChangeVerdict(wire: .breaks("Gone.")))
            let text = "\(head)version: 1.2.1\nendpoints: {}\n"
            let examination = ContractResolver(provider: OneContract(text: text)).examine(path: "a.contract.yaml")
            return [DiffVersion([change], old: "1.2.0", wasDraft: false, examination).finding].compactMap { $0 }
        },
        "unusable-history": {
            try inProject { folder in
                try folder.write("\(head)endpoints: {}\n", to: "a.contract.yaml")
                var options = LintOptions(contracts: [folder.path])
                options.changedSince = "git:no-such-commit"
                return Lint.run(options).findings
            }
        },
    ]

    private static let signedOff = [ChangeFingerprint(text: "Shop endpoints.ask removed")]

    private static func signOffs(_ expires: String) -> SignOffs {
        let text =
            "sign-offs:\n  - fingerprint: Shop endpoints.ask removed\n    reason: agreed\n    expires: \(expires)\n"
        return SignOffFile.decode(Array(text.utf8), file: SignOffFile.name).signOffs ?? SignOffs()
    }

    private struct OneContract: SourceProvider {
        let text: String
        func read(_ path: String) -> SourceReading { .bytes(Array(text.utf8)) }
    }

    // MARK: OpenAPI

    private static func document(_ rest: String) -> [Diagnostic] {
        FindingExample.findings(
            inDocument: "openapi: 3.1.0\ninfo: {title: Sample, version: 1.0.0}\n\(rest)\n")
    }

    private static let updatedDocument =
        "openapi: 3.1.0\ninfo: {title: Sample, version: 1.0.0}\npaths: {/a: {get: {responses: {404: {description: None}, 409: {description: Held}}}}}\n"

    /// The findings of an update after people have edited a contract and others the document.
    private static func updated(
        _ edit: (String) -> String, as change: (String) -> String
    ) throws -> [Diagnostic] {
        try inProject { folder in
            try folder.write(updatedDocument, to: "api.yaml")
            var options = ImportOptions(document: folder.path("api.yaml"))
            options.output = folder.path("a.contract.yaml")
            _ = Import.run(options)
            let contract = try String(contentsOf: folder.url.appendingPathComponent("a.contract.yaml"), encoding: .utf8)
            try folder.write(edit(contract), to: "a.contract.yaml")
            return try update(in: folder, to: change(updatedDocument))
        }
    }

    private static func update(in folder: TemporaryFolder, to document: String) throws -> [Diagnostic] {
        try folder.write(document, to: "api.yaml")
        var options = ImportOptions(document: folder.path("api.yaml"))
        options.output = folder.path("a.contract.yaml")
        options.isUpdate = true
        return Import.run(options).findings
    }

    private static func overlaid(_ overlay: String) -> [Diagnostic] {
        FindingExample.findings(
            inDocument:
                "openapi: 3.1.0\ninfo: {title: Sample, version: 1.0.0}\npaths: {/a: {get: {responses: {400: {description: Bad}}}}}\n",
            overlay: "overlay: 1.0.0\n\(overlay)")
    }

    private static let openAPI: [String: Case] = [
        "openapi-example-lost": {
            try inProject { folder in
                let example = "content: {application/json: {schema: {type: integer}, example: many}}"
                let text =
                    "paths: {/a: {get: {responses: {200: {description: Fine, \(example)}, 400: {description: Bad}}}}}"
                try folder.write("openapi: 3.1.0\ninfo: {title: Sample, version: 1.0.0}\n\(text)\n", to: "api.yaml")
                var options = ImportOptions(document: folder.path("api.yaml"))
                options.output = folder.path("a.contract.yaml")
                return Import.run(options).findings
            }
        },
        "openapi-envelope-lifted": {
            let wrapped =
                "{type: object, properties: {code: {const: 0}, ts: {type: integer}, data: {type: string}}}"
            let paths = ["a", "b", "c"].map {
                "  /\($0): {get: {responses: {200: {description: Fine, content: {application/json: {schema: \(wrapped)}}}, 400: {description: Bad}}}}"
            }
            return document("paths:\n" + paths.joined(separator: "\n"))
        },
        "openapi-overlay-elsewhere": {
            overlaid("extends: other.yaml\nactions: [{target: $.info, update: {title: Books}}]\n")
        },
        "openapi-overlay-invalid": { overlaid("actions: [{target: $.paths./users.get, remove: true}]\n") },
        "openapi-overlay-unmatched": { overlaid("actions: [{target: \"$.paths['/user']\", remove: true}]\n") },
        "openapi-export-lost": {
            try inProject { folder in
                try folder.write(
                    """
                    errand: 1
                    service: Shop
                    connection: {}
                    endpoints:
                      ask: {frame: ask, response: {text: string}, effect: read}

                    """, to: "a.contract.yaml")
                guard
                    case .document(_, let lost, _) = Export.openAPI(
                        contract: folder.path("a.contract.yaml"), format: .yaml)
                else { return [] }
                return lost
            }
        },
        "openapi-update-conflict": {
            try updated {
                $0.replacing("category: nonRetryable", with: "category: retryable")
            } as: {
                $0.replacing(", 409: {description: Held}", with: "")
            }
        },
        "openapi-update-removed": {
            try updated {
                $0
            } as: {
                $0.replacing("/a", with: "/b")
            }
        },
        "openapi-update-without-base": {
            try inProject { folder in
                try folder.write("errand: 1\nservice: Shop\nendpoints: {}\n", to: "a.contract.yaml")
                return try update(in: folder, to: updatedDocument)
            }
        },
        "openapi-security-lost": {
            document(
                "components: {securitySchemes: {c: {type: apiKey, in: cookie, name: c}}}\npaths: {/a: {get: {responses: {400: {description: Bad}}}}}"
            )
        },
        "openapi-server-lost": {
            document("servers: [{url: /api}]\npaths: {/a: {get: {responses: {400: {description: Bad}}}}}")
        },
        "openapi-unreadable": { FindingExample.findings(inDocument: "title: Books\n") },
        "openapi-unused": {
            document(
                "components: {schemas: {Book: {type: string}}}\npaths: {/a: {get: {responses: {400: {description: Bad}}}}}"
            )
        },
    ]

    // MARK: Files

    private static func reading(_ path: String) -> [Diagnostic] {
        let boundary = ProjectBoundary(naming: [path])
        guard case .failure(let rule, let message, let help) = boundary.read(path) else { return [] }
        return [Diagnostic(rule: rule, message: message, file: path, help: help)]
    }

    private static func writing(below folder: String) -> [Diagnostic] {
        let file = OutputFile(path: "Bank/A.swift", text: OutputFolderTests.marker)
        return OutputFolder(path: folder).changes(for: [file], services: nil).diagnostics
    }

    private static let files: [String: Case] = [
        "file-in-the-way": {
            try inProject { folder in
                try folder.write("mine", to: "a")
                return NewFiles.write([(path: folder.path("a"), text: "")], in: ProjectBoundary())
            }
        },
        "file-too-large": {
            try inProject { folder in
                try folder.write("", to: "a")
                let handle = try FileHandle(forWritingTo: folder.url.appendingPathComponent("a"))
                try handle.truncate(atOffset: 300 << 20)
                try handle.close()
                return reading(folder.path("a"))
            }
        },
        "folder-as-file": { try inProject { reading($0.path) } },
        "foreign-file": {
            try inProject { folder in
                try folder.write("// mine\n", to: "generated/Bank/A.swift")
                return writing(below: folder.path("generated"))
            }
        },
        "missing-file": { try inProject { reading($0.path("none")) } },
        "no-contracts": {
            try inProject { ContractFiles.find([$0.path], in: ProjectBoundary(naming: [$0.path])).diagnostics }
        },
        "no-file": { reading("/dev/null") },
        "output-is-a-file": {
            try inProject { folder in
                try folder.write("x", to: "generated")
                return writing(below: folder.path("generated"))
            }
        },
        "output-is-a-link": {
            try inProject { folder in
                try folder.write("x", to: "elsewhere/x")
                try folder.write("x", to: "generated/x")
                try FileManager.default.createSymbolicLink(
                    atPath: folder.path("generated/Bank"), withDestinationPath: folder.path("elsewhere"))
                return writing(below: folder.path("generated"))
            }
        },
        "output-unwritable": {
            try inProject { folder in
                try folder.write("x", to: "wall")
                return NewFiles.write([(path: folder.path("wall/a"), text: "")], in: ProjectBoundary())
            }
        },
        "outside-project": {
            try inProject { folder in
                try folder.write("\(head)imports: [../b.yaml]\nendpoints: {}\n", to: "contracts/a.contract.yaml")
                return Lint.run(LintOptions(contracts: [folder.path("contracts")])).findings
            }
        },
        "stale-texts": {
            try inProject { folder in
                let error = "errors:\n  gone: {category: nonRetryable, when: {status: 410}, message: It is gone.}\n"
                try folder.write(
                    "\(head)\(error)endpoints:\n  ask: {get: /a, response: none, errors: [gone]}\n",
                    to: "contracts/a.contract.yaml")
                try folder.write("{}", to: "texts.json")
                var options = LintOptions(contracts: [folder.path("contracts")])
                options.boundary = ProjectBoundary(naming: [folder.path("contracts"), folder.path("texts.json")])
                options.isWholeProject = true
                let place = SourcePosition(line: 1, column: 1, offset: 0)
                options.catalogs = [
                    Located(
                        folder.path("texts.json"), at: SourceRange(file: "errand.yaml", start: place, end: place))
                ]
                return Lint.run(options).findings.filter { $0.isOf(.staleTexts) }
            }
        },
        "unreadable-catalog": {
            let problem = CatalogProblem(message: "the file is not JSON", offset: 0)
            return [Texts.finding(problem, in: [], file: "Localizable.xcstrings")]
        },
        "unreadable-file": { reading("/" + String(repeating: "x", count: 300)) },
    ]
}

extension SignOffs {
    fileprivate func applied(to breaks: [ChangeFingerprint]) -> SignOffs.Result {
        applied(to: breaks, ofServices: ["Shop"], today: CalendarDay(secondsSince1970: 1_800_000_000))
    }
}
