import Diagnostics
import Foundation
import Testing
import YAMLTree

@testable import ContractModel

/// The decoder checks the keys of a mapping only against the table of the language.
@Suite struct KeyRuleTests {
    /// A mapping that breaks a rule, as keys with values, and how many findings of which kind that makes.
    private static func broken(_ rule: KeyRule) -> [(keys: [(String, String)], kind: FindingKind)] {
        func keys(_ names: [String]) -> [(String, String)] { names.map { ($0, "x") } }
        switch rule {
        case .explained(let inner, let messages):
            return broken(inner).map { ($0.keys, $0.kind == .missingKey ? messages.kind : messages.refused) }
        case .required, .atLeastOne: return [([], .missingKey)]
        case .forbidden(let names): return [(keys([names[0]]), .conflictingKeys)]
        case .exactlyOne(let names, _): return [([], .missingKey), (keys(Array(names.prefix(2))), .conflictingKeys)]
        case .atMostOne(let names): return [(keys(Array(names.prefix(2))), .conflictingKeys)]
        case .needs(let key, _), .needsOne(let key, _): return [(keys([key]), .missingKey)]
        case .onlyWith(let key, _): return [(keys([key]), .conflictingKeys)]
        case .excludes(let key, let others): return [(keys([key, others[0]]), .conflictingKeys)]
        case .where(let key, let words, let rules):
            return rules.flatMap(broken).map { ([(key, words[0])] + $0.keys, $0.kind) }
        }
    }

    @Test func everyRuleOfTheTableIsChecked() throws {
        var count = 0
        for description in LanguageKeys.all {
            for rule in description.rules {
                for (keys, kind) in Self.broken(rule) {
                    count += 1
                    let text = "{" + keys.map { "\($0.0): \($0.1)" }.joined(separator: ", ") + "}"
                    let document = try #require(YAMLParser().parse(text, file: "rule.yaml").document)
                    var decoder = ContractDecoder(document: document)
                    let one = MappingDescription(
                        description.name, description.subject, description.keys, rules: [rule])
                    _ = decoder.open(document.root, as: one)
                    let found = decoder.findings.diagnostics.filter { $0.rule == kind.name }
                    #expect(found.contains { $0.help != nil }, "\(description.subject), \(rule): \(text)")
                }
            }
        }
        #expect(count > 30, "the rules are found")
    }

    @Test func aMappingThatKeepsARuleHasNoFinding() throws {
        let text = "{header: Authorization, format: \"{token}\", login: logIn, token: token, expiresIn: seconds}"
        let document = try #require(YAMLParser().parse(text, file: "rule.yaml").document)
        var decoder = ContractDecoder(document: document)
        _ = decoder.open(document.root, as: LanguageKeys.session)
        #expect(decoder.findings.diagnostics.isEmpty)
    }

    /// A key that is unknown may be meant for the one that is missing: one mistake, one finding.
    @Test func anUnknownKeyHidesThatAnotherIsMissing() throws {
        let document = try #require(YAMLParser().parse("{place: x}", file: "rule.yaml").document)
        var decoder = ContractDecoder(document: document)
        _ = decoder.open(document.root, as: LanguageKeys.signingPlacement)
        #expect(decoder.findings.diagnostics.map(\.rule) == ["unknown-key"])
    }

    /// The decoder's own reports depend on a name, or on a type.
    @Test func theDecoderHasNoCheckBetweenKeysOfItsOwn() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Sources/Tool/ContractModel/Decode")
        var found: [String: Int] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            let source = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
            let count = source.components(separatedBy: ".conflictingKeys").count - 1
            if count > 0 { found[name] = count }
        }
        #expect(
            found == [
                "CommonKeys.swift": 1, "EndpointKeys.swift": 1, "ErrorKeys.swift": 3, "FieldKeys.swift": 1,
                // The refusals of the table's own rules.
                "KeyRule.swift": 2,
            ])
    }
}
