import Diagnostics
import Foundation
import Testing
import YAMLTree

@testable import ContractModel

/// The printed text of a contract.
@Suite struct ContractPrinterTests {
    static let contracts: [URL] = {
        let folder = CheckoutSource.root.appendingPathComponent("contracts")
        let fixtures = CheckoutSource.root.appendingPathComponent("Tests/Support/GeneratedFixture")
        return [folder, fixtures].flatMap { folder in
            (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
        }.filter { $0.lastPathComponent.hasSuffix(".contract.yaml") }.sorted { $0.path < $1.path }
    }()

    private static func decoded(_ text: String) throws -> (contract: Contract, findings: [Diagnostic]) {
        let document = try #require(YAMLParser().parse(Array(text.utf8), file: "a.contract.yaml").document)
        let result = ContractDecoder.decode(document)
        return (try #require(result.contract), result.diagnostics)
    }

    @Test(arguments: contracts) func aPrintedContractIsReadAsTheSame(_ file: URL) throws {
        let (contract, findings) = try Self.decoded(String(contentsOf: file, encoding: .utf8))
        let text = ContractPrinter.text(of: contract)
        let again = try Self.decoded(text)
        #expect(again.findings.map(\.message) == findings.map(\.message))
        #expect(ContractPrinter.text(of: again.contract) == text)
        #expect(again.contract.endpoints.count == contract.endpoints.count)
        #expect(again.contract.types.count == contract.types.count)
        #expect(text.split(separator: "\n").count > 20)
    }

    @Test func itIsPrintedAsPeopleWriteIt() throws {
        let text = """
            errand: 1
            service: Shop
            doc: |
              Sells things.

              In two languages.

            servers:
              main: https://{host=shop}.example

            session:
              header: Authorization
              format: Bearer {token}

            errors:
              soldOut:
                doc: Too late.
                category: nonRetryable
                when: [{status: 409, code: 17}, {status: 410..419, body: {reason: "true"}}]
                data:
                  left: int

            defaults:
              timeout: 20s
              deadline: 60s

            types:
              Color:
                enum: [red, "1"]
              Notice:
                text: string
                swift: bool
                deprecated: bool
              Item:
                doc: Something to buy.
                fields:
                  id: string
                  doc: string?
                  names: [string: [string]]
                  others: "[string?]"
                  amount: int = 1
                  text: {type: string, default: "1", length: 1..20, doc: 'A comma, and "quotes".'}
                  size:
                    fields:
                      width: int
                      height: int
                    doc: |
                      Of two
                      lines.

            endpoints:
              buy:
                doc: Buys it.
                post: /items/{id}/parts/{part:int}
                headers:
                  trace: {type: string, wire: X-Trace}
                body: {encoding: form, type: Item}
                response:
                  left: int
                effect: {keyed: {header: Request-Key}}
                errors: [soldOut]

              list:
                get: /items
                response: [Item]

            """
        let (contract, findings) = try Self.decoded(text)
        #expect(findings.map(\.message) == [])
        #expect(ContractPrinter.text(of: contract) == text)
    }

    /// A comment precedes the line with its key.
    @Test func commentsStandAboveTheirKeys() throws {
        let text = """
            errand: 1
            service: Shop
            # At the top.

            types:
              # Of a type.
              Item:
                # Of a default in a line.
                state: {type: string, default: new, doc: A state.}
                long:
                  type: string
                  # Of a default in lines.
                  default: old
                  doc: |
                    Of two
                    lines.

            endpoints:
              # MARK: Group

              # Of an endpoint.
              list:
                get: /items
                response: [Item]

            """
        let (contract, _) = try Self.decoded(text)
        var notes = ContractNotes()
        notes.add(["At the top."], at: [])
        notes.add(["Of a type."], at: ["types", "Item"])
        notes.add(["Of a default in a line."], at: ["types", "Item", "state", "default"])
        notes.add(["Of a default in lines."], at: ["types", "Item", "long", "default"])
        notes.add(["MARK: Group"], at: ["endpoints", "list"], isHeading: true)
        notes.add(["Of an endpoint."], at: ["endpoints", "list"], review: "it is a guess")
        #expect(ContractPrinter.text(of: contract, notes: notes) == text)
    }

    /// A field called `fields` is no key of the language, and the comments of the fields beside it are kept.
    @Test func commentsOfAFieldCalledFieldsStandAboveIt() throws {
        let text = """
            errand: 1
            service: Shop

            types:
              Item:
                fields:
                  # Of fields.
                  fields: {type: string, default: new, doc: A state.}
                  # Of other.
                  other: {type: string, default: new, doc: A state.}

            endpoints:
              change:
                put: /items
                body:
                  # Of the body.
                  fields: {type: string, default: new, doc: A state.}
                  # Of other.
                  other: {type: string, default: new, doc: A state.}
                response: none

            """
        let (contract, _) = try Self.decoded(text)
        var notes = ContractNotes()
        for (field, note) in [("fields", "Of fields."), ("other", "Of other.")] {
            notes.add([note], at: ["types", "Item", field, "default"])
        }
        for (field, note) in [("fields", "Of the body."), ("other", "Of other.")] {
            notes.add([note], at: ["endpoints", "change", "body", field, "default"])
        }
        #expect(ContractPrinter.text(of: contract, notes: notes) == text)
    }
}
