import ContractDiff
import ContractModel
import Diagnostics
import SwiftEmitter
import TestSeeds

/// A contract that edits begin with.
struct ProofContract {
    let name: String
    let root: PrintedNode
    let resolved: ResolvedContract
    let examination: ContractExamination
    let edits: ContractEdits
}

/// A column of a verdict that a run can show or contradict.
enum ProofColumn: String, CaseIterable {
    case wire, behavior

    func level(of verdict: ChangeVerdict) -> ChangeVerdict.Level {
        switch self {
        case .wire: verdict.wire.level
        case .behavior: verdict.behavior.level
        }
    }
}

/// A contract before and after one edit, with what `errand diff` says of it.
struct ProofPair: CustomStringConvertible {
    /// What the verdict promises.
    enum Claim: String {
        /// Nothing that can be observed changes.
        case safe
        /// Something that can be observed changes.
        case breaks
    }

    private(set) var number: Int
    let old: ProofContract
    let edit: ContractEdit
    var changes: [Change]
    /// The contract after the edit, as a client of its own name.
    let new: ResolvedContract
    /// The endpoints that are called, by their names before and after the edit.
    let endpoints: [(old: String?, new: String?)]
    /// The old contract with only the values that a break takes away (``ProofFocus``).
    let focus: ResolvedContract?

    var description: String { "\(old.name): \(edit.description)" }

    /// What all columns promise together. Nil if the worst is to be reviewed, which promises nothing.
    var claim: Claim? { Self.claim(ProofColumn.allCases.map(level).max() ?? .none) }

    func claim(_ column: ProofColumn) -> Claim? { Self.claim(level(column)) }

    private func level(_ column: ProofColumn) -> ChangeVerdict.Level {
        changes.map { column.level(of: $0.verdict) }.max() ?? .none
    }

    private static func claim(_ level: ChangeVerdict.Level) -> Claim? {
        switch level {
        case .breaks: .breaks
        case .warns: nil
        case .none: .safe
        }
    }

    /// The same with other verdicts, which a test plants.
    func judged(_ verdict: ChangeVerdict) -> ProofPair {
        var pair = self
        for index in pair.changes.indices { pair.changes[index].verdict = verdict }
        return pair
    }

    /// The same as another pair of a program, with the same client.
    func numbered(_ number: Int) -> ProofPair {
        var pair = self
        pair.number = number
        return pair
    }

    /// The changes with their verdicts, in lines.
    var verdicts: String {
        changes.map { change in
            let columns = change.verdict.columns.compactMap { column in
                column.judgment.sentence.map { "\(column.name) \(column.judgment.level): \($0)" }
            }
            return "  \(change.edit.rawValue) \(change.path): "
                + (columns.isEmpty ? "breaks nothing" : columns.joined(separator: " "))
        }.joined(separator: "\n")
    }
}

/// Chooses edits of the shipped contracts by a seed.
struct ProofPairs {
    private let files: [String: String]
    private var contracts: [ProofContract] = []
    /// The edits of all contracts, by their slot and kind.
    private var groups: [(key: String, edits: [(contract: Int, edit: ContractEdit)])] = []
    /// What became of the edits that were tried.
    private(set) var refused = 0
    private(set) var reviews = 0
    private(set) var unchanged = 0

    /// - Parameters:
    ///   - files: the contracts, by the names of their files.
    ///   - donors: the files of more contracts, whose values edits may take.
    init(_ files: [String: String], donors: [String: String]) {
        self.files = files
        let roots = files.merging(donors) { $1 }.sorted { $0.key < $1.key }.compactMap { file, text in
            Self.examine(text, file, files).written.map { PrintedNode.mapping($0.printed) }
        }
        for (file, text) in files.sorted(by: { $0.key < $1.key }) {
            guard let root = Self.examine(text, file, files).written.map({ PrintedNode.mapping($0.printed) }) else {
                continue
            }
            let examination = Self.examine(root.contractText, file, files)
            guard let resolved = examination.resolved else { continue }
            let edits = ContractEdits(of: root, donors: roots)
            let number = contracts.count
            contracts.append(
                ProofContract(
                    name: resolved.service.value, root: root, resolved: resolved, examination: examination, edits: edits
                ))
            for edit in edits.edits {
                guard ProofLimits.reason(whyNotRun: edit.slot) == nil else { continue }
                let key = "\(edit.slot) \(edit.kind.rawValue)"
                if let index = groups.firstIndex(where: { $0.key == key }) {
                    groups[index].edits.append((number, edit))
                } else {
                    groups.append((key, [(number, edit)]))
                }
            }
        }
        groups.sort { $0.key < $1.key }
    }

    var slotCount: Int { groups.count }
    var editCount: Int { groups.reduce(0) { $0 + $1.edits.count } }

    /// An edit with a verdict that promises something. Nil if the seed leads to none.
    mutating func pair(_ number: Int, seed: UInt64) -> ProofPair? {
        var random = SeededGenerator(seed: seed)
        guard !groups.isEmpty else { return nil }
        for _ in 0..<60 {
            let group = random.pick(groups)
            let (contract, edit) = random.pick(group.edits)
            if let pair = pair(number, contracts[contract], edit, &random) { return pair }
        }
        return nil
    }

    /// An edit, if both contracts are valid and the verdict promises something.
    mutating func pair(
        _ number: Int, _ old: ProofContract, _ edit: ContractEdit, _ random: inout SeededGenerator
    ) -> ProofPair? {
        let examination = Self.examine(edit.applied(to: old.root).contractText, "new.contract.yaml", files)
        guard var new = examination.resolved, ClientEmitter.findings(in: new).isEmpty,
            let found = ContractComparison.changes(from: old.examination, to: examination)
        else {
            refused += 1
            return nil
        }
        let changes = TableVerdicts.refined(found, from: old.examination, to: examination)
        guard !changes.isEmpty else {
            unchanged += 1
            return nil
        }
        let endpoints = Self.endpoints(old.resolved, new, changes, &random)
        guard !endpoints.isEmpty else { return nil }
        new.service = Located("N\(number)", at: new.service.range)
        let focus = ProofFocus(root: old.root, edit: edit).contract.flatMap {
            Self.examine($0.contractText, "old.contract.yaml", files).resolved
        }
        let pair = ProofPair(
            number: number, old: old, edit: edit, changes: changes, new: new, endpoints: endpoints, focus: focus)
        guard pair.claim != nil else {
            reviews += 1
            return nil
        }
        return pair
    }

    /// The first valid edit of a contract at a slot, in the definition of a name.
    mutating func pair(
        _ number: Int, of contract: String, at slot: String, of name: String? = nil, _ kind: ContractEdit.Kind
    ) -> ProofPair? {
        var random = SeededGenerator(seed: 1)
        guard let old = contracts.first(where: { $0.name == contract }) else { return nil }
        for edit in old.edits.edits where edit.slot == slot && edit.kind == kind {
            if let name, !edit.place.contains(name) { continue }
            if let pair = pair(number, old, edit, &random) { return pair }
        }
        return nil
    }

    static func examine(_ text: String, _ file: String, _ files: [String: String]) -> ContractExamination {
        ContractResolver(provider: ProofFiles(files: files.merging([file: text]) { $1 })).examine(path: file)
    }

    // MARK: Endpoints

    private typealias Candidate = (old: String?, new: String?)
    private static let mostEndpoints = 2

    /// Some endpoints that the changes are about. Any if they are about the whole service.
    private static func endpoints(
        _ old: ResolvedContract, _ new: ResolvedContract, _ changes: [Change], _ random: inout SeededGenerator
    ) -> [(old: String?, new: String?)] {
        func canRun(_ endpoint: ResolvedEndpoint, of contract: ResolvedContract) -> Bool {
            guard case .http = endpoint.target, endpoint.delivery == .reply else { return false }
            return SampleCall(contract: contract).command(endpoint, hasAll: true) != nil
        }
        let isSameCount = old.endpoints.count == new.endpoints.count
        var pairs: [(old: String?, new: String?)] = old.endpoints.enumerated().filter {
            canRun($0.element, of: old)
        }.map { index, endpoint in
            let name = endpoint.name.value
            if new.endpoints.contains(where: { $0.name.value == name && canRun($0, of: new) }) { return (name, name) }
            return (name, isSameCount && canRun(new.endpoints[index], of: new) ? new.endpoints[index].name.value : nil)
        }
        // An app that calls a new endpoint needs a new server, which is no verdict of the comparison.
        let session = [old.session?.logout, old.session?.refresh]
        pairs.removeAll { session.contains($0.old) && $0.old != nil }
        var about: Set<String> = []
        var errors: Set<String> = []
        var types: Set<String> = []
        var envelopes: Set<String> = []
        for change in changes {
            for place in [change.place] + change.inheritedBy.map({ ["endpoints", $0] }) where place.count > 1 {
                switch place[0] {
                case "endpoints": about.insert(place[1])
                case "errors": errors.insert(place[1])
                case "types": types.insert(place[1])
                case "envelopes": envelopes.insert(place[1])
                default: break
                }
            }
        }
        for contract in [old, new] {
            for endpoint in contract.endpoints {
                let isAbout =
                    endpoint.errors.contains(where: errors.contains)
                    || endpoint.envelope.map(envelopes.contains) ?? false
                    || !types.isDisjoint(with: contract.typeNames(of: endpoint))
                if isAbout { about.insert(endpoint.name.value) }
            }
        }
        let affected = pairs.filter { about.contains($0.old ?? "") || about.contains($0.new ?? "") }
        // Nothing is shown at other endpoints, unless the edit is about the whole service.
        var candidates = about.isEmpty ? pairs : affected
        for index in candidates.indices.dropFirst() { candidates.swapAt(index, random.below(index + 1)) }
        if changes.contains(where: { $0.place.first == "session" }) {
            // A session shows at the requests that carry it.
            let carrying = candidates.filter { candidate in
                old.endpoints.contains { $0.name.value == candidate.old && $0.session == .required }
            }
            if !carrying.isEmpty { candidates = carrying }
        }
        // What an edit does can depend on the effect and on lists, so one endpoint of each kind is called first.
        var kinds: Set<String> = []
        let (firsts, others) = candidates.reduce(into: ([Candidate](), [Candidate]())) { lists, candidate in
            let endpoint = old.endpoints.first { $0.name.value == candidate.old }
            let kind = endpoint.map { "\($0.effect) \(old.hasList($0))" } ?? ""
            if kinds.insert(kind).inserted { lists.0.append(candidate) } else { lists.1.append(candidate) }
        }
        if changes.contains(where: { $0.place.last == "applied" }) {
            // What an error says about the effect shows at a command that is not sent twice.
            let once = candidates.filter { candidate in
                old.endpoints.contains { $0.name.value == candidate.old && $0.effect == .once }
            }
            return Array((once.isEmpty ? firsts + others : once).prefix(mostEndpoints))
        }
        guard !envelopes.isEmpty else { return Array((firsts + others).prefix(mostEndpoints)) }
        // The place that an envelope has for lists shows only at a list.
        let lists = firsts.filter { candidate in
            old.endpoints.contains { $0.name.value == candidate.old && old.hasList($0) }
        }
        let rest = (firsts + others).filter { candidate in !lists.contains { $0.old == candidate.old } }
        return Array((lists.prefix(1) + rest).prefix(mostEndpoints))
    }
}

/// Files in memory.
struct ProofFiles: SourceProvider {
    let files: [String: String]

    func read(_ path: String) -> SourceReading {
        guard let text = files[path] else {
            return .failure(rule: .missingFile, message: "there is no file `\(path)`", help: nil)
        }
        return .bytes(Array(text.utf8))
    }
}

extension ResolvedContract {
    /// Whether the payload of an endpoint is a list.
    fileprivate func hasList(_ endpoint: ResolvedEndpoint) -> Bool {
        if case .type(let type, _, _) = endpoint.response.value { expanded(type).type.isList } else { false }
    }

    /// The names of the types that an endpoint's inputs, response, errors and outcomes have.
    func typeNames(of endpoint: ResolvedEndpoint) -> Set<String> {
        var pending = endpoint.inputs.map(\.type) + endpoint.responseHeaders.map(\.type)
        if case .type(let type, _)? = endpoint.body?.content { pending.append(type) }
        switch endpoint.response.value {
        case .fields(let fields): pending += fields.map(\.type)
        case .type(let type, _, _): pending.append(type)
        case .none, .bytes: break
        }
        let data = endpoint.outcomes.map(\.data) + endpoint.errors.map { error(named: $0)?.data }
        for case .some(let data) in data {
            switch data {
            case .fields(let fields): pending += fields.map(\.type)
            case .type(let type, _): pending.append(type)
            }
        }
        var names: Set<String> = []
        while let type = pending.popLast() {
            for name in type.names where names.insert(name.value).inserted {
                switch self.type(named: name.value)?.form {
                case .structure(let fields)?: pending += fields.map(\.type)
                case .union(let union)?: pending += union.cases.map(\.type)
                case .alias(let target, _)?: pending.append(target)
                case .enumeration?, nil: break
                }
            }
        }
        return names
    }
}
