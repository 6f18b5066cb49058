import Diagnostics

/// The findings of an import, each once, up to a maximum number.
///
/// A loss is a warning: a part of the document is missing in the contract. A note is useful information about a complete
/// contract.
final class ImportFindings {
    private let most: Int
    /// The counted findings that are no loss, although others of their kind are.
    private static let areNotes: [FindingKind] = [.openAPIExampleLost, .openAPIMediaLost]
    /// The findings that leave out the element that they are about, with all that is below it.
    private static let leaveOut: [FindingKind] = [
        .openAPIBrokenReference, .openAPIEndpointLost, .openAPIExampleLost, .openAPIExtensionLost, .openAPIFeatureLost,
        .openAPIKeywordUnknown, .openAPIParameterLost, .openAPIRemoteReference, .openAPIResponseLost,
        .openAPISchemaLost, .openAPIServerLost, .openAPIUnionLost,
    ]
    private(set) var all: [Diagnostic] = []
    /// The parts of the document that the contract does not have. Of a part that it has in another form, it is what the finding says.
    private(set) var lost: [(element: Element, message: String?)] = []
    private(set) var unreported = 0
    private var seen = Set<Fingerprint>()
    private var isSilent = false
    /// Problems that are reported once for the whole document: name → the first place, and the count.
    private var counts: [Counted: (kind: FindingKind, first: Element, count: Int, note: String?)] = [:]
    /// What becomes of the examples.
    var examples = ExampleAccount()

    init(most: Int = 5_000) { self.most = most }

    private struct Fingerprint: Hashable {
        let rule: String
        let place: ElementKey
        let message: String
    }

    /// A finding at an element, with the JSON pointer of it.
    ///
    /// - Parameter isMinor: whether this finding is no loss, although others of its kind are.
    func add(
        _ kind: FindingKind, _ message: String, at element: Element, isMinor: Bool = false, help: String? = nil
    ) {
        guard !isSilent || kind == .openAPIBrokenReference || kind == .openAPIRemoteReference else { return }
        element.note(Self.leaveOut.contains(kind) ? [.reported, .settled] : .reported)
        // A schema is examined several times. The pointer is made only for a new finding.
        guard seen.insert(Fingerprint(rule: kind.name, place: element.key, message: message)).inserted else { return }
        lose(kind, element, message)
        add(
            Diagnostic(
                rule: kind, severity: isMinor ? .note : nil, message: message, at: element.range,
                notes: [DiagnosticNote("JSON pointer: \(element.pointer)")], help: help))
    }

    /// Looks at a part of the document that is not imported, without findings about it. A reference that leads nowhere is reported
    /// when it is followed first, whatever part that is.
    ///
    /// - Parameter isSilent: false to look with findings.
    func silently(_ isSilent: Bool = true, _ look: () -> Void) {
        self.isSilent = isSilent
        look()
        self.isSilent = false
    }

    /// A finding about a file as a whole, or a finding of another reader.
    func add(_ finding: Diagnostic) {
        guard all.count < most else {
            unreported += 1
            return
        }
        all.append(finding)
    }

    /// Counts a problem that is reported once for the whole document.
    ///
    /// - Parameter note: more about the first place.
    func count(
        _ kind: FindingKind, _ name: String, of what: String = "header", at element: Element, note: String? = nil
    ) {
        guard !isSilent else { return }
        lose(kind, element, "\(name) of \(what)")
        element.note(Self.leaveOut.contains(kind) ? [.reported, .settled] : .reported)
        let key = Counted(rule: kind.name, what: what, name: name)
        counts[key] =
            counts[key].map { ($0.kind, $0.first, $0.count + 1, $0.note) } ?? (kind, element, 1, note)
    }

    /// Notes an example of a part that is imported.
    func see(example: Element, of what: String) {
        if !isSilent { examples.see(example, of: what) }
    }

    /// Counts the examples that the contract does not have.
    func countLostExamples() {
        for (element, what, problem) in examples.lost {
            count(
                .openAPIExampleLost, problem == nil ? what : "", of: problem == nil ? "example" : "contradiction",
                at: element, note: problem)
        }
    }

    /// Notes a part of the document that only prose of the contract has.
    func lose(_ element: Element) { lost.append((element, nil)) }

    private func lose(_ kind: FindingKind, _ element: Element, _ message: @autoclosure () -> String) {
        if Self.losses.contains(kind) {
            lost.append((element, nil))
        } else if Self.changes.contains(kind) {
            lost.append((element, message()))
        }
    }

    /// The kinds about a part that the contract does not have.
    private static let losses: [FindingKind] = [
        .openAPIConstraintLost, .openAPIDefaultLost, .openAPIEndpointLost, .openAPIExtensionLost, .openAPIFeatureLost,
        .openAPIFormatUnknown, .openAPIKeywordUnknown, .openAPIParameterLost, .openAPIResponseLost, .openAPISchemaLost,
        .openAPISecurityLost, .openAPIServerLost, .openAPIStyleLost, .openAPIUnionLost,
    ]
    /// The kinds about a part that the contract has in another form.
    private static let changes: [FindingKind] = [.openAPIBodyLost, .openAPIMediaLost, .openAPIEffectLost]

    private struct Counted: Hashable {
        let rule: String
        let what: String
        let name: String
    }

    /// Reports the counted findings, and the number of unreported ones.
    func finish(file: String) {
        for (key, entry) in counts.sorted(by: {
            ($0.key.name, $0.key.rule, $0.key.what) < ($1.key.name, $1.key.rule, $1.key.what)
        }) {
            let name = key.name
            let times = entry.count == 1 ? "once" : "\(entry.count) times"
            let message =
                switch entry.kind {
                case .openAPIFormatUnknown:
                    "the format `\(name)` is unknown and is ignored (\(times))"
                case .openAPIResponseLost:
                    key.what == "header"
                        ? "the client does not read the response header `\(name)` (\(times))"
                        : "the client does not read the member `\(name)` of failures (\(times))"
                case .openAPIFeatureLost:
                    "links to other operations are left out, because contracts do not have links (\(times))"
                case .openAPIExampleLost:
                    key.what == "contradiction"
                        ? "the document's example contradicts this type, so it is left out (\(times))"
                        : "examples of \(name) are left out (\(times))"
                case .openAPIUnread:
                    "the import does not read `\(name)` of \(key.what), so the contract says nothing about it (\(times))"
                case .openAPIMediaLost where key.what == "text":
                    "`\(name)` is a text, which the app gets as its bytes (\(times))"
                case .openAPIMediaLost where key.what == "sends": "the client sends \(name) as bytes (\(times))"
                case .openAPIMediaLost:
                    "the client uses `\(key.what)`, and leaves out other formats of the same content: \(name) (\(times))"
                default: "the extension `\(name)` is left out (\(times))"
                }
            add(
                Diagnostic(
                    rule: entry.kind, severity: Self.areNotes.contains(entry.kind) ? .note : nil, message: message,
                    at: entry.first.range,
                    notes: [entry.note, "JSON pointer: \(entry.first.pointer)"].compactMap { $0 }
                        .map { DiagnosticNote($0) }))
        }
        counts = [:]
        guard unreported > 0 else { return }
        all.append(
            Diagnostic(
                rule: .moreFindings, severity: .warning,
                message: "\(unreported) more findings of this document are not shown", file: file,
                help: "`--all-findings` prints all of them, and `--only` imports fewer endpoints"))
    }
}
