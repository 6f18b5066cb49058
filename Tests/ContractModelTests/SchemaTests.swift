import ContractModel
import Diagnostics
import Foundation
import TestSeeds
import Testing
import YAMLTree

/// The schema is made from the keys that the decoder reads, and refuses what the decoder refuses.
@Suite struct SchemaTests {
    /// Every contract of the checkout that the decoder accepts, with its path.
    static let good: [(path: String, text: String)] = contracts.filter {
        SchemaJudge.decoderFindings(in: $0.text)?.isEmpty == true
    }

    static let contracts: [(path: String, text: String)] = {
        let root = CheckoutSource.root
        return ["contracts", "Tests", "Benchmarks"].flatMap { folder -> [(path: String, text: String)] in
            let files =
                FileManager.default.enumerator(atPath: root.appendingPathComponent(folder).path)?.compactMap {
                    $0 as? String
                } ?? []
            return files.filter { $0.hasSuffix(".contract.yaml") && !$0.hasPrefix(".build") }.sorted().compactMap {
                file in
                let path = folder + "/" + file
                let text = try? String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
                return text.map { (path, $0.filter { $0 != "«" && $0 != "»" }) }
            }
        }
    }()

    static let mistakes =
        MistakeTests.keys + MistakeTests.values + MistakeTests.traps + MistakeTests.types + MistakeTests.fields
        + MistakeTests.errors + MistakeTests.endpoints + MistakeTests.service
        + SilentMistakeTests.forms + SilentMistakeTests.values + SilentMistakeTests.requests
        + SilentMistakeTests.service

    @Test func acceptsEveryGoodContract() throws {
        var documents =
            Self.good + LanguageReferenceTests.right.map { ("line \($0.line) of the language reference", $0.contract) }
        documents.append(("the contract of the resolver's tests", ResolutionTests.bank))
        #expect(Self.good.count > 90)
        guard let refusals = try SchemaJudge.refusals(of: documents.compactMap { DocumentTree($0.1) }) else { return }
        #expect(refusals.count == documents.count)
        for (document, refusal) in zip(documents, refusals) where !refusal.isEmpty {
            Issue.record("\(document.0): \(refusal.joined(separator: "; "))")
        }
    }

    /// Bad contracts are refused if the decoder alone refuses them; the others need names or other files.
    @Test func refusesWhatTheDecoderRefuses() throws {
        var bad = Self.mistakes.map { (name: $0.testDescription, text: $0.text) }
        bad += LanguageReferenceTests.wrong.map {
            ($0.mark.mistakes.joined(separator: ", ") + ": the language reference", $0.contract)
        }
        bad += Self.contracts.filter { contract in !Self.good.contains { $0.path == contract.path } }.map {
            ($0.path, $0.text)
        }
        bad = bad.filter { SchemaJudge.decoderFindings(in: $0.text) != nil }
        guard let refusals = try SchemaJudge.refusals(of: bad.compactMap { DocumentTree($0.text) }) else { return }
        #expect(refusals.count == bad.count)
        var needed = Set<String>()
        var both = 0
        for (item, refusal) in zip(bad, refusals) {
            let findings = SchemaJudge.decoderFindings(in: item.text) ?? []
            if findings.isEmpty, !refusal.isEmpty { Self.expectRefusal(item.text, refusal) }
            guard !findings.isEmpty else { continue }
            if !refusal.isEmpty {
                both += 1
            } else if let exception = Self.accepted.keys.first(where: { item.name.hasPrefix($0) }) {
                needed.insert(exception)
            } else {
                Issue.record("\(item.name) is accepted:\n\(item.text)")
            }
        }
        print(
            "the decoder alone and the schema refuse \(both) of \(bad.count) bad contracts; \(needed.count) are left to the decoder"
        )
        #expect(both > 60)
        #expect(Self.accepted.keys.filter { !needed.contains($0) }.isEmpty, "these are refused by now")
    }

    /// The mistakes in one file that the decoder refuses and a schema cannot detect: the mistake's beginning → the reason.
    static let accepted = [
        "invalid-value: begins above": "two numbers of one text would have to be compared",
        "invalid-pattern": "whether a text is a regular expression",
        "unsupported-pattern": "whether a regular expression is of the subset that is matched in linear time",
        "invalid-format": "whether a text is a format of timestamps",
    ]

    /// A schema may see more than the decoder alone, such as that no type is called `7`, and never more than the resolver.
    static func expectRefusal(
        _ text: String, _ refusal: [String], _ siblings: [String: String] = [:], _ comment: String = ""
    ) {
        if resolve(text, siblings).contract != nil {
            Issue.record("\(comment) only the schema refuses: \(refusal)\n\(text)")
        }
    }

    @Test func agreesWithTheDecoderAboutChangedContracts() throws {
        let wanted = ProcessInfo.processInfo.environment["ERRAND_SEED"].flatMap { UInt64($0) }
        let seed = wanted ?? .random(in: .min ... .max)
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        var documents: [(tree: DocumentTree, folder: Substring)] = []
        let trees = Self.good.filter { !$0.path.contains("Cases/") || $0.path.contains("passes") }.compactMap {
            contract in
            DocumentTree(contract.text).map {
                ($0, contract.path.prefix(upTo: contract.path.lastIndex(of: "/") ?? contract.path.endIndex))
            }
        }
        while documents.count < 600 {
            var (tree, folder) = trees[Int.random(in: 0..<trees.count, using: &random)]
            var place = Int.random(in: 0..<tree.count, using: &random)
            tree.change(at: &place, &random)
            documents.append((tree, folder))
        }
        guard let refusals = try SchemaJudge.refusals(of: documents.map(\.tree)) else { return }
        var refused = 0
        for (document, refusal) in zip(documents, refusals) {
            let text = document.tree.json
            guard let findings = SchemaJudge.decoderFindings(in: text) else { continue }
            if !findings.isEmpty { refused += 1 }
            if findings.isEmpty, !refusal.isEmpty {
                Self.expectRefusal(text, refusal, Self.siblings(in: document.folder), "seed \(seed):")
            } else if refusal.isEmpty, let rule = findings.first(where: { Self.beyond[$0] == nil }) {
                Issue.record("seed \(seed): only the decoder refuses: \(rule)\n\(text)")
            }
        }
        print("the decoder refuses \(refused) of \(documents.count) changed contracts")
        #expect(refused > 200 && documents.count - refused > 60)
    }

    /// Rules of the decoder that look at what no schema sees: rule → why.
    static let beyond = [
        "invalid-pattern": "whether a text is a regular expression",
        "invalid-format": "whether a text is a format of timestamps",
    ]

    private static func siblings(in folder: Substring) -> [String: String] {
        Dictionary(
            contracts.filter { $0.path.hasPrefix(folder + "/") }.map { path, text in
                (String(path.dropFirst(folder.count + 1)), text)
            }
        ) { first, _ in first }
    }
}

extension DocumentTree {
    /// How many nodes there are, this one included.
    var count: Int {
        switch self {
        case .scalar: 1
        case .list(let elements): elements.reduce(1) { $0 + $1.count }
        case .mapping(let pairs): pairs.reduce(1) { $0 + $1.value.count }
        }
    }

    /// Changes the node at a place, counted from the root: a key goes, gets another name or another value.
    mutating func change<Source: RandomNumberGenerator>(at place: inout Int, _ random: inout Source) {
        defer { place -= 1 }
        if place == 0 { return change(&random) }
        place -= 1
        switch self {
        case .scalar: place += 1
        case .list(var elements):
            for index in elements.indices where place >= 0 {
                elements[index].change(at: &place, &random)
            }
            place += 1
            self = .list(elements)
        case .mapping(var pairs):
            for index in pairs.indices where place >= 0 { pairs[index].value.change(at: &place, &random) }
            place += 1
            self = .mapping(pairs)
        }
    }

    private mutating func change<Source: RandomNumberGenerator>(_ random: inout Source) {
        let others: [DocumentTree] = [
            .scalar("\"text\""), .scalar("7"), .scalar("1.5"), .scalar("true"), .list([]), .mapping([]),
            .list([.scalar("\"text\"")]),
            .mapping([("text", .scalar("\"string\""))]), .scalar("\"some words\""),
            .list([.list([.scalar("\"int\"")])]),
            .scalar("\"\""), .scalar("\"20s\""), .scalar("\"[int\""), .scalar("\"int = 1\""), .scalar("\"/a/{b:int}\""),
            .scalar("\"1..5\""),
            .scalar("\"a.b\""), .scalar("\"none\""), .scalar("\"never\""), .list([.scalar("503"), .scalar("\"\"")]),
        ]
        guard case .mapping(var pairs) = self, let index = pairs.indices.randomElement(using: &random),
            Int.random(in: 0..<4, using: &random) > 0
        else {
            self = others.randomElement(using: &random) ?? self
            return
        }
        switch Int.random(in: 0..<4, using: &random) {
        case 0: pairs.remove(at: index)
        case 1: pairs[index].key += "x"
        case 2:
            let name = LanguageKeys.all.randomElement(using: &random)?.names.randomElement(using: &random) ?? "doc"
            guard !pairs.contains(where: { $0.key == name }) else { return }
            pairs[index].key = name
        default: pairs[index].value = others.randomElement(using: &random) ?? pairs[index].value
        }
        self = .mapping(pairs)
    }
}
