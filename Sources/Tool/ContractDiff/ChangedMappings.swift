import ContractModel
import Diagnostics

/// Joins the changes of one mapping whose keys have the same consequences: `base` and `cap` of a retry.
enum ChangedMappings {
    typealias Part = (change: Change, edit: TreeEdit)

    static func joined(_ parts: [Part], _ versions: ChangeGroups.Versions) -> [Change] {
        var groups: [[Part]] = []
        var positions: [Key: Int] = [:]
        for part in parts {
            guard let key = key(of: part) else {
                groups.append([part])
                continue
            }
            if let position = positions[key] {
                groups[position].append(part)
            } else {
                positions[key] = groups.count
                groups.append([part])
            }
        }
        return groups.map { $0.count == 1 ? $0[0].change : joined($0, versions) }
    }

    private struct Key: Hashable {
        let place: [String]
        let sentences: [String]
        let direction: ChangeVerdict.Direction?
        let users: [String]
    }

    /// What the changes that are joined have in common; nil for a change that stays alone.
    private static func key(of part: Part) -> Key? {
        let (change, edit) = part
        guard edit.edit != .renamed, change.verdict.level > .none else { return nil }
        let mapping = edit.slot.split(separator: ".").dropLast().joined(separator: ".")
        guard edit.slot == "type.enum.*" || !edit.slot.hasSuffix(".*") && !definitions.contains(mapping) else {
            return nil
        }
        let sentences = change.verdict.columns.map { $0.judgment.level.word + ($0.judgment.sentence ?? "") }
        return Key(
            place: place(of: part), sentences: sentences, direction: change.verdict.direction,
            users: change.inheritedBy)
    }

    /// The mapping that has the key, in the new contract.
    private static func place(of part: Part) -> [String] {
        Array((part.change.inheritedBy.isEmpty ? part.edit.places.new : part.change.place).dropLast())
    }

    /// The mappings whose keys say different things, and those of fields, which a report does not show.
    private static let definitions: Set<String> = [
        "contract", "defaults", "endpoint", "error", "builtInError", "event", "outcome", "type", "field", "commonField",
    ]

    private static func joined(_ parts: [Part], _ versions: ChangeGroups.Versions) -> Change {
        var joined = parts[0].change
        joined.contentHash = contentHash(parts.map(\.change))
        if joined.edit != .changed, parts.allSatisfy({ $0.change.edit == joined.edit }) {
            joined.siblings = parts.dropFirst().compactMap(\.change.place.last)
            return joined
        }
        func text(_ value: @escaping (Change) -> String?) -> String? {
            let texts = parts.lazy.map(\.change).compactMap { change in
                value(change).map { "\(change.place.last ?? ""): \($0)" }
            }
            let shown = texts.prefix(Change.mostShown + 1)
            guard !shown.isEmpty else { return nil }
            return shown.prefix(Change.mostShown).joined(separator: ", ")
                + (shown.count > Change.mostShown ? ", …" : "")
        }
        joined.place = place(of: parts[0])
        joined.edit = .changed
        (joined.old, joined.new) = (text(\.old), text(\.new))
        joined.isInOld = false
        joined.range = versions.new.places.range(of: joined.place) ?? joined.range
        return joined
    }

    /// A hash of all keys with their values. A joined change shows the values of some keys at most.
    private static func contentHash(_ changes: [Change]) -> String {
        let parts = changes.map { change in
            [change.path, change.edit.rawValue, change.old, change.new, change.contentHash].map { $0 ?? "" }
        }
        return String(StableHash.of(parts.joined().joined(separator: "\u{0}").utf8), radix: 16)
    }
}
