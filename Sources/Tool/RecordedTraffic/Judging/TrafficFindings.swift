import ContractModel
import Diagnostics
import JSONTree

/// The findings about recordings. One that many entries have is one finding with their number.
struct TrafficFindings {
    /// Where an entry is.
    struct Place: Hashable {
        let file: String
        let index: Int
        let place: JSONElementScanner.Place

        /// The place in the recording. It has no text, because an excerpt of a recording would show its secrets.
        var range: SourceRange {
            let position = SourcePosition(line: place.line, column: place.column, offset: place.offset)
            return SourceRange(file: file, start: position, end: position)
        }

        /// The entry in the notation of `jq`, after `.log`.
        var name: String { "`entries[\(index)]`" }
    }

    private struct Key: Hashable {
        let kind: String
        let file: String?
        let subject: String
        let message: String
    }

    private struct Occurrence {
        let kind: FindingKind
        let severity: Severity?
        let message: String
        /// The place in the contract; nil for a finding about the recording.
        let range: SourceRange?
        let help: String?
        let first: Place
        var count = 1
    }

    private var occurrences: [Occurrence] = []
    private var positions: [Key: Int] = [:]
    private var others: [Diagnostic] = []

    /// The findings of one kind and severity, none of which takes the place of others.
    private struct Class: Hashable {
        let kind: String
        let severity: Severity?
    }

    /// How many findings of a class there are, and the first one that a report cannot have.
    private struct Tally {
        var kept = 0
        var left = 0
        var firstLeft: (kind: FindingKind, place: Place)?
    }

    private var tallies: [Class: Tally] = [:]

    /// A stranger's recording cannot make more findings of a class.
    static let most = 1_000

    /// - Parameters:
    ///   - severity: nil for that of the kind.
    ///   - subject: what the finding is about, beside its message.
    ///   - range: the place in the contract; nil for the place of the entry.
    mutating func add(
        _ kind: FindingKind, _ message: String, weighing severity: Severity? = nil, about subject: String = "",
        in range: SourceRange? = nil, at place: Place, help: String? = nil
    ) {
        let key = Key(kind: kind.name, file: range == nil ? place.file : nil, subject: subject, message: message)
        if let position = positions[key] {
            occurrences[position].count += 1
            return
        }
        let own = Class(kind: kind.name, severity: severity)
        guard tallies[own, default: Tally()].kept < Self.most else {
            tallies[own]?.left += 1
            if tallies[own]?.firstLeft == nil { tallies[own]?.firstLeft = (kind, place) }
            return
        }
        tallies[own, default: Tally()].kept += 1
        positions[key] = occurrences.count
        occurrences.append(
            Occurrence(
                kind: kind, severity: severity, message: message, range: range, help: help, first: place))
    }

    /// A finding that is not about an entry.
    mutating func add(_ finding: Diagnostic) { others.append(finding) }

    var all: [Diagnostic] {
        var findings = others
        for found in occurrences {
            let entries =
                found.count == 1
                ? "in \(found.first.name)" : "in \(found.count) entries, the first is \(found.first.name)"
            let message = "\(found.message) (\(entries))"
            if let range = found.range {
                findings.append(
                    Diagnostic(
                        rule: found.kind, severity: found.severity, message: message, at: range,
                        notes: [DiagnosticNote("\(found.first.name) of the recording", at: found.first.range)],
                        help: found.help))
            } else {
                findings.append(
                    Diagnostic(
                        rule: found.kind, severity: found.severity, message: message, at: found.first.range,
                        help: found.help))
            }
        }
        for (own, tally) in tallies {
            guard let (kind, place) = tally.firstLeft else { continue }
            // They are of this kind, so that the settings of the kind hold for them.
            findings.append(
                Diagnostic(
                    rule: kind, severity: own.severity,
                    message: "\(tally.left) more findings of this kind are not shown, the first is in \(place.name)",
                    at: place.range, help: "correct what is shown, and judge the recording again"))
        }
        return findings
    }
}
