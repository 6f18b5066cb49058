import ContractChecks
import ContractModel
import Diagnostics
import Foundation
import SwiftEmitter
import Testing

@testable import Pipeline
@testable import YAMLTree

/// Each kind of finding can be raised, and its page says so: the example is found, and what the page says to write instead
/// is not.
@Suite struct FindingKindTests {
    static let kinds = FindingKind.all

    @Test(arguments: kinds.map(\.name))
    func canBeRaised(_ name: String) throws {
        let kind = try #require(Self.kinds.first { $0.name == name })
        let example = kind.wrong.flatMap { FindingExample(form: kind.form, text: $0).findings }
        let findings = try example ?? FindingCases.all[name].map { try $0() }
        let found = try #require(findings, "neither the page nor a case shows it")
        #expect(!found.isEmpty && found.allSatisfy { $0.isOf(kind) }, "\(found.map { "\($0.rule): \($0.message)" })")
    }

    @Test(arguments: kinds.map(\.name))
    func whatThePageSaysInsteadIsRight(_ name: String) throws {
        let kind = try #require(Self.kinds.first { $0.name == name })
        #expect(kind.right != nil || kind.instead != nil, "a page says what to write instead")
        guard let right = kind.right else { return }
        let findings = FindingExample(form: kind.form, text: right).findings ?? []
        #expect(findings.isEmpty, "\(findings.map { "\($0.rule): \($0.message)" })")
    }

    @Test func noCaseIsLeftOver() {
        let needed = Self.kinds.filter { $0.wrong == nil || $0.form == .lines }.map(\.name)
        #expect(FindingCases.all.keys.sorted() == needed.sorted())
    }

    /// A kind that is declared but not listed would have no page.
    @Test func everyKindIsListed() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Sources/Tool/Diagnostics/Findings")
        var declared: [String] = []
        for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) where file.hasSuffix(".swift") {
            let text = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
            for part in text.components(separatedBy: "= FindingKind(").dropFirst() {
                let name = part.components(separatedBy: "\"")[1]
                // A stage may find what a lint rule finds, which is on the page of rules.
                if RuleCatalog.rule(named: name) == nil { declared.append(name) }
            }
        }
        #expect(declared.sorted() == Self.kinds.map(\.name).sorted())
        #expect(Set(declared).count == declared.count)
    }

    @Test func noIDHasTwoPages() {
        let names = FindingPages.all.map(\.name)
        #expect(Set(names).count == names.count)
    }

    @Test func theSettingOfAnIDThatIsNoRuleSaysWhy() {
        let text = "lint: {rules: {body-on-get: off}}\n"
        let findings = ProjectConfiguration.decode(Array(text.utf8), file: "errand.yaml").diagnostics
        #expect(findings.map(\.message) == ["`body-on-get` is not a lint rule"])
    }
}
