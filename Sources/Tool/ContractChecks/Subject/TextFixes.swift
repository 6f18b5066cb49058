import ContractModel
import Diagnostics
import YAMLTree

// The edits that several rules make. Each is `nil` if the text is too complex for the edit.
extension LintSubject {
    /// Replaces a category by another one.
    func replacing(_ category: Located<ErrorCategory>, with other: ErrorCategory) -> Fix? {
        guard isOwn(category.range), document.text(of: category.range) == category.value.rawValue else { return nil }
        let edit = Fix.Edit(replacing: category.range, with: other.rawValue)
        return Fix(title: "make it `\(other.rawValue)`", applicability: .needsALook, edits: [edit])
    }

    /// Writes another primitive type for a field, with its `?` and its brackets as they are.
    func replacingType(_ type: String, of field: FieldDefinition, with other: String) -> Fix? {
        guard isOwn(field.typeRange) else { return nil }
        let text = document.text(of: field.typeRange)
        guard text == type || text == type + "?" else { return nil }
        let edit = Fix.Edit(replacing: field.typeRange, with: text.replacing(type, with: other))
        return Fix(title: "make it `\(other)`", applicability: .needsALook, edits: [edit])
    }

    /// Adds `sensitive: true` to a field, in its short form or in its long one.
    func markingSensitive(_ field: FieldDefinition) -> Fix? {
        adding("sensitive: true", to: field).map {
            Fix(title: "mark it `sensitive`", applicability: .needsALook, edits: [$0])
        }
    }

    /// Writes `lenient: false` at fields, in place of `lenient: true` where it is written.
    func readingStrictly(_ fields: [FieldDefinition]) -> Fix? {
        var edits: [Fix.Edit] = []
        for field in fields {
            guard isOwn(field.typeRange), let pair = document.pair(withValueAt: field.typeRange) else { return nil }
            let isLong = pair.key.range != field.name.range
            let written = isLong ? document.mapping(withValueAt: field.typeRange)?["lenient"] : nil
            guard
                let edit = written.map({ Fix.Edit(replacing: $0.range, with: "false") })
                    ?? adding("lenient: false", to: field)
            else { return nil }
            edits.append(edit)
        }
        return Fix(
            title: "read \(fields.count == 1 ? "it" : "them") strictly", applicability: .needsALook, edits: edits)
    }

    /// Adds an option to a field, in its short form or in its long one.
    private func adding(_ option: String, to field: FieldDefinition) -> Fix.Edit? {
        guard isOwn(field.typeRange), let pair = document.pair(withValueAt: field.typeRange), pair.value.scalar != nil
        else { return nil }
        let text = document.text(of: field.typeRange)
        if pair.key.range == field.name.range {
            guard text.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "_()?".contains($0)) }) else {
                return nil
            }
            return Fix.Edit(replacing: field.typeRange, with: "{type: \(text), \(option)}")
        }
        if pair.key.range.start.line == field.name.range.start.line {
            return Fix.Edit(replacing: field.typeRange, with: "\(text), \(option)")
        }
        let indent = String(repeating: " ", count: pair.key.range.start.column - 1)
        guard pair.key.range.start.line == pair.range.end.line else { return nil }
        return Fix.Edit(replacing: pair.key.range, with: "\(option)\n\(indent)type")
    }

    /// The value that is at a key of one of the contract's sections: `servers`, `types`.
    func value(of name: Located<String>, in section: String) -> YAMLNode? {
        guard let pair = document.root.mapping?[section]?.mapping?.first(where: { $0.key.range == name.range }),
            pair.value.aliasRange == nil
        else { return nil }
        return pair.value
    }

    private func isOwn(_ range: SourceRange) -> Bool { range.file == contract.file }
}
