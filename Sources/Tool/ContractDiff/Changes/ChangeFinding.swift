import Diagnostics

extension Change {
    /// The change as a sentence without a full stop: "`endpoints.pay.effect` changes from `keyed` to `once`".
    package var summary: String {
        if place == ["service"], edit != .changed {
            return "the service \((new ?? old ?? "").asCode) is \(edit == .added ? "new" : "gone")"
        }
        let place = shownPath.asCode
        let users = self.users
        if !siblings.isEmpty {
            var names = siblings.prefix(Self.mostShown).map(\.asCode)
            if siblings.count > names.count { names.append("\(siblings.count - names.count) more") }
            let list = ([place] + names.dropLast()).joined(separator: ", ") + " and " + (names.last ?? "")
            return "\(list) are \(edit == .added ? "new" : "gone")\(users)"
        }
        switch edit {
        case .added: return "\(place) is new\(users)"
        case .removed: return "\(place) is gone\(users)"
        case .renamed: return "\((old ?? "").asCode) is now called \((new ?? "").asCode) in \(place)\(users)"
        case .changed:
            guard let old, let new, old != new else { return "\(place) changes\(users)" }
            return "\(place) changes from \(old.asCode) to \(new.asCode)\(users)"
        }
    }

    /// For whom the change is, if one place has it for several.
    private var users: String {
        guard let first = inheritedBy.first else { return "" }
        // A rule for names and for reading is about fields, which types and endpoints have.
        let isOfFields = place.first == "defaults" && ["naming", "reading"].contains(place.last ?? "")
        return inheritedBy.count == 1
            ? ", for \(first.asCode)" : ", for \(inheritedBy.count) \(isOfFields ? "definitions" : "endpoints")"
    }

    /// The place without the keys that a short form leaves out: `types.Account.id`, and not `types.Account.fields.id.type`.
    private var shownPath: String {
        var keys = place.filter { $0 != "fields" }
        if keys.count > 3, keys.last == "type", edit == .changed { keys.removeLast() }
        if keys.suffix(2) == ["timeout", "any"] { keys.removeLast() }
        return keys.joined(separator: ".")
    }

    /// The most severe column. Of equal ones, the wire comes before the behavior, and the behavior before the source.
    package var worst: (name: String, judgment: ChangeVerdict.Judgment)? {
        let order = [("wire", verdict.wire), ("behavior", verdict.behavior), ("source", verdict.source)]
        let level = verdict.level
        return level == .none ? nil : order.first { $0.1.level == level }
    }

    /// The finding for a report; nil for a change without consequences.
    ///
    /// - Parameter file: The file that the finding is about if the change has no place in a text.
    package func finding(in file: String) -> Diagnostic? {
        guard let worst, let sentence = worst.judgment.sentence else { return nil }
        let kind: FindingKind =
            switch (verdict.level, worst.name) {
            case (.breaks, "wire"): .wireBreak
            case (.breaks, "behavior"): .behaviorBreak
            case (.breaks, _): .sourceBreak
            default: .changeToReview
            }
        let message = "\(summary): \(sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence)"
        let others = verdict.columns.filter { $0.name != worst.name }.compactMap { column in
            column.judgment.sentence.map { DiagnosticNote("\(column.name): \($0)") }
        }
        let notes = others + (pointer.map { [DiagnosticNote("JSON pointer: \($0)")] } ?? [])
        let verdicts = verdict.columns.map { column in
            DiagnosticVerdict(
                subject: column.name, level: column.judgment.level.word, consequence: column.judgment.sentence,
                parties: column.name == "source" || column.judgment.level == .none ? nil : verdict.direction?.word)
        }
        guard let range else {
            return Diagnostic(rule: kind, message: message, file: file, notes: notes, help: help(worst.name)).judged(
                verdicts)
        }
        return Diagnostic(rule: kind, message: message, at: range, notes: notes, help: help(worst.name)).judged(
            verdicts)
    }

    /// What to do about it.
    private func help(_ column: String) -> String? {
        guard column != "source", verdict.level == .breaks || verdict.direction == .newApp else { return nil }
        if verdict.isOfAppAlone {
            return verdict.level == .breaks ? "keep what the contract said, or accept the break for updated apps" : nil
        }
        return switch verdict.direction {
        case .oldApp?:
            "keep the old \(column == "wire" ? "form" : "behavior") on the server until no app from before this change is in use"
        case .newApp?: "deploy the server before the apps"
        case .both?: "declare a new endpoint beside the old one, or update the server and all apps together"
        case nil: nil
        }
    }
}
