import ContractModel

/// Adds the failures that a document's framework sends besides. What the document declares stays as it is.
struct FrameworkErrors {
    private let framework: Framework
    private let failures: [Framework.Failure]
    private let types: TypePlanner

    /// Nil for a document of no known framework.
    init?(_ document: APIDocument, _ types: TypePlanner) {
        guard let framework = Framework.recognized(in: document) else { return nil }
        let first = FirstCredential(of: document)
        failures = framework.failures.filter { $0.credentials.contains(first) }
        (self.framework, self.types) = (framework, types)
    }

    /// - Parameter category: the proposed category of a status, and its reason.
    func add(to plan: inout ContractPlan, _ category: (Int) -> (name: ErrorCategory, reason: String)) {
        // A service that wraps its responses wraps its failures, too.
        guard plan.endpoints.count(where: { $0.envelope == nil }) * 2 > plan.endpoints.count else { return }
        plan.framework = "Framework: \(framework.name), by what its tool writes into documents."
        if receivesFractions(plan) { plan.framework? += "\n" + framework.nan }
        let text = type("ErrorDetail", framework.members)
        for failure in failures {
            add(error(failure, category(failure.status), data(of: failure, text: text)), to: &plan)
        }
    }

    // MARK: What they are

    private func error(
        _ failure: Framework.Failure, _ category: (name: ErrorCategory, reason: String),
        _ data: (type: PlannedType, suffix: String)
    ) -> PlannedError {
        let reasons = [category.reason, "\(source) sends it undeclared (docs/frameworks.md)", failure.note]
        let statuses = failure.status...failure.status
        var error = PlannedError(
            category: category.name, reason: reasons.compactMap { $0 }.joined(separator: "; "), statuses: [statuses],
            data: data.type, doc: failure.doc)
        (error.name, error.suffix) = (StatusNames.error(statuses), data.suffix)
        return error
    }

    /// What was measured, for a review.
    private var source: String { "\(framework.name) \(framework.version)" }

    /// The data of a failure, and the end of its name.
    private func data(of failure: Framework.Failure, text: PlannedType) -> (type: PlannedType, suffix: String) {
        switch failure.content {
        case .text: return (text, "Text")
        case .list(let members):
            let list = Framework.Member(wire: "detail", type: .list(type("ValidationError", members)))
            return (type("ErrorDetails", [list]), "Details")
        case .faults: return (.map(.word("json")), "Fields")
        }
    }

    /// A structure, which `nameTypes` gives a free name.
    private func type(_ name: String, _ members: [Framework.Member]) -> PlannedType {
        let entry = types.entry(.endpoint(name), at: types.root)
        entry.form = .structure(
            members.map { PlannedField(wire: $0.wire, type: $0.type, isOptional: $0.isOptional) })
        return .named(entry.number)
    }

    // MARK: Where they are

    /// Adds an error to all endpoints, or to those of which the document declares none with its status.
    private func add(_ error: PlannedError, to plan: inout ContractPlan) {
        let places = Self.places(of: error, plan)
        let rivals = Self.rivals(of: error, at: places, plan)
        if rivals.count == 1, let rival = rivals.first, isSame(plan.errors[rival], error) {
            return share(rival, error, &plan)
        }
        var error = error
        if !rivals.isEmpty, mayHaveText(error), !rivals.contains(where: { mayHaveText(plan.errors[$0]) }) {
            error.mark = framework.members.first?.wire
        }
        if rivals.isEmpty || error.mark != nil {
            plan.defaultErrors.append(plan.errors.count)
        } else {
            let others = places.filter { Self.takes(plan.endpoints[$0], besides: rivals) }
            if others.isEmpty || rivals.contains(where: { plan.defaultErrors.contains($0) }) { return }
            for position in others { plan.endpoints[position].errors.append(plan.errors.count) }
        }
        plan.errors.append(error)
    }

    /// Makes an error of all endpoints of one that the document declares for some.
    private func share(_ number: Int, _ error: PlannedError, _ plan: inout ContractPlan) {
        if plan.errors[number].data == nil {
            plan.errors[number].data = error.data
            plan.errors[number].suffix = error.suffix
        }
        plan.errors[number].reason += "; \(source) sends it for every endpoint (docs/frameworks.md)"
        plan.defaultErrors.append(number)
    }

    /// The endpoints that have an error of `defaults`. One without a session has none that ends it.
    private static func places(of error: PlannedError, _ plan: ContractPlan) -> [Int] {
        plan.endpoints.indices.filter {
            error.category != .requiresLogout || plan.endpoints[$0].session != SessionUse.none
        }
    }

    /// The errors of some endpoints that have the status of another one.
    private static func rivals(of error: PlannedError, at places: [Int], _ plan: ContractPlan) -> [Int] {
        let listed = Set(places.flatMap { plan.endpoints[$0].errors } + plan.defaultErrors)
        return listed.filter { error.statuses.contains(where: plan.errors[$0].takes) }.sorted()
    }

    /// Whether an endpoint can have an error with data besides others, which it has not.
    private static func takes(_ endpoint: PlannedEndpoint, besides rivals: [Int]) -> Bool {
        endpoint.method != .head && !endpoint.errors.contains(where: rivals.contains)
    }

    // MARK: Data

    /// Whether an error of the document is one of the framework: it has no data, or no more than that one has.
    private func isSame(_ declared: PlannedError, _ error: PlannedError) -> Bool {
        guard declared.suffix == nil, declared.statuses == error.statuses else { return false }
        guard let data = declared.data else { return true }
        guard mayHaveText(declared), mayHaveText(error), let fields = structure(data) else { return false }
        let needed = fields.filter { !$0.isOptional && $0.defaultValue == nil }.map(\.wire)
        return Set(needed).isSubset(of: framework.members.map(\.wire))
    }

    /// Whether the body of an error may have a single value where the framework has its text.
    private func mayHaveText(_ error: PlannedError) -> Bool {
        guard let data = error.data else { return false }
        guard let fields = structure(data) else { return error.suffix == nil }
        return fields.contains { $0.wire == framework.members.first?.wire && isSingle($0.type) }
    }

    /// The fields of a type that is a structure.
    private func structure(_ data: PlannedType) -> [PlannedField]? {
        guard let number = types.target(of: data), case .structure(let fields) = types.entries[number].form else {
            return nil
        }
        return fields
    }

    /// Whether a value of a type may be neither a list nor an object, as a condition compares it.
    private func isSingle(_ type: PlannedType) -> Bool {
        switch types.expanded(type) {
        case .word: return true
        case .optional(let inner): return isSingle(inner)
        case .list, .map: return false
        case .named(let number):
            if case .structure = types.entries[number].form { return false }
            return true
        }
    }

    // MARK: Numbers

    /// Whether a response has numbers that can be NaN.
    private func receivesFractions(_ plan: ContractPlan) -> Bool {
        var all: [PlannedType] = []
        for case .content(let content) in plan.endpoints.map(\.response) {
            switch content {
            case .fields(let fields): all += fields.map(\.type)
            case .type(let type): all.append(type)
            }
        }
        for number in types.reached(from: all.flatMap(\.numbers)) { all += types.entries[number].types }
        return all.contains(where: \.isFraction)
    }
}

extension PlannedTypeEntry {
    /// The types of its parts.
    fileprivate var types: [PlannedType] {
        switch form {
        case .structure(let fields): fields.map(\.type)
        case .union(_, let cases): cases.map(\.type)
        case .alias(let target, _): [target]
        case .enumeration: []
        }
    }
}

extension PlannedType {
    /// Whether it is a number with a fraction, or contains some without a name between.
    fileprivate var isFraction: Bool {
        switch self {
        case .word(let word): ["double", "float"].contains(word)
        case .named: false
        case .list(let inner), .map(let inner), .optional(let inner): inner.isFraction
        }
    }
}
