import Diagnostics

/// Where a field is, which decides what types it may have.
enum FieldPlace: Equatable {
    /// A JSON document: a structure, a body, a response, an error's data.
    case payload
    case query, header, cookie, path, form
    case multipart(BodyDefinition.Nesting)
    /// A header of a response.
    case responseHeader
}

extension FieldPlace {
    fileprivate var isHeader: Bool { self == .header || self == .responseHeader }
    fileprivate var isMultipart: Bool { if case .multipart = self { true } else { false } }
}

extension Resolution {
    /// The fields with their wire names set, each checked against its type and place.
    mutating func checked(_ fields: [FieldDefinition], as place: FieldPlace, naming: WireNaming) -> [FieldDefinition] {
        if fields.isEmpty { return fields }
        let usesNaming = !place.isHeader && place != .cookie && place != .path
        let fields = fields.map { field in
            field.onWire(
                as: field.declaredWireName?.value
                    ?? (usesNaming ? naming.wireName(of: field.name.value) : field.name.value))
        }
        if place != .path { reportSameWireNames(fields, place) }
        return fields.map { checked($0, in: place) }
    }

    private mutating func reportSameWireNames(_ fields: [FieldDefinition], _ place: FieldPlace) {
        let fields = fields.filter { !$0.holdsOtherMembers }
        let names = fields.map { place.isHeader ? $0.wireName.lowercased() : $0.wireName }
        guard NameList.hasRepeats(names) else { return }
        var first: [String: SourceRange] = [:]
        for (field, name) in zip(fields, names) {
            if let earlier = first[name] {
                report(
                    .duplicateWireName, "two fields have the wire name `\(field.wireName)`",
                    at: field.declaredWireName?.range ?? field.name.range,
                    notes: [DiagnosticNote("the first", at: earlier)], help: "rename one, or give it another `wire:`")
            } else {
                first[name] = field.name.range
            }
        }
    }

    private mutating func checked(_ field: FieldDefinition, in place: FieldPlace) -> FieldDefinition {
        var type = field.type.unwrapped
        if case .named = type {
            guard let expanded = expanded(type)?.unwrapped else { return field }
            type = expanded
        }
        checkPlace(field, type, place)
        guard field.hasOptions, let options = field.options else { return field }
        checkOptions(field, type, place)
        check(options.constraints, fit: field.type, at: field.name.range)
        guard let value = options.defaultValue else { return field }
        let checked = checkedDefault(value, type, field.name.value)
        if let checked { checkDefault(checked, keeps: constraints(of: field), of: field.name.value, type) }
        return field.defaulting(to: checked)
    }

    /// A field's own constraints and those of the aliases that its type goes through.
    private func constraints(of field: FieldDefinition) -> [Constraints] {
        [field.constraints] + aliases.constraints(of: field.type.unwrapped)
    }

    /// A default that breaks a constraint would fail every request that leaves the field out.
    private mutating func checkDefault(
        _ value: Located<DefaultValue>, keeps all: [Constraints], of name: String, _ type: TypeReference
    ) {
        for constraints in all where !constraints.isEmpty {
            let problem: String? =
                switch value.value {
                case .string(let text): trial.problem(ofText: text, constraints)
                case .number(let text): trial.problem(ofNumber: text, constraints)
                case .emptyList, .emptyMap: trial.problem(ofElements: 0, constraints)
                case .text, .bool, .enumCase: nil
                }
            guard let problem else { continue }
            report(
                .invalidDefault, "the default of `\(name)` does not fulfill its constraint: \(problem)",
                at: value.range,
                help: "write a default that fulfills it, or make the field optional")
            return
        }
    }

    // MARK: Places

    private mutating func checkPlace(_ field: FieldDefinition, _ type: TypeReference, _ place: FieldPlace) {
        if case .primitive(.file) = type, !place.isMultipart {
            report(
                .misplacedFile, "a `file` is only valid in a multipart body", at: field.typeRange,
                help: "write `body: {encoding: multipart, fields: …}`, or use `bytes`")
            return
        }
        if let contentType = field.contentType, !place.isMultipart {
            report(
                .conflictingKeys, "`contentType` is only valid in a multipart body", at: contentType.range,
                help: "remove `contentType`")
        }
        switch place {
        case .payload: refuseFile(type, at: field.typeRange)
        case .header where field.joining != nil: checkHeaderName(field)
        case .path:
            if !isScalar(type), !isListOfScalars(type) {
                report(
                    .invalidParameterType,
                    "a path parameter must be a single value or a list of them, and `\(field.type.spelling)` is neither",
                    at: field.typeRange,
                    help: "use a `string`, a number, a `bool`, a date, a `uuid`, an enum, or a list of these")
            }
            if field.type.isOptional {
                report(
                    .invalidParameterType, "a path parameter cannot be optional", at: field.typeRange,
                    help: "remove the `?`, or write two endpoints")
            }
        case .header:
            if !isScalar(type) {
                report(
                    .invalidParameterType, "a header must be a single value, and `\(field.type.spelling)` is not",
                    at: field.typeRange,
                    help: type.isList
                        ? "write `joined: commas` for one text with commas between the values"
                        : "use a `string`, a number, a `bool`, a date, a `uuid` or an enum")
            }
            checkHeaderName(field)
        case .cookie:
            if !isScalar(type) {
                report(
                    .invalidParameterType,
                    "a cookie must be a single value, and `\(field.type.spelling)` is not", at: field.typeRange,
                    help: "use a `string`, a number, a `bool`, a date, a `uuid` or an enum")
            }
            checkHeaderName(field, "a cookie")
        case .responseHeader:
            checkResponseHeader(field, type)
            checkHeaderName(field)
        case .form: checkFormField(field, type)
        case .multipart(let nesting): checkPart(field, type, nesting)
        case .query:
            if !isScalar(type), !isListOfScalars(type) {
                report(
                    .invalidParameterType,
                    "a query parameter must be a single value or a list of them, and `\(field.type.spelling)` is neither",
                    at: field.typeRange, help: "send it in the body")
            }
        }
    }

    private mutating func checkHeaderName(_ field: FieldDefinition, _ what: String = "a header") {
        if HeaderText.isName(field.wireName) { return }
        report(
            .invalidHeader, "`\(field.wireName)` cannot be the name of \(what)",
            at: field.declaredWireName?.range ?? field.name.range,
            help: "use letters, digits and `-`, or give the field a `wire:` name")
    }

    /// Whether it is one value that has a text form: no list, map, structure, union or JSON.
    func isScalar(_ type: TypeReference) -> Bool {
        switch type {
        case .primitive(let primitive): return primitive != .json && primitive != .file
        case .named(let name):
            guard let definition = self.type(name.value) else { return true }  // unknown types are reported elsewhere
            if case .enumeration = definition.form { return true }
            if case .alias(let target, _) = definition.form, let target = expanded(target) {
                return isScalar(target.unwrapped)
            }
            return false
        case .optional, .list, .map: return false
        }
    }

    func isListOfScalars(_ type: TypeReference) -> Bool {
        guard case .list(let element) = type, let element = expanded(element) else { return false }
        return isScalar(element)
    }

    mutating func refuseFile(_ type: TypeReference, at range: SourceRange) {
        switch type {
        case .primitive(.file):
            report(.misplacedFile, "a `file` is only valid in a multipart body", at: range, help: "use `bytes` here")
        case .list(let inner), .map(let inner), .optional(let inner): refuseFile(inner, at: range)
        case .primitive, .named: break
        }
    }

    // MARK: Constraints

    mutating func check(_ constraints: Constraints, fit type: TypeReference, at range: SourceRange) {
        if let format = constraints.format { check(format, fits: type) }
        guard !constraints.isEmpty, let type = expanded(type.unwrapped)?.unwrapped else { return }
        let primitive: Primitive? = if case .primitive(let primitive) = type { primitive } else { nil }
        func refuse(_ key: String, _ place: SourceRange, _ help: String) {
            report(.conflictingKeys, "`\(key)` is not valid for a `\(type.spelling)`", at: place, help: help)
        }
        if let bounds = constraints.range, primitive?.isNumber != true {
            refuse("range", bounds.range, "remove it; only numbers have a range")
        }
        if let bounds = constraints.length, primitive != .string, primitive != .bytes {
            refuse("length", bounds.range, "remove it; only texts and bytes have a length")
        }
        if let pattern = constraints.pattern, primitive != .string {
            refuse("pattern", pattern.range, "remove it; only texts have a pattern")
        }
        if let bounds = constraints.items {
            switch type {
            case .list, .map: break
            default: refuse("items", bounds.range, "remove it; only lists and maps have elements")
            }
        }
        if let bounds = constraints.range, primitive == .decimal,
            [bounds.value.lower, bounds.value.upper].contains(where: {
                NumberText.digits(of: $0 ?? "") > NumberText.mostDecimalDigits
            })
        {
            report(
                .invalidValue, "a `decimal` can have at most \(NumberText.mostDecimalDigits) digits", at: bounds.range)
        }
        if let bounds = constraints.range, primitive?.isInteger == true,
            [bounds.value.lower, bounds.value.upper].contains(where: {
                $0.map { NumberText.integer($0) == nil } ?? false
            })
        {
            report(
                .invalidValue, "the range of a `\(type.spelling)` must have integers as its ends", at: bounds.range
            )
        }
    }

    // MARK: Defaults

    private mutating func checkedDefault(_ value: Located<DefaultValue>, _ type: TypeReference, _ name: String)
        -> Located<DefaultValue>?
    {
        func refuse(_ help: String, fix: Fix? = nil) -> Located<DefaultValue>? {
            report(
                .invalidDefault, "the default of `\(name)` does not fit `\(type.spelling)`", at: value.range,
                help: help, fix: fix)
            return nil
        }
        switch (type, value.value) {
        case (.list, .emptyList): return value
        case (.map, .emptyMap), (.map, .emptyList): return value.map { _ in .emptyMap }
        case (.list, _): return refuse("write `[]`, the only default that a list can have")
        case (.map, _): return refuse("write `[:]`, the only default that a map can have")
        case (.named(let reference), .text(let text, _)):
            guard case .enumeration(let definition)? = self.type(reference.value)?.form else {
                return refuse("only texts, numbers, Booleans, enums, lists and maps can have defaults")
            }
            if definition.cases.contains(where: { $0.name.value == text }) { return value.map { _ in .enumCase(text) } }
            let near = NearSpelling(of: text, among: definition.cases.map(\.name.value))
            // The blank after `=` is a part of the default's place.
            let blanks = value.range.end.offset - value.range.start.offset - text.utf8.count
            return refuse(
                near.map { "did you mean `\($0.candidate)`?" }
                    ?? "its cases are \(definition.cases.map { "`\($0.name.value)`" }.joined(separator: ", "))",
                fix: near.flatMap { near in
                    (0...1).contains(blanks)
                        ? Fix(
                            title: "write `\(near.candidate)`", applicability: .needsALook,
                            edits: [
                                Fix.Edit(
                                    replacing: value.range,
                                    with: String(repeating: " ", count: blanks) + near.candidate)
                            ]) : nil
                })
        case (.primitive(.string), .text("null", false)), (.primitive(.string), .text("nil", false)),
            (.primitive(.string), .text("~", false)):
            return refuse(
                "remove the default, because an optional is nil without one; for the word itself, write it in quotes")
        case (.primitive(.string), .text(let text, _)): return value.map { _ in .string(text) }
        case (.primitive(.bool), .text(let text, false)):
            return text == "true" || text == "false"
                ? value.map { _ in .bool(text == "true") } : refuse("write `true` or `false`")
        case (.primitive(let primitive), .text(let text, false)) where primitive.isNumber:
            if primitive == .decimal, NumberText.digits(of: text) > NumberText.mostDecimalDigits {
                return refuse("a `decimal` can have at most \(NumberText.mostDecimalDigits) digits")
            }
            return fits(text, primitive) ? value.map { _ in .number(text) } : refuse("write a plain number such as `1`")
        case (.primitive(let primitive), .text) where primitive.isNumber || primitive == .bool:
            return refuse("write it without quotes")
        default: return refuse("only texts, numbers, Booleans, enums, lists and maps can have defaults")
        }
    }

    private func fits(_ text: String, _ primitive: Primitive) -> Bool {
        switch primitive {
        case .int32: NumberText.integer(text).map { Int32(exactly: $0) != nil } ?? false
        case .uint: UInt(text).map { String($0) == text } ?? false
        case .int, .int64: NumberText.integer(text) != nil
        default: NumberText.isDecimal(text)
        }
    }
}
