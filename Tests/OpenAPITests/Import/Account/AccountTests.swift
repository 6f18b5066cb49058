import ContractModel
import Foundation
import TestDocuments
import Testing

@testable import OpenAPI

/// Every key of a document is in the contract, is said to be left out, or is in the table of keys without a meaning.
@Suite struct AccountTests {
    /// Keys that their authors have in places where OpenAPI has none. A finding of each is correct.
    private static let mistakes: Set<MeaninglessKeys.Key> = [
        .init(.parameter, "format"), .init(.reference, "examples"), .init(.reference, "type"),
    ]

    static let documents = CorpusTests.documents

    @Test(.enabled(if: !documents.isEmpty, "ERRAND_CORPORA names no folder with real documents"), arguments: documents)
    func realDocumentsHaveNoKeyWithoutAnAccount(_ path: String) throws {
        let account = try #require(Self.account(of: path))
        let unread = account.counts.filter { $0.value[.unread] != nil }.keys
        #expect(Set(unread).subtracting(Self.mistakes) == [], "\(path)")
    }

    @Test func keysWithoutAMeaningAreMet() throws {
        var met = Set<MeaninglessKeys.Key>()
        for account in [Everything.imported().result.account] + Self.documents.map(Self.account) {
            for (key, fates) in account?.counts ?? [:] where fates[.meaningless] != nil { met.insert(key) }
        }
        let all = MeaninglessKeys.all.flatMap { entry in entry.keys.map { MeaninglessKeys.Key(entry.kind, $0) } }
        #expect(Set(all).count == all.count)
        for key in all where !met.contains(key) {
            Issue.record("`\(key.name)` of \(key.kind.title) is in no document: remove it from MeaninglessKeys")
        }
    }

    /// What `docs/import.md` has is the table.
    @Test func theTableIsOnThePage() throws {
        let page = try String(contentsOf: Self.page, encoding: .utf8)
        for entry in MeaninglessKeys.all { #expect(page.contains(entry.row), "docs/import.md lacks: \(entry.row)") }
    }

    private static let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../../docs/import.md")

    private static func account(of path: String) -> DocumentAccount? {
        OpenAPIImporter(provider: FilesOnDisk()).run(path).account
    }

    private struct FilesOnDisk: SourceProvider {
        func read(_ path: String) -> SourceReading {
            FileManager.default.contents(atPath: path).map { .bytes(Array($0)) }
                ?? .failure(rule: .missingFile, message: "there is no file `\(path)`", help: nil)
        }
    }

    // MARK: Planted keys

    @Test(arguments: ObjectKind.allCases) func aPlantedKeyIsSaid(_ kind: ObjectKind) throws {
        let places = Everything.places(of: kind)
        try #require(!places.isEmpty, "the document has no \(kind.title)")
        let place = try #require(places.first { !Everything.isLost($0) })
        let planted = ImportedDocument(
            files: ["api.json": Everything.text { $0.set("planted", at: place) }], main: "api.json")
        #expect(
            planted.findings.contains { $0.contains("`planted`") && !$0.hasPrefix("openapi-extension") }, "\(place)")
        let extended = ImportedDocument(
            files: ["api.json": Everything.text { $0.set("x-mine", at: place) }], main: "api.json")
        #expect(
            extended.findings.contains("openapi-extension-lost: the extension `x-mine` is left out (once)"), "\(place)")
    }

    @Test func whatBelongsToOtherOperationsIsNotSaid() {
        let paths = """
            /a: {get: {operationId: a, tags: [a], responses: {200: {description: Fine, content: {application/json: {schema: {type: string}, odd: 1}}}, 404: {description: None}}}}
            /b: {get: {operationId: b, strange: 1, x-b: 1, callbacks: {c: {}}, parameters: [{name: b}], security: [{b: []}], responses: {200: {description: Fine, links: {b: {}}, content: {application/json: {schema: {type: string, not: {}}, odd: 1}}}}}}
            """
        let components = """
            schemas: {Unused: {type: string}}
            securitySchemes: {b: {type: mutualTLS}}
            """
        let part = ImportedDocument(paths: paths, components: components, only: ["a"])
        #expect(
            part.all == [
                "openapi-unread: the import does not read `odd` of a media type, so the contract says nothing about it (once)"
            ])
        let whole = ImportedDocument(paths: paths, components: components)
        for word in [
            "`strange`", "`x-b`", "callback `c`", "without `name`", "links", "`not`", "(twice)", "1 of `schemas`",
        ] {
            #expect(whole.all.contains { $0.contains(word.replacing("(twice)", with: "(2 times)")) }, "\(word)")
        }
    }

    // MARK: Security

    @Test func flowsOfCredentialsAreComments() {
        let contract = Everything.imported().contract
        for line in [
            "# Another login.", "# clientCredentials, tokenUrl: https://kinds.example/other", "# scope write: Writes.",
            "# A key.", "# authorizationCode, refreshUrl: https://kinds.example/refresh",
            "# Scopes of the endpoints without scopes of their own: read",
        ] {
            #expect(contract.contains(line), "\(line)")
        }
    }

    @Test func anOpenEnumOfZalandoIsAnEnum() {
        let document = ImportedDocument(
            schemas: "A: {type: object, properties: {state: {type: string, x-extensible-enum: [new, old]}}}")
        #expect(document.findings == [])
        #expect(document.contract.contains("enum: [new, old]"))
    }
}
