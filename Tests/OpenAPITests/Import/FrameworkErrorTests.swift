import ContractModel
import Diagnostics
import Foundation
import TestDocuments
import Testing

@testable import OpenAPI

/// What an import adds of a framework beside what the document declares.
@Suite struct FrameworkErrorTests {
    private typealias Documents = FrameworkDocuments

    /// A document of FastAPI whose first operation declares a failure.
    private static func declaring(_ failure: String, _ problem: String = "{type: object}") -> ImportedDocument {
        Documents.imported(
            Documents.fastAPI(failure + ", ", schemas: Documents.validation + "\nProblem: " + problem))
    }

    private static let problem = Documents.json("Problem")

    /// Both have the same status, and a text at `detail` tells them apart.
    @Test func anotherShapeStaysBeside() {
        let document = Self.declaring(
            "400: {description: Wrong., \(Self.problem)}",
            "{type: object, required: [code], properties: {code: {type: string}}}")
        #expect(document.problems == [])
        #expect(document.block("badRequest:").contains("when: {status: 400}\n  data: Problem"))
        #expect(
            document.block("badRequestText:").contains(
                "when: {status: 400, body: {detail: \"*\"}}\n  data: ErrorDetail"))
        #expect(document.block("listItems:").contains("errors: [badRequest]"), "\(document.contract)")
        #expect(document.block("defaults:").contains("errors: [badRequestText, unauthorized, "))
    }

    /// The text at `detail` can be of either, so only the endpoint that declares nothing has the framework's.
    @Test func aShapeThatNothingTellsApartStaysAlone() {
        let document = Self.declaring(
            "400: {description: Wrong., \(Self.problem)}",
            "{type: object, required: [code, detail], properties: {code: {type: string}, detail: {type: string}}}")
        #expect(document.problems == [])
        #expect(document.block("badRequestText:").contains("when: {status: 400}\n  data: ErrorDetail"))
        #expect(document.block("listItems:").contains("errors: [badRequest]"), "\(document.contract)")
        #expect(document.block("logIn:").contains("errors: [badRequestText]"), "\(document.contract)")
        #expect(document.block("defaults:").contains("errors: [unauthorized, "))
    }

    /// The document declares the failure of the framework itself, for some endpoints.
    @Test(arguments: [
        ("description: Wrong.", "ErrorDetail"), ("description: Wrong., \(problem)", "Problem"),
    ])
    func theSameFailureIsOneErrorOfAllEndpoints(_ content: String, _ data: String) {
        let document = Self.declaring(
            "400: {\(content)}", "{type: object, required: [detail], properties: {detail: {type: string}}}")
        #expect(document.problems == [])
        #expect(
            document.block("badRequest:")
                == "badRequest:\n  doc: Wrong.\n  category: nonRetryable\n  when: {status: 400}\n  data: \(data)")
        #expect(!document.contract.contains("badRequestText"))
        #expect(!document.block("listItems:").contains("errors:"), "\(document.contract)")
        #expect(document.block("defaults:").contains("errors: [badRequest, unauthorized, "))
        let review = document.result.reviews.first { $0.subject == "errors/badRequest" }?.reason ?? ""
        #expect(review.hasSuffix("; FastAPI 0.165.0 sends it for every endpoint (docs/frameworks.md)"), "\(review)")
    }

    /// `default` has all statuses, so nothing of the framework is beside it but what a text tells apart.
    @Test func aDefaultTakesWhatIsLeft() {
        let document = Self.declaring(
            "default: {description: Wrong., \(Self.problem)}", "{type: object, properties: {code: {type: string}}}")
        #expect(document.problems == [])
        #expect(document.block("badRequest:").contains("when: {status: 400, body: {detail: \"*\"}}"))
    }

    // MARK: Updates

    private static let older = ImportPass.all.map { pass in
        guard pass.name == "errors" else { return pass }
        return ImportPass(name: pass.name, needs: pass.needs, gives: pass.gives) { $0.errors.finish(&$0.plan, nil) }
    }

    /// An import of a version that knew no frameworks becomes this one, and loses nothing.
    @Test(arguments: [
        Documents.fastAPI(), Documents.djangoREST(), Documents.djangoNinja(), Documents.litestar(), Documents.sanic(),
    ])
    func anUpdateAddsThem(_ text: String) throws {
        let before = Documents.imported(text, passes: Self.older).contract
        let after = Documents.imported(text).contract
        #expect(!before.contains("ErrorDetail") && after.contains("ErrorDetail"))
        let update = try #require(ContractMerge.merged(base: before, own: before, new: after, file: "a.contract.yaml"))
        #expect(update.findings.map(\.message) == [])
        let again = try #require(
            ContractMerge.merged(base: after, own: update.text, new: after, file: "a.contract.yaml"))
        #expect(again.findings.map(\.message) == [] && again.text == update.text)
        for line in after.split(separator: "\n") where line.hasPrefix("  ") && line.hasSuffix(":") {
            #expect(update.text.contains(line), "\(line) is not in\n\(update.text)")
        }
    }

    // MARK: Real documents

    /// The documents of real services in a known framework.
    private static let known = ["mistral.yaml": "FastAPI", "inventree.yaml": "Django REST framework"]

    /// Those of the usual folder and of the one that was added later, without the longest ones, which take seconds each.
    private static let documents: [String] = {
        let folder = ProcessInfo.processInfo.environment["ERRAND_CORPORA"].map { $0 + "/openapi-2026-11" }
        let later = folder.flatMap { FileManager.default.enumerator(atPath: $0)?.compactMap { $0 as? String } } ?? []
        let isDocument: (String) -> Bool = { $0.hasSuffix(".yaml") || $0.hasSuffix(".json") }
        return RealDocuments.openAPI(upTo: 1_000_000)
            + later.filter(isDocument).sorted().map { (folder ?? "") + "/" + $0 }
    }()

    @Test(
        .enabled(if: !documents.isEmpty, "ERRAND_CORPORA names no folder with real documents"), arguments: documents)
    func onlyTheKnownOnesAreRecognized(_ path: String) {
        let documents = DocumentSet(provider: Disk(), findings: ImportFindings())
        let document = documents.root(of: path).flatMap { DocumentReader(documents: documents).read($0) }
        let name = path.split(separator: "/").last.map(String.init) ?? ""
        #expect(document.flatMap(Framework.recognized)?.name == Self.known[name])
    }

    private struct Disk: SourceProvider {
        func read(_ path: String) -> SourceReading {
            (try? Data(contentsOf: URL(fileURLWithPath: path))).map { .bytes(Array($0)) }
                ?? .failure(rule: .missingFile, message: "there is no file `\(path)`", help: nil)
        }
    }
}
