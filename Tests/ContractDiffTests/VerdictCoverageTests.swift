import ContractModel
import Testing

@testable import ContractDiff

/// Every edit that the language allows has a verdict, or a written reason why it has none.
@Suite struct VerdictCoverageTests {
    private static let walk: LanguageSlotWalk = {
        var walk = LanguageSlotWalk()
        walk.mapping(LanguageKeys.contract)
        return walk
    }()

    @Test func everyEditHasAVerdictOrAReason() {
        var verdicts = 0
        var reasons = 0
        var missing: [String] = []
        for (slot, edits) in Self.walk.edits.sorted(by: { $0.key < $1.key }) {
            for edit in edits.sorted(by: { $0.rawValue < $1.rawValue }) {
                switch VerdictTable.outcome(slot, edit) {
                case .verdict?, .byUse?: verdicts += 1
                case .harmless(let reason)?, .unlisted(let reason)?:
                    reasons += 1
                    #expect(reason.hasSuffix("."), "\(slot) \(edit): a reason is a sentence")
                case nil: missing.append("\(slot) \(edit.rawValue)")
                }
            }
        }
        print(
            "verdicts: \(verdicts + reasons) of \(verdicts + reasons + missing.count) edits at \(Self.walk.edits.count) places; \(verdicts) with a verdict, \(reasons) with a reason why none"
        )
        #expect(missing.isEmpty, "\(missing.joined(separator: "\n"))")
        #expect(verdicts > 300 && reasons > 50)
    }

    /// A key that the table does not know fails the test above.
    @Test func aNewKeyHasNoVerdict() {
        var walk = LanguageSlotWalk()
        walk.mapping(
            MappingDescription("endpoint", "an endpoint", [.optional("mirror", .text, "how long it is kept")]))
        #expect(walk.edits["endpoint.mirror"] == [.added, .removed, .changed])
        #expect(VerdictTable.outcome("endpoint.mirror", .added) == nil)
    }

    /// A default that the table of keys says is one that the comparison knows.
    @Test func everyDefaultOfTheLanguageIsKnown() {
        var slots: [String] = []
        for mapping in LanguageKeys.all {
            for key in mapping.keys where key.meaning.contains("(default)") {
                #expect(key.usual != nil, "\(mapping.name).\(key.name)")
                slots.append("\(mapping.name).\(key.name)")
                let isMapping = key.usual?.hasPrefix("{") ?? false
                #expect(isMapping || LanguageDefaults.usual(at: slots[slots.count - 1]) != nil, "\(slots)")
            }
        }
        #expect(slots.count > 20 && slots.contains("connection.kind") && slots.contains("idempotencyKey.header"))
    }

    @Test func noRuleIsLeftOver() {
        let slots = Set(Self.walk.edits.keys.map(VerdictTable.canonical)).union(Self.slotsOfTheEngine)
        for rule in VerdictTable.rules {
            for slot in rule.slots { #expect(slots.contains(slot), "\(slot) is no place of the language") }
        }
    }

    /// The slots that are not a key's own: a section as a whole, the order of servers, and that of arguments.
    private static let slotsOfTheEngine = Set(
        ["contract.servers", "contract.defaults", "contract.common"]
            + ArgumentOrder.slots.map { String($0.dropLast(".*".count)) })

    /// Both halves of a rule of a field have a verdict or a reason, by construction. This looks at the reasons, and at the rules
    /// that do not ask for the direction.
    @Test func everyRuleForRequestsHasItsMirror() {
        for rule in VerdictTable.rules {
            guard case .byUse(let request, let response) = rule.outcome else { continue }
            for case .none(let reason) in [request, response] { #expect(reason.hasSuffix("."), "\(rule.slots)") }
        }
        for slot in Self.walk.edits.keys where Self.isShared(slot) {
            for edit in Self.walk.edits[slot] ?? [] {
                if case .verdict? = VerdictTable.outcome(slot, edit) {
                    #expect(
                        VerdictMirrors.sameForBoth[VerdictTable.canonical(slot)] != nil,
                        "\(slot) \(edit.rawValue): say what it means for requests and for responses")
                }
            }
        }
        for slot in Self.walk.edits.keys where Self.isOfRequests(slot) {
            switch VerdictMirrors.ofRequests[slot] {
            case .slot(let mirror)?:
                #expect(Self.walk.edits[mirror] != nil, "\(slot): \(mirror) is no place of the language")
                #expect(VerdictTable.outcome(mirror, .changed) != nil, "\(mirror)")
            case .none(let reason)?: #expect(reason.hasSuffix("."), "\(slot)")
            case nil: Issue.record("\(slot) has no mirror among responses, and no reason why not")
            }
        }
    }

    /// Whether a place can be in requests and in responses.
    private static func isShared(_ slot: String) -> Bool {
        ["field.", "type.", "union.", "kinds."].contains { slot.hasPrefix($0) }
    }

    private static func isOfRequests(_ slot: String) -> Bool {
        slot.hasPrefix("body.")
            || [
                "endpoint.query.*", "endpoint.headers.*", "endpoint.cookies.*", "endpoint.body", "endpoint.compression",
            ]
            .contains(slot)
    }
}

/// Derives the places of the language and the edits that are possible there from the table of keys.
struct LanguageSlotWalk {
    private(set) var edits: [String: Set<Change.Edit>] = [:]
    private var seen: Set<String> = []

    mutating func mapping(_ description: MappingDescription) {
        guard seen.insert(description.name).inserted else { return }
        for key in description.keys {
            guard description.name != "endpoint" || !LanguageSlots.targets.contains(key.name) else {
                edits["endpoint.target", default: []].insert(.changed)
                // With a mapping, it has the fields of the query.
                if key.name == HTTPMethod.query.rawValue { add(.fields, "endpoint.query", isRequired: key.isRequired) }
                walk(key.shape)
                continue
            }
            add(key.shape, "\(description.name).\(key.name)", isRequired: key.isRequired)
            walk(key.shape)
        }
    }

    /// The slots of a value of the shape.
    private mutating func add(_ shape: ValueShape, _ slot: String, isRequired: Bool) {
        let whole: Set<Change.Edit> = isRequired ? [] : [.added, .removed]
        switch shape {
        case .text, .form, .words, .flag, .integer, .type, .literal, .definition, .anything:
            edits[slot, default: []].formUnion(whole.union([.changed]))
        case .oneOrMore(let element, _):
            if case .mapping = element {
                edits[slot, default: []].formUnion(whole.union([.changed]))
            } else if LanguageSlots.ordered.union(LanguageSlots.whole).contains(slot) {
                edits[slot, default: []].formUnion(whole.union([.changed]))
            } else {
                edits[slot + ".*", default: []].formUnion([.added, .removed])
            }
        case .named(let value, _, _): addNamed(slot + ".*", [value])
        case .namedExcept(_, let some, let others, _): addNamed(slot + ".*", [some, others])
        case .either(let one, let other):
            add(one, slot, isRequired: isRequired)
            add(other, slot, isRequired: isRequired)
        // A common mapping is compared key by key.
        case .mapping: if slot != "contract.common" { edits[slot, default: []].formUnion(whole) }
        // A response is always there: without one it is `none`.
        case .longForm: if slot != "endpoint.response" { edits[slot, default: []].formUnion(whole) }
        case .enumeration: edits[slot + ".*", default: []].formUnion(Change.Edit.allCases)
        }
    }

    private mutating func addNamed(_ slot: String, _ shapes: [ValueShape]) {
        edits[slot, default: []].formUnion([.added, .removed])
        if Self.renamable.contains(slot) { edits[slot, default: []].insert(.renamed) }
        for shape in shapes { add(shape, slot, isRequired: true) }
    }

    /// What has a name in Swift that is not its name on the wire.
    private static let renamable = Set(
        LanguageSlots.fields + LanguageSlots.common + [
            "contract.endpoints.*", "contract.types.*", "contract.errors.*", "contract.envelopes.*",
            "contract.events.*", "endpoint.outcomes.*",
        ])

    private mutating func walk(_ shape: ValueShape) {
        switch shape {
        case .oneOrMore(let shape, _), .named(let shape, _, _): walk(shape)
        case .either(let one, let other), .namedExcept(_, let one, let other, _):
            walk(one)
            walk(other)
        case .mapping(let description): mapping(description())
        case .longForm(let form): mapping(form.mapping())
        case .text, .form, .words, .flag, .integer, .type, .enumeration, .literal, .definition, .anything: break
        }
    }
}
