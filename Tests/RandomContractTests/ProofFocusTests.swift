import ContractModel
import Foundation
import Testing

/// The values that an edit takes away.
@Suite struct ProofFocusTests {
    @Test(arguments: ["9223372036854775807", "1000000000000000000000", "5"])
    func aBoundCanBeTooLargeForAWholeNumber(_ bound: String) {
        let alias: PrintedNode = .mapping([("alias", .type("decimal")), ("range", .plain("0.."))])
        let root: PrintedNode = .mapping([("types", .mapping([("Amount", alias)]))])
        let edit = ContractEdit(
            slot: "type.range", kind: .changed, place: ["types", "Amount", "range"], value: .plain("0..\(bound)"))
        #expect(ProofFocus(root: root, edit: edit).contract != nil)
    }

    @Test func aFieldThatGetsBoundsBesideOthersHasOnlyWhatTheyExclude() throws {
        let root: PrintedNode = .mapping([("types", .mapping([("User", .mapping([("name", .type("string"))]))]))])
        let edit = ContractEdit(
            slot: "type.fields.*", kind: .changed, place: ["types", "User", "name"],
            value: .mapping([("type", .type("string")), ("length", .plain("1..80"))]))
        let contract = ContractPrinter.flow(try #require(ProofFocus(root: root, edit: edit).contract))
        #expect(contract.contains("81..81"), "\(contract)")
    }

    @Test func aChangedCaseOfAnEnumIsTheOnlyOneAndNoDefaultIsAnother() throws {
        let cases: PrintedNode = .mapping([("debit", .text("D")), ("credit", .text("C"))])
        let fields: PrintedNode = .mapping([
            ("one", .text("Kind = debit")), ("two", .mapping([("type", .type("Kind")), ("default", .text("debit"))])),
            ("other", .type("Kinds = debit")),
        ])
        let root: PrintedNode = .mapping([
            ("types", .mapping([("Kind", .mapping([("enum", cases)])), ("Card", .mapping([("fields", fields)]))]))
        ])
        let edit = ContractEdit(
            slot: "type.enum.*", kind: .changed, place: ["types", "Kind", "enum", "credit"], value: .text("C2"))
        let contract = ContractPrinter.flow(try #require(ProofFocus(root: root, edit: edit).contract))
        #expect(contract.contains("credit") && !contract.contains("D"))
        #expect(contract.components(separatedBy: "debit").count == 2, "\(contract)")
    }

    @Test func aRemovedCaseOfAUnionIsTheOnlyOne() throws {
        let cases: PrintedNode = .mapping([("image", .text("Image")), ("text", .text("Note"))])
        let union: PrintedNode = .mapping([("union", .mapping([("by", .text("type")), ("cases", cases)]))])
        let root: PrintedNode = .mapping([("types", .mapping([("Media", union)]))])
        let edit = ContractEdit(
            slot: "union.cases.*", kind: .removed, place: ["types", "Media", "union", "cases", "image"], value: nil)
        let contract = try #require(ProofFocus(root: root, edit: edit).contract)
        #expect(ContractPrinter.flow(contract).contains("image") && !ContractPrinter.flow(contract).contains("text"))
    }

    @Test func aTypeThatChangesIsTheOnlyCaseOfItsUnion() throws {
        let cases: PrintedNode = .mapping([("image", .type("Image")), ("text", .type("Note"))])
        let union: PrintedNode = .mapping([("union", .mapping([("by", .text("type")), ("cases", cases)]))])
        let root: PrintedNode = .mapping([
            ("types", .mapping([("Media", union), ("Image", .mapping([("caption", .type("string"))]))]))
        ])
        func contract(_ place: [String]) -> String? {
            let edit = ContractEdit(slot: "field.wire", kind: .added, place: place, value: .text("other"))
            return ProofFocus(root: root, edit: edit).contract.map { ContractPrinter.flow($0) }
        }
        let focused = try #require(contract(["types", "Image", "caption", "wire"]))
        #expect(focused.contains("image") && !focused.contains("Note"))
        #expect(contract(["types", "Other", "caption", "wire"]) == nil)
    }
}
