import ContractModel
import Diagnostics

package enum UnreachableError: LintRule {
    package static let kind = FindingKind(
        "unreachable-error",
        page: """
            An error or an outcome that no response can match, or a condition that is never the first to match.

            ## Why is this bad
            The app handles a failure that never occurs, and the responses that were meant get a different error. There are three
            usual reasons. The endpoint's envelope has no code. The response has no body. Or conditions that precede this one
            match all its responses.

            ## Example
            ```yaml
            ask:
              get: /answers/{id}
              envelope: none
              response: string
              errors: [noSuchAnswer]
            ```
            where `noSuchAnswer` is recognized by a `code`. A response without an envelope does not have one.

            ## Use instead
            ```yaml
            ask:
              get: /answers/{id}
              envelope: standard
              response: string
              errors: [noSuchAnswer]
            ```
            Or recognize the error by its `status`, or by a value in the `body`.
            """)

    package static let tags: [RuleTag] = [.errors]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        var reported = Set<String>()
        for endpoint in subject.endpoints where endpoint.proof.hasUnreachableRows {
            let targets: [(Verdict, Located<String>, String)] =
                endpoint.ownErrors.map { (.error(DeclaredName($0.error.name.value)), $0.listed, "fails with") }
                + endpoint.resolved.outcomes.map { (.outcome(DeclaredName($0.name.value)), $0.name, "ends as") }
            for (target, place, verb) in targets {
                let rows = endpoint.proof.rows(of: target)
                guard !rows.isEmpty, rows.allSatisfy(\.isUnreachable),
                    case .unreachable(let reason)? = rows.first?.finding
                else { continue }
                reported.insert(target.name)
                report.add(
                    "`\(endpoint.name)` never \(verb) `\(place.value)`: \(reason.text(in: endpoint.envelope))",
                    at: place.range, notes: rows.flatMap { notes($0, endpoint) },
                    help: help(reason)
                )
            }
        }
        reportDeadConditions(subject, except: reported, &report)
    }

    /// A condition that no response of any endpoint matches, of an error that has other conditions or comes from `defaults`.
    private static func reportDeadConditions(
        _ subject: LintSubject, except reported: Set<String>, _ report: inout RuleReport
    ) {
        let file = subject.contract.file
        var reached = Set<Int>()
        var dead: [(row: TableProof.Row, endpoint: LintedEndpoint)] = []
        guard subject.endpoints.contains(where: \.proof.hasUnreachableRows) else { return }
        for endpoint in subject.endpoints {
            for row in endpoint.proof.rows where row.row.condition.range.file == file {
                if row.isUnreachable {
                    dead.append((row, endpoint))
                } else {
                    reached.insert(row.row.condition.range.start.offset)
                }
            }
        }
        for (row, endpoint) in dead where !reported.contains(row.row.verdict.name) {
            let range = row.row.condition.range
            // Once for a condition that several endpoints have.
            guard reached.insert(range.start.offset).inserted, case .unreachable(let reason) = row.finding else {
                continue
            }
            report.add(
                "this condition never recognizes `\(row.row.verdict.name)`: \(reason.text(in: endpoint.envelope))",
                at: range,
                notes: notes(row, endpoint).filter { $0.range != range }, help: help(reason)
            )
        }
    }

    private static func notes(_ row: TableProof.Row, _ endpoint: LintedEndpoint) -> [DiagnosticNote] {
        var notes = [DiagnosticNote("its condition", at: row.row.condition.range)]
        guard case .unreachable(let reason) = row.finding else { return notes }
        switch reason {
        case .hasNoCode:
            if let envelope = endpoint.envelope {
                notes.append(DiagnosticNote("the envelope", at: envelope.name.range))
            }
        case .isCovered(let other, _):
            notes.append(DiagnosticNote("the condition of `\(other.verdict.name)`", at: other.condition.range))
        case .hasNoBody, .statusHasNoBody, .contradictsItself, .codeIsPath, .frameHasBodyAlone: break
        }
        return notes
    }

    private static func help(_ reason: TableProof.Reason) -> String {
        switch reason {
        case .hasNoCode: "give the envelope a `code`, or name a `status` or a `body` value"
        case .hasNoBody: "name a `status`, or use `get`"
        case .statusHasNoBody: "name the status alone, or another status"
        case .contradictsItself: "name one of the two"
        case .frameHasBodyAlone: "recognize it by a `code`, a `body` value or a `close` code"
        case .codeIsPath: "write the value that the code has"
        case .isCovered: "make this condition more specific than the other, or remove it"
        }
    }
}
