import Diagnostics
import ErrandSemantics

extension Resolution {
    /// Every error that the contract or an endpoint of it names, its own first, with its data checked.
    mutating func resolvedErrors() -> [ErrorDefinition] {
        var result: [ErrorDefinition] = []
        var seen: [String: SourceRange] = [:]
        for error in contract.errors where seen.updateValue(error.name.range, forKey: error.name.value) == nil {
            result.append(checked(error, naming: contract.defaults.naming))
        }
        for name in contract.defaults.errors + contract.endpoints.flatMap(\.errors) where seen[name.value] == nil {
            guard case .found(let found) = scope.error(name.value) else { continue }  // reported with the endpoint
            seen[name.value] = found.definition.name.range
            result.append(checked(found.definition, naming: scopes[found.file]?.contract.defaults.naming ?? .asWritten))
        }
        return result
    }

    private mutating func checked(_ error: ErrorDefinition, naming: WireNaming) -> ErrorDefinition {
        var error = error
        error.data = checked(error.data, naming: naming)
        for condition in error.conditions { reportSuccess(condition, of: error) }
        checkPlaceholders(of: error)
        return error
    }

    /// The text of an error can show each member of its data that has a text form.
    private mutating func checkPlaceholders(of error: ErrorDefinition) {
        guard let message = error.message else { return }
        let names = MessageTemplate(message.value).names
        if names.isEmpty { return }
        let fields: [FieldDefinition]
        switch error.data {
        case .fields(let own)?: fields = own
        case .type(let type, _)?:
            // A name without a type is reported there.
            guard let type = expanded(type) else { return }
            fields = structureFields(type) ?? []
        case nil: fields = []
        }
        for name in names {
            guard let field = fields.first(where: { $0.name.value == name }) else {
                let near = NearSpelling(of: name, among: fields.map(\.name.value))
                report(
                    .invalidPlaceholder,
                    error.data == nil
                        ? "the error `\(error.name.value)` has no data, so its message cannot show `{\(name)}`"
                        : "the data of `\(error.name.value)` has no member `\(name)`",
                    at: message.range,
                    help: near.map { "did you mean `{\($0.candidate)}`?" }
                        ?? "declare it under `data`, or write `{{\(name)}}` for the text `{\(name)}`")
                continue
            }
            if field.isSensitive {
                report(
                    .invalidPlaceholder, "`\(name)` is sensitive, and the message would show it", at: message.range,
                    help: "remove `{\(name)}` from the message")
            } else if !isScalar(field.type.unwrapped) || field.holdsOtherMembers {
                report(
                    .invalidPlaceholder, "`\(name)` has no text form that a message can show", at: message.range,
                    help: "use a text, a number or another single value")
            }
        }
    }

    mutating func checked(_ data: ErrorData?, naming: WireNaming) -> ErrorData? {
        switch data {
        case .fields(let fields): return .fields(checked(fields, as: .payload, naming: naming))
        case .type(let type, let range):
            refuseFile(type, at: range)
            return data
        case nil: return nil
        }
    }

    /// An error that names only a successful status would make failures of successes.
    private mutating func reportSuccess(_ condition: Condition, of error: ErrorDefinition) {
        guard condition.isOfStatusAlone else { return }
        for status in condition.statuses where status.value.overlaps(200...299) {
            let witness = max(status.value.lowerBound, 200)
            report(
                .errorMatchesSuccess,
                "HTTP \(witness) is a success, and the error `\(error.name.value)` has no other condition",
                at: status.range,
                help: "add a `code`, a `header` or a `body` value, or make it an outcome of the endpoint")
        }
    }

    /// The errors of an endpoint: its own, then those of the defaults that fit it.
    mutating func errors(of endpoint: EndpointDefinition, session: SessionUse) -> [ListedError] {
        var result: [ListedError] = []
        let scope = scope
        let names = endpoint.errors + contract.defaults.errors
        let canRepeat = NameList.hasRepeats(names.map(\.value))
        var seen = Set<String>()
        for (position, name) in names.enumerated() {
            let isEndpointSpecific = position < endpoint.errors.count
            guard !canRepeat || seen.insert(name.value).inserted else { continue }
            switch scope.error(name.value) {
            case .found(let found):
                if found.definition.builtIn != nil { continue }
                if !isEndpointSpecific, session == .none, found.definition.category.value == .requiresLogout {
                    continue
                }
                result.append(ListedError(definition: found.definition, isEndpointSpecific: isEndpointSpecific))
            case .ambiguous(let places): reportAmbiguous("error", name, places)
            case .missing:
                if BuiltInError(rawValue: name.value) != nil {
                    report(
                        .builtInErrorListed, "every endpoint has the built-in error `\(name.value)`",
                        at: name.range, help: "remove it from the list")
                } else if scope.canMiss(name.value) {
                    reportMissing(
                        .unknownError, "error", name, among: scope.errorNames, help: "declare it under `errors`")
                }
            }
        }
        return result
    }

    // MARK: Decision tables

    /// So many overlaps of a contract are reported; a table in which everything overlaps has more of them than a person reads.
    private static let mostOverlaps = 100

    /// The endpoint's rows in their order; two of one rank that one response matches are reported.
    mutating func table(
        errors: [ListedError], outcomes: [OutcomeDefinition], envelope: EnvelopeDefinition?
    ) -> ResolvedTable {
        var rows = errors.flatMap {
            ResolvedRow.rows(of: $0.definition, isEndpointSpecific: $0.isEndpointSpecific)
        }
        // An imported error can be for both protocols, and HTTP has no close codes.
        if contract.connection == nil { rows.removeAll { !$0.condition.close.isEmpty } }
        for outcome in outcomes {
            for condition in outcome.conditions {
                rows.append(ResolvedRow(outcome: outcome, condition: condition))
                reportEverySuccess(condition, of: outcome, envelope)
            }
        }
        let isOrdered = rows.indices.dropFirst().allSatisfy { !rows[$0].precedes(rows[$0 - 1]) }
        let ordered =
            isOrdered
            ? rows
            : rows.enumerated().sorted { left, right in
                left.element.precedes(right.element)
                    || !right.element.precedes(left.element) && left.offset < right.offset
            }.map(\.element)
        reportOverlaps(in: ordered, envelope)
        return ResolvedTable(rows: ordered)
    }

    private mutating func reportOverlaps(in rows: [ResolvedRow], _ envelope: EnvelopeDefinition?) {
        guard reportedOverlaps.count < Self.mostOverlaps else { return }
        var found: [(one: Int, other: Int, witness: String)] = []
        var places = reportedOverlaps
        let isOverConnection = contract.connection != nil
        ConditionOverlaps(rows) { one, other in
            guard !rows[one].isWithin(rows[other]),
                let witness = ResolvedTable.response(
                    matching: rows[one].condition, and: rows[other].condition, code: envelope?.code?.value,
                    isFrame: isOverConnection),
                places.insert(Self.places(rows[one], rows[other])).inserted
            else { return true }
            found.append((one, other, witness))
            return places.count < Self.mostOverlaps
        }.search()
        for (one, other, witness) in found { reportOverlap(rows[one], rows[other], witness) }
    }

    private static func places(_ row: ResolvedRow, _ other: ResolvedRow) -> [SourceRange] {
        [row.condition.range, other.condition.range].sorted { ($0.file, $0.start.offset) < ($1.file, $1.start.offset) }
    }

    private mutating func reportOverlap(_ row: ResolvedRow, _ other: ResolvedRow, _ witness: String) {
        let places = Self.places(row, other)
        guard reportedOverlaps.insert(places).inserted else { return }
        let later = places[1] == row.condition.range ? row : other
        let earlier = places[1] == row.condition.range ? other : row
        report(
            .errorMatchersOverlap, "\(witness) matches both `\(earlier.verdict.name)` and `\(later.verdict.name)`",
            at: places[1],
            notes: [DiagnosticNote("the condition of `\(earlier.verdict.name)`", at: places[0])],
            help:
                "make the conditions disjoint, or make one more specific: body precedes text, then header, code and status, and more keys precede fewer"
        )
        guard reportedOverlaps.count == Self.mostOverlaps else { return }
        report(
            .errorMatchersOverlap,
            "at least \(Self.mostOverlaps) pairs of conditions overlap, and further ones are not reported",
            at: contract.service.range, help: "fix the reported ones, and check the contract again")
    }

    /// An outcome that names a code of success and nothing else leaves no success over.
    private mutating func reportEverySuccess(
        _ condition: Condition, of outcome: OutcomeDefinition, _ envelope: EnvelopeDefinition?
    ) {
        if condition.isOfStatusAlone,
            let status = condition.statuses.first(where: { Condition.isEverySuccess($0.value) })
        {
            report(
                .outcomeMatchesSuccess,
                "the condition of the outcome `\(outcome.name.value)` matches every success, HTTP 200 to 299",
                at: status.range, help: "write the outcome's own status, or add a `code` or a `body` value")
            return
        }
        guard let envelope, condition.values.isEmpty, condition.statuses.isEmpty,
            let code = condition.codes.first(where: { code in
                CodeMatch.shared([code.value], envelope.success.map(\.value)) != nil
            })
        else { return }
        report(
            .outcomeMatchesSuccess,
            "the outcome `\(outcome.name.value)` has the code \(code.value.spelling), which is a success",
            at: code.range,
            help: "add a `status` or a `body` value")
    }
}

/// An error that an endpoint can fail with.
struct ListedError {
    var definition: ErrorDefinition
    /// Whether the endpoint itself lists it, as opposed to inheriting it from the defaults.
    var isEndpointSpecific: Bool
}

extension ResolvedTable {
    /// A response that both conditions match, in words: "HTTP 200 with code 4010"; `nil` if no such response exists.
    ///
    /// - Parameters:
    ///   - code: the place of the code in the envelope.
    ///   - isFrame: whether the responses are frames.
    package static func response(
        matching one: Condition, and other: Condition, code path: FieldPath? = nil, isFrame: Bool = false
    ) -> String? {
        // Codes distinguish most of them.
        if one.codes.count == 1, other.codes.count == 1, case .text(let code) = one.codes[0].value,
            case .text(let second) = other.codes[0].value, code != second
        {
            return nil
        }
        var parts: [String] = []
        if !one.close.isEmpty || !other.close.isEmpty {
            let shared = one.close.lazy.compactMap { range in
                other.close.first { $0.value.overlaps(range.value) }.map {
                    $0.value.clamped(to: range.value).lowerBound
                }
            }
            return shared.first.map { "a connection closed with \($0)" }
        }
        if !one.transport.isEmpty || !other.transport.isEmpty {
            let common = Set(one.transport.map(\.value)).intersection(other.transport.map(\.value))
            guard let kind = TransportFaultKind.declarable.first(where: { common.contains($0) }) else { return nil }
            return "a transport failure `\(kind.rawValue)`"
        }
        let needsBody = [one, other].contains { !$0.needsNoBody }
        guard let status = sharedStatus(one, other, withBody: needsBody) else { return nil }
        parts.append(isFrame ? status == 200 ? "a reply" : "a handshake with HTTP \(status)" : "HTTP \(status)")
        var code: String?
        if !one.codes.isEmpty, !other.codes.isEmpty {
            code = CodeMatch.shared(one.codes.map(\.value), other.codes.map(\.value))
            if code == nil { return nil }
        } else {
            code = (one.codes + other.codes).first?.value.example
        }
        guard var values = sharedValues(one, other) else { return nil }
        if code != nil, let path, values.removeValue(forKey: .body(path.keys)) != nil {
            // The code is a value of the body, which one of them names.
            let codes = [one.codes, other.codes].filter { !$0.isEmpty }.map { $0.map(\.value) }
            let patterns = (one.values + other.values).filter { $0.keys == path.keys }.map(\.pattern)
            code = CodeMatch.shared(codes, patterns)
            if code == nil { return nil }
        }
        if let code { parts.append("code \(code)") }
        // A scalar at a path leaves nothing below it.
        let paths = values.keys.compactMap(\.keys).map(FieldPath.init) + (code == nil ? [] : [path].compactMap { $0 })
        if FieldPath.contradiction(among: paths) != nil { return nil }
        for (place, value) in values.sorted(by: { $0.key < $1.key }) {
            switch place {
            case .body(let keys): parts.append("`\(FieldPath(keys).text)` = `\(value)` in the body")
            case .header(let name): parts.append("the header `\(name): \(value)`")
            case .text: parts.append("the text `\(value)`")
            }
        }
        guard let first = parts.first else { return nil }
        return parts.count == 1 ? first : first + " with " + parts.dropFirst().joined(separator: " and ")
    }

    /// Texts at all places that the conditions name, which match both; nil if there are none.
    private static func sharedValues(_ one: Condition, _ other: Condition) -> [ResponseMatch.Place: String]? {
        let matches = one.values + other.values
        let filler = TextPattern.filler(apartFrom: matches.lazy.map(\.pattern.literal))
        var patterns: [ResponseMatch.Place: TextPattern] = [:]
        var values: [ResponseMatch.Place: String] = [:]
        for match in matches {
            let known = patterns.updateValue(match.pattern, forKey: match.place) ?? match.pattern
            guard let text = TextPattern.shared(known, match.pattern, filler) else { return nil }
            values[match.place] = text
        }
        return values
    }

    /// The least status that both conditions take.
    private static func sharedStatus(_ one: Condition, _ other: Condition, withBody needsBody: Bool) -> Int? {
        let any = [100...999]
        let left = one.statuses.isEmpty ? any : one.statuses.map(\.value)
        let right = other.statuses.isEmpty ? any : other.statuses.map(\.value)
        if one.statuses.isEmpty, other.statuses.isEmpty { return 200 }
        var best: Int?
        for range in left {
            for partner in right where range.overlaps(partner) {
                let low = max(range.lowerBound, partner.lowerBound)
                let high = min(range.upperBound, partner.upperBound)
                guard let status = (low...high).first(where: { !needsBody || HTTPStatus.canHaveBody($0) }) else {
                    continue
                }
                best = min(best ?? status, status)
            }
        }
        return best
    }
}

/// The meaning of a status in HTTP (RFC 9110).
package enum HTTPStatus {
    /// Whether a response with this status can have a body. Statuses 1xx, 204 and 304 have none (section 6.4.1).
    package static func canHaveBody(_ status: Int) -> Bool {
        status >= 200 && status != 204 && status != 304
    }
}
