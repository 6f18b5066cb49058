import Diagnostics
import YAMLTree

extension ContractDecoder {
    /// `format` with its `zone`: one form of a timestamp, or a list of them.
    mutating func format(_ mapping: YAMLMapping) -> Located<[TimestampForm]>? {
        let zone = pairWithValue(mapping, "zone").flatMap { text($0.value, "`zone`") }
        var offset = 0
        if let zone {
            guard let seconds = TimestampFormat.offset(ofZone: zone.value) else {
                report(
                    .invalidValue, "`zone` must be `UTC` or an offset such as `+08:00`, and is \(quoted(zone.value))",
                    at: zone.range, help: "write `UTC`, `+08:00` or `-05:30`; named time zones change their offset")
                return nil
            }
            offset = seconds
        }
        guard let node = pairWithValue(mapping, "format")?.value else { return nil }
        let nodes = elements(node, "format")
        guard (1...TimestampForm.most).contains(nodes.count) else {
            if node.sequence?.isEmpty == false, nodes.isEmpty { return nil }
            report(
                .invalidFormat, "`format` must have 1 to \(TimestampForm.most) formats, and has \(nodes.count)",
                at: node.range, help: "write `format: [rfc3339, yyyy-MM-dd HH:mm:ss]`")
            return nil
        }
        var forms: [Located<TimestampForm>] = []
        for element in nodes {
            guard let form = form(element, offset, isAlone: nodes.count == 1), isNew(form, among: forms) else {
                return nil
            }
            forms.append(form)
        }
        return Located(forms.map(\.value), at: node.range)
    }

    private mutating func form(_ node: YAMLNode, _ offset: Int, isAlone: Bool) -> Located<TimestampForm>? {
        guard let text = text(node, "`format`") else { return nil }
        if let named = TimestampForm.named.first(where: { $0.name == text.value })?.form {
            guard isAlone, let type = named.primitive else { return Located(named, at: text.range) }
            report(
                .invalidFormat, "\(quoted(text.value)) is only valid in a list of several formats", at: text.range,
                help: "remove `format`, and write `type: \(type.spelling)`")
            return nil
        }
        do throws(TimestampFormat.Problem) {
            return Located(.pattern(try TimestampFormat(text.value, offset: offset)), at: text.range)
        } catch {
            report(
                .invalidFormat, error.message, at: node.scalar?.range(ofValue: error.range) ?? text.range,
                help: error.help)
            return nil
        }
    }

    /// Whether a form can be told from the earlier ones.
    private mutating func isNew(_ form: Located<TimestampForm>, among earlier: [Located<TimestampForm>]) -> Bool {
        let spelling = form.value.spelling
        if let same = earlier.first(where: { $0.value == form.value }) {
            report(
                .invalidFormat, "the format \(quoted(spelling)) occurs twice", at: form.range,
                notes: [DiagnosticNote("first here", at: same.range)], help: "remove one")
            return false
        }
        guard let other = earlier.first(where: { $0.value.isAmbiguous(with: form.value) }) else { return true }
        report(
            .invalidFormat,
            "a value can have the formats \(quoted(other.value.spelling)) and \(quoted(spelling)), which mean different instants",
            at: form.range, notes: [DiagnosticNote("the other format", at: other.range)],
            help: "remove the format that the service does not send")
        return false
    }
}
