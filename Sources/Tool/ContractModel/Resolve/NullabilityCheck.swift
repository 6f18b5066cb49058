import Diagnostics

extension Resolution {
    /// Reports `nullable` where no null can be sent, and beside what contradicts it.
    mutating func checkNullable(_ word: Nullability, _ field: FieldDefinition, _ place: FieldPlace) {
        if place != .payload {
            report(
                .conflictingKeys, "`nullable` is not valid for a `\(field.type.spelling)` outside of JSON",
                at: field.name.range,
                help: "remove it; only JSON has null, and an optional without a value is left out here")
        }
        if let value = field.defaultValue {
            report(
                .conflictingKeys, "a field with `nullable: \(word.rawValue)` cannot have a default", at: value.range,
                help: "remove the default, or `nullable: \(word.rawValue)`")
        }
        if word == .required, !field.type.isOptional {
            let spelling = field.type.spelling + "?"
            report(
                .conflictingKeys, "a field with `nullable: required` must be optional, because its nil is sent as null",
                at: field.typeRange,
                help:
                    "write `\(spelling.hasPrefix("[") ? "\"\(spelling)\"" : spelling)`, or remove `nullable: required`")
        }
    }
}
