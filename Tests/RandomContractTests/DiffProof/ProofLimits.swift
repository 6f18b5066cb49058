import ContractModel
import JSONTree
import MockServer

/// What the proof does not show, with the reason. Each entry is a limit of the proof, and none of the verdicts.
enum ProofLimits {
    /// Why the edits at a slot are not run; nil if they are.
    static func reason(whyNotRun slot: String) -> String? {
        notRun.first { prefix, _ in slot.hasPrefix(prefix) }?.reason
    }

    private static let notRun: [(prefix: String, reason: String)] = [
        ("connection.", "The proof opens no connection to the mock server."),
        ("contract.connection", "The proof opens no connection to the mock server."),
        ("event.", "The proof opens no connection to the mock server."),
        ("contract.events", "The proof opens no connection to the mock server."),
        ("stream.", "The driver collects no streams."),
        ("endpoint.delivery", "The driver collects no streams."),
        ("endpoint.paginate", "Without it, the contract does not say how the server makes pages."),
        ("contract.service", "A service with another name is another service."),
        ("contract.errand", "There is one version of the language."),
        ("contract.import", "What is imported is compared where it is used."),
    ]

    /// Whether the mock server refuses a request for what other servers carry out. A keyed command without its key is such a one, and the
    /// verdicts say what becomes of it.
    static func isStricterThanNeeded(_ remarks: String) -> Bool {
        remarks.hasSuffix("is missing: the contract says `effect: keyed`") && !remarks.contains("; ")
    }

    /// Why a break of a column is not seen in a run; nil if it must be.
    static func reason(whyNotSeen pair: ProofPair, in column: ProofColumn) -> String? {
        let breaks = pair.changes.filter { column.level(of: $0.verdict) == .breaks }
        if breaks.allSatisfy({ $0.place.last == "durable" }) { return "The driver keeps no commands." }
        if breaks.allSatisfy({ $0.place.last == "applied" }) {
            return "The mock server says an error with a body, and without one it is open whether it did anything."
        }
        if pair.endpoints.allSatisfy({ isOfAnyAddress($0.old, pair) }) { return "No service runs at another address." }
        if column == .behavior, pair.claim(.wire) == .breaks, breaks.allSatisfy({ $0.place.last == "default" }) {
            return "What an app sends where nothing is passed is on the wire, where the edit breaks something else."
        }
        if breaks.allSatisfy({ $0.place.last == "session" }),
            pair.endpoints.contains(where: { hasOptionalSession($0.old, pair) })
        {
            return "The app in the run has a session."
        }
        if changesValues(pair.edit), isSentInXMLAlone(pair) {
            return "The mock server does not check the content of XML."
        }
        if let error = widenedError(pair.edit), pair.endpoints.allSatisfy({ hasExample(of: error, at: $0.old, pair) }) {
            return "The mock server says the data of an error as an example does, and an integer is a decimal, too."
        }
        if pair.edit.place.last == "envelope", column == .behavior, hasSameSuccess(pair) {
            return "The mock server says no failure that the contract does not name."
        }
        if isOption("wire", pair.edit), hasDefaultText(pair.edit, pair.old.root) {
            return "The mock server sends the default of a text, which an app also reads without it."
        }
        if isOfToken(pair.edit, pair) { return "The mock server leaves out nothing that a session has." }
        if changesOnlySign(pair.edit, pair.old.root) { return "No number of a sample is negative." }
        if isOfCondition(pair.edit), saysTheSame(pair) {
            return "The mock server says an error by the first of its conditions."
        }
        return notSeen.first { _, fits in fits(pair.edit) }?.reason
    }

    /// Why a difference in a column that is called safe is one of the service alone; nil if it is none.
    static func reason(whyOfService edit: ContractEdit, in column: ProofColumn) -> String? {
        guard column == .behavior else { return nil }
        if edit.slot == "response.encoding" {
            return "The mock server says an error in JSON, whatever the encoding of the response is."
        }
        let isTarget =
            edit.place.count == 3 && edit.place[0] == "endpoints" && HTTPMethod(rawValue: edit.place[2]) != nil
        return isTarget ? "The mock server knows by the path whether a thing is there any more." : nil
    }

    private static func hasOptionalSession(_ endpoint: String?, _ pair: ProofPair) -> Bool {
        pair.old.resolved.endpoints.contains { $0.name.value == endpoint && $0.session == .optional }
    }

    private static func isOfAnyAddress(_ endpoint: String?, _ pair: ProofPair) -> Bool {
        pair.old.resolved.endpoints.contains { old in
            if case .path? = old.path { false } else { old.name.value == endpoint }
        }
    }

    /// Whether some of the endpoints have a body, and each body is XML. The others only respond.
    private static func isSentInXMLAlone(_ pair: ProofPair) -> Bool {
        let names = Set(pair.endpoints.compactMap(\.old))
        let bodies = pair.old.resolved.endpoints.filter { names.contains($0.name.value) }.compactMap(\.definition.body)
        return !bodies.isEmpty && bodies.allSatisfy { $0.encoding == .xml }
    }

    /// The error in whose data a type becomes one that also has fractions.
    private static func widenedError(_ edit: ContractEdit) -> String? {
        let isWide = edit.value.map { ["decimal", "double", "float"].contains(ContractPrinter.flow($0)) } ?? false
        return isWide && edit.place.count > 2 && edit.place[0] == "errors" && edit.place[2] == "data"
            ? edit.place[1] : nil
    }

    private static func hasExample(of error: String, at endpoint: String?, _ pair: ProofPair) -> Bool {
        pair.old.resolved.endpoints.contains { old in
            old.name.value == endpoint
                && old.definition.examples.contains { $0.cases.contains { $0.name.value == error } }
        }
    }

    /// Whether each endpoint has an envelope before and after the edit that tells a success by the same codes. Only a failure that the
    /// contract does not name can be told by something else.
    private static func hasSameSuccess(_ pair: ProofPair) -> Bool {
        func envelope(_ endpoint: String?, _ contract: ResolvedContract) -> EnvelopeDefinition? {
            contract.endpoints.first { $0.name.value == endpoint }?.envelope.flatMap(contract.envelope(named:))
        }
        return pair.endpoints.allSatisfy { old, new in
            let (one, other) = (envelope(old, pair.old.resolved), envelope(new, pair.new))
            return (one?.success.map(\.value) ?? []) == (other?.success.map(\.value) ?? [])
        }
    }

    /// Whether the edit is of a key of a text with a default.
    private static func hasDefaultText(_ edit: ContractEdit, _ root: PrintedNode) -> Bool {
        let field = root.node(at: edit.place.dropLast())
        let type = field.map { ContractPrinter.flow($0.node(at: ["type"]) ?? $0) } ?? ""
        return type.hasPrefix("string") && (type.contains(" = ") || field?.node(at: ["default"]) != nil)
    }

    /// Whether the edit only says whether an integer may be negative.
    private static func changesOnlySign(_ edit: ContractEdit, _ root: PrintedNode) -> Bool {
        guard let old = root.node(at: edit.place[...]), let new = edit.value else { return false }
        func signed(_ node: PrintedNode) -> String {
            ContractPrinter.flow(node).replacing(/\bu?int(32|64)?\b/, with: "int")
        }
        return ContractPrinter.flow(old) != ContractPrinter.flow(new) && signed(old) == signed(new)
    }

    /// Whether the edit is of what the response of a login or a renewal has for the session.
    private static func isOfToken(_ edit: ContractEdit, _ pair: ProofPair) -> Bool {
        guard let session = pair.old.resolved.session, edit.place.count > 2 else { return false }
        let names = [session.token, session.refreshToken, session.expiresIn].compactMap { $0?.keys.last }
        guard names.contains(where: edit.place.dropFirst(2).contains) else { return false }
        let givers = pair.old.resolved.endpoints.filter { [session.login, session.refresh].contains($0.name.value) }
        return edit.place[0] == "types"
            ? givers.contains { pair.old.resolved.typeNames(of: $0).contains(edit.place[1]) }
            : edit.place[0] == "endpoints" && givers.contains { $0.name.value == edit.place[1] }
    }

    private static func isOfCondition(_ edit: ContractEdit) -> Bool {
        ["condition.", "outcomeCondition.", "error.when", "outcome.when"].contains(where: edit.slot.hasPrefix)
    }

    /// Whether the services of both versions say each error and outcome by the same response.
    private static func saysTheSame(_ pair: ProofPair) -> Bool {
        func endpoint(_ name: String?, _ contract: ResolvedContract) -> ResolvedEndpoint? {
            contract.endpoints.first { $0.name.value == name }
        }
        func said(_ name: String, at endpoint: ResolvedEndpoint, _ contract: ResolvedContract) -> String? {
            ResponseSample(contract).refusal(of: endpoint, named: name).map {
                "\($0.status ?? 0) \($0.body.map { String(decoding: $0.bytes, as: UTF8.self) } ?? "")"
            }
        }
        return pair.endpoints.allSatisfy { before, after in
            guard let one = endpoint(before, pair.old.resolved), let other = endpoint(after, pair.new) else {
                return true
            }
            let names = FailureNames(pair.old.resolved).declared(at: one)
            return names.allSatisfy { said($0, at: one, pair.old.resolved) == said($0, at: other, pair.new) }
        }
    }

    private static let notSeen: [(reason: String, fits: @Sendable (ContractEdit) -> Bool)] = [
        (
            "The mock server sends each value in the form that the contract says.",
            { edit in isOption("coerce", edit) || isOption("single", edit) || isOption("lenient", edit) }
        ),
        (
            "The mock server writes each date in the first of its formats.",
            { edit in isOption("format", edit) && edit.value.map { ContractPrinter.flow($0).contains("[") } ?? false }
        ),
        ("The mock server says no failure that the contract does not name.", { $0.slot == "envelope.error" }),
        (
            "The mock server says an error by one response, and sends its code with no other status.",
            { $0.slot.hasPrefix("endpoint.errors") || $0.slot.hasPrefix("defaults.errors") }
        ),
        ("The mock server says a success by the first of its conditions.", { $0.slot.hasPrefix("envelope.success") }),
        (
            "No sample value is empty, or has a space at an end.",
            { edit in ["signing.skipEmpty", "signing.trim"].contains(edit.slot) }
        ),
        (
            "An app sends a body as it is that is too short, or that no compression makes shorter.",
            { $0.slot == "endpoint.compression" }
        ),
        ("A log is no part of the run.", { isOption("sensitive", $0) }),
        ("The driver calls the first server.", { $0.slot == "contract.servers.*" }),
        (
            "The driver has one user, and no app that goes on after an update.",
            { edit in edit.slot == "session.identity" || edit.slot.hasPrefix("identity.") }
        ),
        (
            "The mock server leaves no whole response out.",
            { edit in
                ["response.type", "endpoint.response"].contains(edit.slot)
                    && edit.value.map { ContractPrinter.flow($0).contains("?") } ?? false
            }
        ),
    ]

    private static func isOption(_ name: String, _ edit: ContractEdit) -> Bool { edit.slot.hasSuffix("." + name) }

    /// Whether the mock server makes other values after an edit, which a contract with these options calls for.
    static func changesValues(_ edit: ContractEdit) -> Bool {
        ["range", "length", "pattern", "items", "default"].contains { isOption($0, edit) }
    }
}
