import Diagnostics

// Whether the options of a field fit its type and its place.
extension Resolution {
    mutating func checkOptions(_ field: FieldDefinition, _ type: TypeReference, _ place: FieldPlace) {
        if let joining = field.joining { check(joining, of: field, type, place) }
        if place == .responseHeader {
            if let word = field.nullable { checkNullable(word, field, place) }
            return
        }
        func refuse(_ option: String, _ help: String) {
            report(
                .conflictingKeys, "`\(option)` is not valid for a `\(field.type.spelling)`", at: field.name.range,
                help: help)
        }
        let isList = type.isList
        let isMap = if case .map = type { true } else { false }
        if field.skipsInvalid, !isList, !isMap {
            refuse("skipInvalid", "remove it; only a list or a map has elements to skip")
        }
        if field.acceptsSingle, !isList {
            refuse("single", "remove it; only a list can have a single element in its place")
        }
        if place != .payload, let option = field.readingOption {
            report(
                .conflictingKeys,
                "`\(option)` is only valid in a response, and only requests contain `\(field.name.value)`",
                at: field.name.range, help: "remove it")
            return
        }
        if place != .payload, let formats = field.constraints.format, formats.value.count > 1 {
            report(
                .conflictingKeys,
                "a list of formats is only valid in a response, and only requests contain `\(field.name.value)`",
                at: formats.range, help: "write the one format that the service reads")
            return
        }
        // An optional of any kind may arrive as "", which means nil.
        let mayBeEmpty = field.type.isOptional && isScalar(type)
        if field.coerces, !mayBeEmpty, !canCoerce(type) {
            refuse("coerce", "remove it; only texts, numbers, Booleans and dates can be coerced")
        }
        if field.isLenient {
            saysLenient = true
            if !canBeLenient(field) {
                refuse(
                    "lenient",
                    "remove it; only an optional without `nullable: distinct`, a list or a map can be lenient")
            }
        }
        if let word = field.nullable { checkNullable(word, field, place) }
    }

    /// Checks that a joined list is one of single values, in a place that carries texts.
    private mutating func check(
        _ joining: Located<Joining>, of field: FieldDefinition, _ type: TypeReference, _ place: FieldPlace
    ) {
        switch place {
        case .query, .header, .form: break
        case .payload, .path, .cookie, .multipart, .responseHeader:
            report(
                .conflictingKeys, "`joined` is only valid in a query, a header and a form", at: joining.range,
                help: "remove it")
            return
        }
        if isListOfScalars(type) { return }
        report(
            .conflictingKeys, "`joined` is not valid for a `\(field.type.spelling)`", at: joining.range,
            help: "remove it; only a list of single values is joined")
    }

    private func canCoerce(_ type: TypeReference) -> Bool {
        switch type {
        case .primitive(let primitive):
            primitive.isNumber || primitive == .string || primitive == .bool || primitive == .timestampUnix
                || primitive == .timestampMilliseconds
        case .list(let element), .map(let element): expanded(element).map { canCoerce($0.unwrapped) } ?? true
        case .named, .optional: false
        }
    }

    /// Checks that a format belongs to a timestamp, also in lists and maps, which have no format of their own.
    mutating func check(_ format: Located<[TimestampForm]>, fits type: TypeReference) {
        if aliases.constraints(of: type).contains(where: { $0.format != nil }) {
            report(
                .conflictingKeys, "`\(type.spelling)` already has a format", at: format.range,
                help: "remove one of them")
            return
        }
        switch expanded(type) {
        case .primitive(.timestamp), nil: break
        case .optional(let inner), .list(let inner), .map(let inner): check(format, fits: inner)
        case .named(let name) where self.type(name.value) == nil: break
        case .primitive, .named:
            report(
                .conflictingKeys, "`format` is not valid for a `\(type.spelling)`", at: format.range,
                help: "remove it; only a `timestamp` has a format")
        }
    }
}
