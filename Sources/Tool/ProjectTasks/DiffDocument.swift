import ContractDiff
import ContractModel
import Diagnostics
import OpenAPI

/// What a comparison knows of the OpenAPI document that a contract was imported from.
struct DiffDocument: Sendable {
    let facts: DocumentFacts
    private let notes: ContractNotes
    private let losses: DocumentLosses
    private let path: String

    init(_ draft: ContractDraft, _ losses: DocumentLosses, path: String) {
        var facts = DocumentFacts()
        facts.madeTypes = draft.madeTypes
        facts.demanded = draft.demanded
        for body in draft.bodyTypes {
            facts.bodies[body.endpoint] = DocumentFacts.Body(sent: body.sent, all: body.all)
        }
        (self.facts, notes, self.losses, self.path) = (facts, draft.notes, losses, path)
    }

    /// A document of which only the contract is known.
    init(path: String) {
        (facts, notes, losses, self.path) = (DocumentFacts(), ContractNotes(), DocumentLosses(), path)
    }

    /// The part of the document that a part of the contract is from, or that is around it: in the end the whole document.
    func origin(around place: [String]) -> ContractNotes.Origin {
        let start = SourcePosition(line: 1, column: 1, offset: 0)
        return notes.origin(around: place.filter { $0 != "fields" })
            ?? ContractNotes.Origin(pointer: "#", range: SourceRange(file: path, start: start, end: start))
    }

    /// The findings about what contracts do not have and two documents say in different ways. Extensions have a meaning for single tools
    /// only, so that all of them are one note.
    static func notCompared(_ old: DiffSide, _ new: DiffSide) -> [Diagnostic] {
        guard let before = old.document, let after = new.document else { return [] }
        let differences = DocumentLosses.differences(from: before.losses, to: after.losses)
        let isExtension = { (difference: Difference) in (difference.new ?? difference.old)?.isExtension == true }
        let others = differences.filter { !isExtension($0) }.compactMap { finding($0, old, new) }
        let extensions = differences.filter(isExtension)
        guard let first = extensions.first, let loss = first.new ?? first.old else { return others }
        let names = Set(extensions.compactMap { ($0.new ?? $0.old)?.name.asCode }).sorted()
        let list = names.prefix(5).joined(separator: ", ") + (names.count > 5 ? " and \(names.count - 5) more" : "")
        return others + [
            Diagnostic(
                rule: .notCompared, severity: .note,
                message: "extensions differ, which Errand does not compare: \(list)",
                at: (first.new == nil ? old : new).shown(loss.origin.range))
        ]
    }

    private typealias Difference = (old: DocumentLoss?, new: DocumentLoss?)

    private static func finding(_ difference: Difference, _ old: DiffSide, _ new: DiffSide) -> Diagnostic? {
        guard let loss = difference.new ?? difference.old else { return nil }
        var message: String
        switch difference {
        case (nil, let new?) where new.message != nil: message = "only in the new document, \(new.message ?? "")"
        case (let old?, nil) where old.message != nil: message = "only in the old document, \(old.message ?? "")"
        case (_, let new?) where new.message != nil: message = "in another way than before, \(new.message ?? "")"
        case (nil, _): message = "\(loss.name.asCode) is new"
        case (_, nil): message = "\(loss.name.asCode) is gone"
        case (let old?, let new?):
            let values = old.isShort && new.isShort ? " from \(old.text.asCode) to \(new.text.asCode)" : ""
            message = "\(loss.name.asCode) changes" + values
        }
        message += ", and Errand does not compare it, because contracts do not have it"
        return Diagnostic(
            rule: .notCompared,
            message: message,
            at: (difference.new == nil ? old : new).shown(loss.origin.range),
            notes: [DiagnosticNote("JSON pointer: \(loss.origin.pointer)")])
    }
}
