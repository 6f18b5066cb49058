import ContractModel
import Diagnostics

// Schemas of single values: texts, numbers, enums, constants, and what bounds them.
extension TypePlanner {
    func scalar(_ type: String, _ view: SchemaView, _ place: Element) -> TypeUse {
        switch type {
        case "string": return text(view, place)
        case "boolean":
            loseFormat(view)
            loseBounds(view, except: [], "a bool")
            return TypeUse(type: .word("bool"))
        default: return number(type, view)
        }
    }

    private func text(_ view: SchemaView, _ place: Element) -> TypeUse {
        var use = TypeUse(type: .word("string"))
        var word = "string"
        switch view.format?.text {
        case "date-time", "date": (word, use.constraints.format) = instant(view)
        case "uuid": word = "uuid"
        case "uri", "url": word = "url"
        case "byte": word = "bytes"
        case "binary": word = "file"
        case "password": use.isSensitive = true
        case "int-or-string":
            // Kubernetes says `type: string` there, and sends integers, too.
            return lost("a value of the format `int-or-string` is a number or a text", view.format?.place ?? place)
        case "decimal", nil: break
        default: loseFormat(view)
        }
        if view.format == nil, view.contentEncoding == "base64" { word = "bytes" }
        use.type = .word(word)
        guard word == "string" else {
            loseBounds(view, except: [], "a `\(word)`")
            return use
        }
        use.constraints.length = counts(of: view, "minLength", "maxLength")
        if use.constraints.length?.value == .init(lower: "0", upper: nil) { use.constraints.length = nil }
        if let pattern = view.bounds["pattern"], let text = pattern.text {
            let whole = ConstraintText.wholeText(text)
            if let problem = PatternText.problem(of: whole) {
                findings.add(.openAPIConstraintLost, "the pattern is left out: \(problem)", at: pattern)
            } else {
                use.constraints.pattern = Located(whole)
            }
        }
        loseBounds(view, except: ["minLength", "maxLength", "pattern"], "a text")
        return use
    }

    private func number(_ type: String, _ view: SchemaView) -> TypeUse {
        var word = type == "integer" ? "int" : "double"
        switch view.format?.text {
        case "int32": word = "int32"
        case "int64": word = "int64"
        case "uint64", "uint32", "uint": word = type == "integer" ? "uint" : word
        case "unix-time", "unixtime": word = "timestamp(unix)"
        case "float": word = "float"
        case "double", nil: break
        case "decimal": word = "decimal"
        default: loseFormat(view)
        }
        var use = TypeUse(type: .word(word))
        guard !word.hasPrefix("timestamp") else {
            loseBounds(view, except: [], "a point in time")
            return use
        }
        let isWhole = word.hasPrefix("int") || word == "uint"
        use.constraints.range = range(view, isWhole: isWhole, isUnsigned: word == "uint")
        loseBounds(view, except: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"], "a number")
        return use
    }

    /// The patterns that .NET 10 gives its numbers, with and without a sign.
    private static let digits = [#"^-?(?:0|[1-9]\d*)$"#, #"^(?:0|[1-9]\d*)$"#]
    private static let fraction = #"^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$"#

    private static let numericFormats: Set<String> = ["int32", "int64", "uint32", "uint64", "float", "double"]

    /// The type of a number that .NET 10 also reads from a text of digits: it says `[integer, string]`, or no type in OpenAPI 3.0, and
    /// writes a number. Nil for anything else.
    func numberOfDigits(_ view: SchemaView) -> String? {
        let pattern = view.bounds["pattern"]?.text
        let isFraction = pattern == Self.fraction
        let isNumber = isFraction || pattern.map(Self.digits.contains) == true
        let format = view.format?.text ?? ""
        switch Set(view.types) {
        case ["integer", "string"], ["number", "string"]:
            guard isNumber else { return nil }
        case [] where view.properties.isEmpty && view.additional.isEmpty && view.items.isEmpty:
            guard isNumber || pattern == nil && Self.numericFormats.contains(format) else { return nil }
        default: return nil
        }
        return isFraction || format == "float" || format == "double" || view.types.contains("number")
            ? "number" : "integer"
    }

    private func range(_ view: SchemaView, isWhole: Bool, isUnsigned: Bool) -> Located<Constraints.Bounds>? {
        let lower = end(view, "minimum", exclusive: "exclusiveMinimum", step: 1, isWhole: isWhole)
        let upper = end(view, "maximum", exclusive: "exclusiveMaximum", step: -1, isWhole: isWhole)
        if isUnsigned, upper == nil, lower == "0" { return nil }
        return ConstraintText.bounds(lower, upper)
    }

    /// One end of a range; exclusive ends of integers are the next number.
    private func end(
        _ view: SchemaView, _ key: String, exclusive exclusiveKey: String, step: Int, isWhole: Bool
    ) -> String? {
        let exclusive = view.bounds[exclusiveKey]
        let isFlag = exclusive?.text == "true" || exclusive?.text == "false"
        let isExclusive = exclusive != nil && exclusive?.text != "false"
        guard let place = isFlag || exclusive == nil ? view.bounds[key] : exclusive, let text = place.text else {
            return nil
        }
        guard let number = ConstraintText.number(text, isWhole: isWhole) else {
            findings.add(.openAPIConstraintLost, "a range cannot have the number of `\(place.name)`", at: place)
            return nil
        }
        guard isExclusive else { return number }
        guard isWhole, let value = Int(number), value != Int.max, value != Int.min else {
            findings.add(
                .openAPIConstraintLost,
                "a range of fractions cannot exclude its end, so it includes `\(number)`",
                at: place)
            return number
        }
        return String(value + step)
    }

    // MARK: Constants and enums

    func constant(_ value: Element, _ view: SchemaView) -> TypeUse {
        switch value.scalarKind {
        case .text?: return constant(.text, value.text ?? "", at: value)
        case .bool?: return constant(.bool, value.text ?? "", at: value)
        case .whole?: return constant(.whole, value.text ?? "", at: value)
        case .fraction?: return constant(.fraction, value.text ?? "", at: value)
        case .null?: return TypeUse(type: .word("json"), isNullable: true)
        case nil: return lost("a contract cannot have an object or a list as a constant", value)
        }
    }

    /// The type of a value that is always the same.
    private func constant(_ kind: Element.ScalarKind, _ text: String, at place: Element) -> TypeUse {
        switch kind {
        case .text, .null:
            var use = TypeUse(type: .word("string"))
            use.constant = .text(text, isQuoted: true)
            return use
        case .bool:
            var use = TypeUse(type: .word("bool"))
            use.constant = .text(text, isQuoted: false)
            return use
        case .whole, .fraction:
            var use = TypeUse(type: .word(kind == .whole ? "int" : "double"))
            if let number = ConstraintText.number(text, isWhole: kind == .whole) {
                use.constant = .text(number, isQuoted: false)
            } else {
                findings.add(.openAPIConstraintLost, "the constant `\(text)` is left out", at: place)
            }
            return use
        }
    }

    /// The values of an enum; nil if the schema has none, or is a list or an object, which equals none of an enum's texts and
    /// numbers.
    func allowedValues(of view: SchemaView, at place: Element) -> [Element]? {
        guard view.values != nil, view.types == ["array"] || view.types == ["object"] else { return view.values }
        findings.add(
            .openAPIConstraintLost,
            "`enum` of a \(view.types == ["array"] ? "list" : "map") is left out, because contracts have enums of texts and of integers only",
            at: place)
        return nil
    }

    /// - Parameter names: the names of the values, if the document has one for each of them.
    func enumeration(
        _ values: [Element], _ view: SchemaView, at place: TypePlace, names given: [String]? = nil
    ) -> TypeUse {
        let isText = view.types == ["string"] || view.types.isEmpty
        var kinds = Set<Element.ScalarKind>()
        var texts: [String] = []
        var seen = Set<String>()
        for value in values {
            guard var kind = value.scalarKind, let text = value.text else {
                return lost("a contract cannot have an enum of objects or lists", value)
            }
            if kind == .null, !(isText && !view.types.isEmpty && text == "null" && !value.isNull) { continue }
            kind = self.kind(of: text, kind, view)
            kinds.insert(kind)
            if seen.insert(text).inserted { texts.append(text) }
        }
        if kinds == [.whole, .fraction] { kinds = [.fraction] }
        guard let kind = kinds.first else { return TypeUse(type: .word("json"), isNullable: true) }
        guard kinds.count == 1 else {
            return lost("a contract cannot have an enum with values of several types", place.schema)
        }
        if kind == .bool {
            return texts.count == 1 ? constant(.bool, texts[0], at: place.schema) : TypeUse(type: .word("bool"))
        }
        if kind == .fraction {
            findings.add(
                .openAPIConstraintLost, "an enum of fractions becomes a `double` with any value", at: place.schema)
            return TypeUse(type: .word("double"))
        }
        let names = given ?? view.valueNames?.items.compactMap(\.text) ?? []
        let known = names.count == texts.count ? names : nil
        if texts.count == 1, kind == .text && place.entry == nil || kind == .whole && known == nil {
            return constant(kind, texts[0], at: place.schema)
        }
        let entry = entry(at: place)
        entry.form = .enumeration(
            EnumDefinition(values: texts, isNumeric: kind == .whole, names: known),
            areNamesMade: kind == .whole && known == nil)
        if place.entry == nil { entry.doc = nil }
        return TypeUse(type: .named(entry.number))
    }

    /// The kind of an enum's value. The type of the schema decides about a number in quotes, and about a text without them.
    private func kind(of text: String, _ kind: Element.ScalarKind, _ view: SchemaView) -> Element.ScalarKind {
        switch view.types {
        case ["string"]: return .text
        case ["integer"] where kind == .text: return Int(text).map(String.init) == text ? .whole : kind
        case ["number"] where kind == .text:
            return Double(text) == nil ? kind : Int(text).map(String.init) == text ? .whole : .fraction
        case ["boolean"] where kind == .text: return text == "true" || text == "false" ? .bool : kind
        default: return kind
        }
    }

    // MARK: Defaults

    /// Gives a field its default, if the language supports it.
    func setDefault(_ field: inout PlannedField, _ value: Element, _ use: TypeUse) {
        if value.isNull { return }
        field.documentedDefault = DocumentedDefault(value: value)
        guard !use.isNullable else {
            return loseDefault(&field, "an optional is nil without a default")
        }
        switch (field.type, value.node.kind) {
        case (.list, .sequence) where value.items.isEmpty: field.defaultValue = .emptyList
        case (.map, .mapping) where value.entries.isEmpty: field.defaultValue = .emptyMap
        case (.word(let word), .scalar): setDefault(&field, word, value)
        case (.named(let number), .scalar):
            guard case .enumeration(let definition, _) = entries[number].form, let text = value.text,
                let item = definition.cases.first(where: { $0.wireValue.value == text })
            else {
                guard case .alias(.word(let word), let constraints) = entries[number].form, constraints.isEmpty else {
                    return loseDefault(&field, "it is not one of the values")
                }
                return setDefault(&field, word, value)
            }
            field.defaultValue = .text(item.name.value, isQuoted: false)
        default: loseDefault(&field, "the only default of a list, a map or an object is the empty one")
        }
    }

    private func setDefault(_ field: inout PlannedField, _ word: String, _ value: Element) {
        guard let text = value.text else { return }
        switch word {
        case "string":
            var trial = ConstraintTrial()
            if !field.constraints.isEmpty, trial.problem(ofText: text, field.constraints) != nil {
                return loseDefault(&field, "it does not fulfill the constraints of the field")
            }
            field.defaultValue = .text(text, isQuoted: true)
        case "bool":
            if text == "true" || text == "false" {
                field.defaultValue = .text(text, isQuoted: false)
            } else {
                loseDefault(&field, "it is not a Boolean")
            }
        case "int", "int32", "int64", "uint", "double", "float", "decimal":
            let isWhole = word.hasPrefix("int") || word == "uint"
            guard let number = ConstraintText.number(text, isWhole: isWhole), word != "uint" || !number.hasPrefix("-"),
                word != "int32" || Int32(number) != nil
            else { return loseDefault(&field, "it is not a `\(word)`") }
            guard ConstraintTrial().problem(ofNumber: number, field.constraints) == nil else {
                return loseDefault(&field, "it does not fulfill the constraints of the field")
            }
            field.defaultValue = .text(number, isQuoted: false)
        default: loseDefault(&field, "a `\(word)` cannot have a default")
        }
    }

    private func loseDefault(_ field: inout PlannedField, _ problem: String) {
        field.documentedDefault?.problem = problem
    }
}

/// The bounds of a document as those of a contract.
enum ConstraintText {
    static func bounds(_ lower: String?, _ upper: String?) -> Located<Constraints.Bounds>? {
        guard lower != nil || upper != nil else { return nil }
        let lower = lower.flatMap { number($0, isWhole: false) }
        let upper = upper.flatMap { number($0, isWhole: false) }
        guard lower != nil || upper != nil else { return nil }
        if let lower, let upper, lower != upper, (Double(lower) ?? 0) >= (Double(upper) ?? 0) { return nil }
        return Located(Constraints.Bounds(lower: lower, upper: upper))
    }

    /// A number in its plain spelling; `nil` if it can't be written that way.
    static func number(_ text: String, isWhole: Bool) -> String? {
        var text = text.hasPrefix("+") ? String(text.dropFirst()) : text
        if text.contains("."), !text.contains("e"), !text.contains("E") {
            while text.hasSuffix("0") { text.removeLast() }
            if text.hasSuffix(".") { text.removeLast() }
        }
        if let whole = Int(text) { return String(whole) }
        guard let value = Double(text) else { return nil }
        if let whole = Int(exactly: value), whole.magnitude < 1 << 53 { return String(whole) }
        guard !isWhole else { return nil }
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
        guard text.utf8.count <= 40, parts.count <= 2,
            parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
            parts[0].count == 1 || !parts[0].hasPrefix("0"), parts.joined().count <= 30
        else { return nil }
        return text
    }

    /// The pattern that matches a whole text if this one matches anywhere in it, as in JSON Schema.
    static func wholeText(_ pattern: String) -> String {
        let isOpen = pattern.contains("|")
        let starts = pattern.hasPrefix("^")
        let ends = pattern.hasSuffix("$") && !pattern.hasSuffix("\\$")
        if starts, ends, !isOpen { return pattern }
        if isOpen {
            // `^(a|b)$` has its alternatives in brackets.
            if starts, ends, isGrouped(pattern.dropFirst().dropLast()) { return pattern }
            return "[\\s\\S]*(?:\(pattern))[\\s\\S]*"
        }
        return (starts ? pattern : "[\\s\\S]*" + pattern) + (ends ? "" : "[\\s\\S]*")
    }

    /// Whether every `|` is inside brackets.
    private static func isGrouped(_ pattern: Substring) -> Bool {
        var depth = 0
        var isClass = false
        var isEscaped = false
        for letter in pattern {
            if isEscaped {
                isEscaped = false
                continue
            }
            switch letter {
            case "\\": isEscaped = true
            case "[" where !isClass: isClass = true
            case "]" where isClass: isClass = false
            case "(" where !isClass: depth += 1
            case ")" where !isClass: depth -= 1
            case "|" where !isClass && depth == 0: return false
            default: break
            }
        }
        return true
    }
}
