import ContractDiff
import ContractModel
import Foundation
import Testing

/// What has one cause is one change, at the place of the cause.
@Suite struct ChangeCauseTests {
    @Test func aChangedDefaultNamesAllEndpoints() throws {
        let pair = try ContractPair(SampleContract.text, SampleContract.replacing("timeout: 20s", "timeout: 5s"))
        #expect(pair.changes.count == 1, "\(pair.listing)")
        let change = try #require(pair.changes.first)
        #expect(change.inheritedBy == ["logIn", "listAccounts", "getAccount", "transfer", "order"])
        let lines = SampleContract.text.components(separatedBy: "\n")
        let line = try #require(lines.firstIndex(of: "  timeout: 20s")) + 1
        #expect(change.range.map { "\($0)" } == "new.contract.yaml:\(line):3")
        #expect(change.summary == "`defaults.timeout` changes from `20s` to `5s`, for 5 endpoints")
    }

    @Test func anEndpointThatWritesItsOwnValueIsNotAmongThem() throws {
        let own = try SampleContract.replacing(
            "get: /accounts/{id:int}\n", "get: /accounts/{id:int}\n    timeout: 20s\n")
        let pair = try ContractPair(own, own.replacing("  timeout: 20s\n  retry", with: "  timeout: 5s\n  retry"))
        #expect(
            pair.change(at: "defaults.timeout.any")?.inheritedBy == ["logIn", "listAccounts", "transfer", "order"],
            "\(pair.listing)")
        #expect(pair.changes.count == 1, "\(pair.listing)")
    }

    @Test func aValueThatMovesToDefaultsIsNoChange() throws {
        let own = SampleContract.text.replacing("  timeout: 20s\n", with: "").replacing(
            "    session: none\n", with: "    session: none\n    timeout: 20s\n")
        let pair = try ContractPair(own, SampleContract.text)
        #expect(pair.change(at: "defaults.timeout")?.inheritedBy.contains("logIn") == false, "\(pair.listing)")
    }

    @Test func aNamingOfFieldsIsOneChange() throws {
        let pair = try ContractPair(
            SampleContract.text, SampleContract.replacing("  timeout: 20s\n", "  timeout: 20s\n  naming: PascalCase\n"))
        let change = try #require(pair.change(at: "defaults.naming"), "\(pair.listing)")
        #expect(change.verdict.wire.level == .breaks)
        #expect(change.inheritedBy.contains("Account"))
        #expect(Set(change.inheritedBy).count == change.inheritedBy.count)
    }

    @Test func aRenamedTypeIsOneChange() throws {
        let pair = try ContractPair(SampleContract.text, SampleContract.text.replacing("Picture", with: "Photo"))
        #expect(pair.changes.map(\.path) == ["types.Photo"], "\(pair.listing)")
        #expect(pair.changes.first?.edit == .renamed)
    }

    @Test func anErrorThatIsGoneIsOneChange() throws {
        let pair = try ContractPair(
            SampleContract.text,
            SampleContract.text.replacing("    errors: [noFunds]\n", with: "").replacing(
                "  noFunds:\n    category: nonRetryable\n    when: {status: 422}\n    data: {missing: decimal, limit: int?}\n",
                with: ""))
        #expect(pair.changes.map(\.path) == ["errors.noFunds"], "\(pair.listing)")
        #expect(pair.changes.first?.inheritedBy == ["transfer"])
        #expect(pair.changes.first?.range?.file == "old.contract.yaml")
    }

    @Test func aChangedImportIsComparedWhereItIsUsed() throws {
        let text =
            "errand: 1\nservice: Shop\nimports: [shared.yaml]\nendpoints:\n  getItem: {get: /item, response: Item}\n"
        let shared = "errand: 1\nservice: Shared\ntypes:\n  Item: {id: int}\nendpoints: {}\n"
        let old = ContractPair.examine(text, "shop.yaml", ["shared.yaml": shared])
        let new = ContractPair.examine(
            text, "shop.yaml", ["shared.yaml": shared.replacing("id: int", with: "id: int, name: string")])
        let changes = try #require(ContractComparison.changes(from: old, to: new))
        #expect(changes.map(\.path) == ["types.Item.fields.name"])
        #expect(changes.first?.range.map { "\($0)" } == "shared.yaml:4:19")
    }

    @Test func consequencesAreInTheAppsWords() throws {
        let pair = try ContractPair(SampleContract.text, SampleContract.replacing("effect: keyed", "effect: once"))
        let finding = try #require(pair.changes.first?.finding(in: "new.contract.yaml"), "\(pair.listing)")
        #expect(
            finding.message
                == "`endpoints.transfer.effect` changes from `keyed` to `once`: Apps from before this change send `transfer` again after a timeout, and a server that no longer keeps the key carries it out twice"
        )
        #expect(finding.rule == "behavior-break")
        let retry = try ContractPair(
            SampleContract.text, SampleContract.replacing("category: retryable", "category: nonRetryable"))
        #expect(
            retry.changes.first?.verdict.behavior.sentence
                == "Apps from before this change end `order` as `unconfirmed` after `overloaded`, and those from after it with the failure itself."
        )
    }

    /// A stranger's contract can have thousands of keys in one mapping.
    @Test func aJoinedChangeNamesSomeKeys() throws {
        func contract(_ prefix: String) -> String {
            let cases = (0..<2_000).map { "case\($0): \(prefix)\($0)" }.joined(separator: ", ")
            return """
                errand: 1
                service: Shop
                servers: {main: https://shop.example}
                types:
                  Kind: {enum: {\(cases)}}
                  Other: {enum: [one]}
                  Holder: {kind: Kind, other: Other}
                endpoints: {getItem: {get: /item, response: Holder}}
                """
        }
        let pair = try ContractPair(contract("a"), contract("b"))
        #expect(!pair.changes.isEmpty)
        for change in pair.changes {
            #expect(change.summary.count < 1_000)
            #expect(ChangeFingerprint(change, ofService: "Shop").text.count < 1_000)
        }
    }

    @Test func aSideWithErrorsIsNotCompared() {
        let wrong = ContractPair.examine(
            "errand: 1\nservice: Bank\nendpoints:\n  a: {get: /a, response: None}\n", "a.yaml")
        #expect(ContractComparison.changes(from: wrong, to: wrong) == nil)
    }
}

/// The shipped contracts, compared with themselves and with edits.
@Suite struct ShippedContractDiffTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static func texts(_ folder: String) throws -> [String: String] {
        let folder = root.appendingPathComponent(folder)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
            $0.hasSuffix(".contract.yaml")
        }
        return try Dictionary(
            uniqueKeysWithValues: names.map {
                ($0, try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8))
            })
    }

    @Test func theSameContractHasNoChanges() throws {
        let files = try Self.texts("contracts").merging(Self.texts("Tests/Support/GeneratedFixture")) { $1 }
        #expect(files.count > 6)
        for (name, text) in files {
            let one = ContractPair.examine(text, name, files)
            let changes = ContractComparison.changes(from: one, to: one)
            #expect(changes?.isEmpty == true, "\(name): \(changes?.map(\.summary) ?? [])")
        }
    }

    /// A contract with every key, and an empty one: each edit is one that the table knows.
    @Test func everythingIsAddedAndRemoved() throws {
        let files = try Self.texts("Tests/Support/GeneratedFixture")
        for (name, text) in files {
            let whole = ContractPair.examine(text, name, files)
            let service = try #require(whole.written?.service.value)
            let empty = ContractPair.examine("errand: 1\nservice: \(service)\nendpoints: {}\n", "empty.yaml")
            for (old, new) in [(whole, empty), (empty, whole)] {
                let changes = try #require(ContractComparison.changes(from: old, to: new), "\(name)")
                #expect(changes.count > 1)
                let unknown = changes.filter {
                    $0.verdict.wire.sentence == "Errand does not know what this change breaks."
                }
                #expect(unknown.isEmpty, "\(unknown.map(\.path))")
            }
        }
    }

    /// Any two contracts can be compared, and each change has a place in one of the two texts.
    @Test func anyTwoContractsCanBeCompared() throws {
        let files = try Self.texts("contracts")
        for (name, text) in files {
            let old = ContractPair.examine(text, name, files)
            for (other, text) in files where other != name {
                let new = ContractPair.examine(text, other, files)
                let changes = try #require(ContractComparison.changes(from: old, to: new))
                for change in changes {
                    // What holds without a declaration has no place of its own.
                    let isGone = change.edit == .removed || change.isInOld && change.place.first == "errors"
                    #expect(change.range != nil && change.isInOld == isGone, "\(change.path)")
                    if change.verdict.level > .none { #expect(change.finding(in: other) != nil) }
                }
            }
        }
    }

    @Test func anEditOfTheBankIsFound() throws {
        let text = try #require(Self.texts("contracts")["bank.contract.yaml"])
        let edited = text.replacing("when: {status: 409, code: 900008}", with: "when: {status: 409}")
            .replacing("enum: [active, frozen, closed]", with: "enum: [active, frozen, closed, dormant]")
            .replacing("    length: 15..34\n", with: "    length: 15..30\n")
        #expect(edited != text)
        let pair = try ContractPair(text, edited)
        let expected: [String: [ChangeVerdict.Level]] = [
            "errors.accountNotEmpty.when": [.none, .breaks, .breaks],
            "types.AccountStatus.enum.dormant": [.warns, .warns, .warns],
            "types.IBAN.length": [.none, .breaks, .none],
        ]
        #expect(Set(pair.changes.map(\.path)) == Set(expected.keys), "\(pair.listing)")
        for (path, levels) in expected {
            #expect(pair.change(at: path)?.verdict.columns.map(\.judgment.level) == levels, "\(pair.listing)")
        }
    }
}
