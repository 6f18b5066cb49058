import ContractModel

/// Joins the changes that have one cause.
enum ChangeGroups {
    typealias Versions = (old: ContractVersion, new: ContractVersion)

    /// The changes, in which one of `defaults` is one change, and so are a definition that is gone with all of its uses, and the keys
    /// of one mapping with the same consequences. What only follows from another change is left out.
    static func joined(_ changes: [(change: Change, edit: TreeEdit)], _ versions: Versions) -> [Change] {
        var result: [Change] = []
        var edits: [TreeEdit] = []
        var positions: [Key: Int] = [:]
        let consequences = Consequences(changes.map(\.edit), versions)
        let definitions = Set(
            changes.lazy.filter { $0.change.place.count == 2 && $0.change.place[0] == "errors" }.filter {
                isOwn($0.edit, versions)
            }.map { Key(place: $0.change.place, edit: $0.change.edit) })
        for (change, edit) in changes where !consequences.contains(edit) {
            guard let cause = cause(of: change, edit, definitions, versions) else {
                // An error that a contract still declares is no longer used, which its uses say.
                if edit.slot == "contract.errors.*", !isOwn(edit, versions) { continue }
                result.append(change)
                edits.append(edit)
                continue
            }
            if let position = positions[cause] {
                let user = change.place[1]
                if result[position].inheritedBy.last != user { result[position].inheritedBy.append(user) }
                result[position].verdict = result[position].verdict.joined(with: change.verdict)
                continue
            }
            positions[cause] = result.count
            result.append(joined(change, cause, versions))
            edits.append(edit)
        }
        let kept = withoutDefinitions(result, positions)
        return ChangedMappings.joined(kept.map { (result[$0], edits[$0]) }, versions)
    }

    private struct Key: Hashable {
        var place: [String]
        var edit: Change.Edit
        var old: String?
        var new: String?
    }

    /// The change of the cause, of which a change is the first consequence.
    private static func joined(_ change: Change, _ cause: Key, _ versions: Versions) -> Change {
        var joined = change
        (joined.place, joined.edit) = (cause.place, cause.edit)
        joined.inheritedBy = [change.place[1]]
        if cause.place.last == "naming" || cause.place.last == "reading" {
            (joined.old, joined.new) = (cause.old, cause.new)
        }
        joined.isInOld = cause.edit == .removed
        joined.range = (joined.isInOld ? versions.old : versions.new).places.range(of: cause.place) ?? change.range
        return joined
    }

    /// Whether the definition itself is new or gone, and not only its uses.
    private static func isOwn(_ edit: TreeEdit, _ versions: Versions) -> Bool {
        switch edit.edit {
        case .added: !versions.old.declares(edit.place)
        case .removed: !versions.new.declares(edit.place)
        case .changed, .renamed: edit.edit == .renamed
        }
    }

    /// The change that a change of an endpoint or a field follows from; nil if it is its own.
    private static func cause(
        of change: Change, _ edit: TreeEdit, _ definitions: Set<Key>, _ versions: Versions
    ) -> Key? {
        let place = change.place
        for (key, option) in [("wire", "naming"), ("lenient", "reading")]
        where place.last == key && place.count > 2 && isUnwritten(edit.places, versions) {
            return causeInDefaults([option], versions)
        }
        guard place.count > 2, place[0] == "endpoints" else { return nil }
        if place[2] == "errors", place.count == 4 {
            let definition = Key(place: ["errors", place[3]], edit: change.edit)
            if definitions.contains(definition) { return definition }
        }
        let rest = Array(place.dropFirst(2))
        guard let key = rest.first, isInherited(edit.places, versions) else { return nil }
        let (before, after) = (versions.old.defaults[key], versions.new.defaults[key])
        guard before != after else { return nil }
        return Key(place: ["defaults"] + rest, edit: change.edit, old: change.old, new: change.new)
    }

    /// The change of a key of `defaults` that has its effect elsewhere; nil if the key has not changed.
    private static func causeInDefaults(_ keys: [String], _ versions: Versions) -> Key? {
        let (before, after) = (versions.old.defaults[keys[0]]?.text, versions.new.defaults[keys[0]]?.text)
        guard before != after else { return nil }
        let edit: Change.Edit = before == nil ? .added : after == nil ? .removed : .changed
        return Key(place: ["defaults"] + keys, edit: edit, old: before, new: after)
    }

    /// Whether no endpoint writes the value, so that it comes from somewhere else. The head of a value that an endpoint writes is
    /// written there, so the rest of it is its own as well.
    static func isInherited(_ places: TreePlace, _ versions: Versions) -> Bool {
        func isWritten(_ place: [String], _ contract: SourcePlaces) -> Bool {
            place.count > 2 && contract.has(place[2] == "errors" ? place : Array(place.prefix(3)))
        }
        return !isWritten(places.old, versions.old.places) && !isWritten(places.new, versions.new.places)
    }

    private static func isUnwritten(_ places: TreePlace, _ versions: Versions) -> Bool {
        !versions.old.places.has(places.old) && !versions.new.places.has(places.new)
    }

    /// The positions of the changes without those of definitions that the uses have told.
    private static func withoutDefinitions(_ changes: [Change], _ positions: [Key: Int]) -> [Int] {
        let told = Set(positions.values.filter { changes[$0].place.first == "errors" })
        let places = Set(told.map { Key(place: changes[$0].place, edit: changes[$0].edit) })
        return changes.indices.filter { index in
            let key = Key(place: changes[index].place, edit: changes[index].edit)
            return !places.contains(key) || told.contains(index)
        }
    }
}

/// The edits that only follow from others.
private struct Consequences {
    /// The edits of each endpoint that other edits may follow from, by the endpoint.
    private var causes: [String: Set<String>] = [:]
    private var places: Set<[String]> = []
    private var goneTypes: Set<String> = []
    private var goneGroups: Set<String> = []
    private let versions: ChangeGroups.Versions

    init(_ edits: [TreeEdit], _ versions: ChangeGroups.Versions) {
        self.versions = versions
        for edit in edits {
            places.insert([edit.slot] + edit.place.dropLast())
            guard edit.place.count > 2, edit.place[0] == "endpoints" else { continue }
            causes[edit.place[1], default: []].insert(edit.place[2])
        }
        let gone = Set(
            edits.lazy.filter { $0.edit == .removed && $0.place.count == 2 }.map { "\($0.place[0]).\($0.place[1])" })
        goneGroups = Set(gone.filter { $0.hasPrefix("groups.") }.map { String($0.dropFirst("groups.".count)) })
        for name in gone where name.hasPrefix("types.") {
            let type = String(name.dropFirst("types.".count))
            let users = versions.old.users.users(of: type)
            if !users.isEmpty, users.isSubset(of: gone) { goneTypes.insert(type) }
        }
    }

    func contains(_ edit: TreeEdit) -> Bool {
        let place = edit.place
        switch edit.slot {
        // The encoding has an element and a media type of its own.
        case "body.element", "body.contentType", "body.nesting":
            return edit.edit != .changed && places.contains(["body.encoding"] + place.dropLast())
        case "commonField.const" where edit.edit == .removed:
            return places.contains(["commonField.each"] + place.dropLast())
        case "commonField.each" where edit.edit == .removed:
            return places.contains(["commonField.const"] + place.dropLast())
        // Another style of pages has other keys beside the one that names it.
        case "paginate.size", "paginate.total":
            return edit.edit != .changed
                && ["page", "offset", "cursor", "link"].contains {
                    places.contains(["paginate.\($0)"] + place.dropLast())
                }
        // Fields in place of a type are passed in another way, whatever their order is.
        case "body.fields": return places.contains(["body.type"] + place.dropLast())
        case "endpoint.session" where places.contains(["contract.session"]):
            // The session of the contract has the verdict.
            return ChangeGroups.isInherited(edit.places, versions)
        case "stream.resume": return places.contains(["stream.position"] + place.dropLast())
        // A command that can be sent again needs no confirmation, so its effect has the verdict.
        case "endpoint.confirm":
            let (endpoints, version) =
                edit.edit == .removed
                ? (versions.new, edit.places.new) : (versions.old, edit.places.old)
            return edit.edit != .changed && version.count > 1
                && endpoints.endpoints[version[1]]?.effect.isUnsafe == false
        case "endpoint.group": return edit.old?.text.map(goneGroups.contains) ?? false
        case "contract.types.*": return edit.edit == .removed && goneTypes.contains(place.last ?? "")
        default: break
        }
        // What `defaults` says has no effect beside another key of the endpoint, and `defaults` is the same.
        guard place.count > 2, place[0] == "endpoints", edit.edit != .changed,
            let others = Self.deciding[place[2]], let found = causes[place[1]], !others.isDisjoint(with: found),
            ChangeGroups.isInherited(edit.places, versions)
        else { return false }
        return versions.old.defaults[place[2]] == versions.new.defaults[place[2]]
    }

    /// The keys of an endpoint that decide whether a key of `defaults` has an effect on it.
    private static let deciding: [String: Set<String>] = [
        "envelope": ["response"], "errors": ["session"], "compression": ["body"], "credentials": ["session"],
    ]
}
