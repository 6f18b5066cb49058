import Diagnostics

/// The contract language as a JSON Schema (draft 2020-12), made from the description that the decoder uses.
///
/// It says of one file what can be said without knowing names and other files; `errand lint` says the rest.
package enum ContractSchema {
    package static var value: ReportValue {
        var pairs: ShapeSchema.Pairs = [
            ("$schema", .text(ShapeSchema.dialect)), ("title", .text("Errand contract")),
            ("description", .text("The endpoints of a service, its types, and its errors.")),
        ]
        pairs += ShapeSchema.mapping(LanguageKeys.contract)
        var definitions: ShapeSchema.Pairs = [("text", ShapeSchema.scalar)]
        definitions += TextForm.allCases.map { ($0.rawValue, ShapeSchema.form($0)) }
        definitions += ShapeSchema.contractForms
        definitions += LanguageKeys.reachable.dropFirst().map { ($0.name, .object(ShapeSchema.mapping($0))) }
        return .object(pairs + [("$defs", .object(definitions))])
    }
}

/// The forms of contracts that a shape doesn't describe further.
extension ShapeSchema {
    static var contractForms: Pairs {
        [
            ("typeText", .object(typeText(TextForm.type, "a type: `string`, `User?`, `[User]`, `[string: User]`"))),
            (
                "fieldType",
                .object(typeText(TextForm.typeWithDefault, "a type, with a default after `=`: `int = 1`"))
            ),
            ("fields", .object([("description", .text("name → field"))] + pairs(ofNamed: ValueShape.fields))),
            ("enumeration", .object(enumeration)), ("defaultValue", literal),
        ]
    }

    private static func typeText(_ pattern: String, _ meaning: String) -> Pairs {
        let map: ReportValue = .object([
            ("type", .text("object")), ("properties", .object([("string", definition("typeText"))])),
            ("required", texts(["string"])), ("additionalProperties", .flag(false)),
        ])
        return [
            ("description", .text(meaning)), ("type", texts(["string", "array"])),
            ("pattern", .text(pattern)),
            ("minItems", .number(1)), ("maxItems", .number(1)),
            ("items", .object(either(definition("typeText"), mapping: map))),
        ]
    }

    /// A list of texts, or names with values that are all integers or all texts. `true` and `null` are words here.
    private static var enumeration: Pairs {
        let word: ReportValue = .object([("type", texts(["string", "boolean", "null"]))])
        let number: ReportValue = .object([("type", .text("integer"))])
        func oneOrMore(_ value: ReportValue) -> ReportValue {
            .object([
                ("if", .object([("type", .text("array"))])),
                ("then", .object([("items", value), ("minItems", .number(1)), ("uniqueItems", .flag(true))])),
                ("else", value),
            ])
        }
        let text: ReportValue = .object([("type", texts(["string", "boolean"]))])
        let value: ReportValue = .object([
            (
                "anyOf",
                .list([
                    .object([("additionalProperties", oneOrMore(number))]),
                    .object([("additionalProperties", oneOrMore(text))]),
                ])
            )
        ])
        return [
            ("if", .object([("type", .text("object"))])),
            (
                "then",
                .object([
                    ("minProperties", .number(1)), ("propertyNames", .object([("minLength", .number(1))])),
                    ("allOf", .list([value])),
                ])
            ),
            (
                "else",
                .object([
                    ("type", .text("array")), ("minItems", .number(1)), ("uniqueItems", .flag(true)), ("items", word),
                ])
            ),
        ]
    }

    private static var literal: ReportValue {
        .object([
            (
                "anyOf",
                .list([
                    shape(.text), .object([("type", .text("array")), ("maxItems", .number(0))]),
                    .object([("type", .text("object")), ("maxProperties", .number(0))]),
                ])
            )
        ])
    }

    /// The test whether a mapping is the long form, then the one or the other.
    static func longForm(_ form: LongForm) -> Pairs {
        let mapping = form.mapping()
        var test: Pairs = [("anyOf", presence(of: form.marks))]
        if form.hasOnlyItsKeys {
            var proofs: [ReportValue] = [.object([("propertyNames", .object([("enum", texts(mapping.names))]))])]
            if let mark = form.marks.first, !form.certainWords.isEmpty {
                let word: ReportValue = .object([("enum", texts(form.certainWords))])
                proofs.append(.object([("properties", .object([(mark, word)]))]))
            }
            test.append(("allOf", .list([.object([("anyOf", .list(proofs))])])))
        }
        var pairs: Pairs = [
            ("type", .text("object")), ("if", .object(test)), ("then", shape(.mapping { mapping })),
            ("else", definition("fields")),
        ]
        // `{200: Item}` would be a structure with a field `200`.
        if form.refusesStatuses {
            pairs.append(("patternProperties", .object([("^[1-5]([0-9][0-9]|XX)$", .flag(false))])))
        }
        return pairs
    }

    static func definition(_ name: String) -> ReportValue { shape(.definition(name)) }

    private static func pairs(ofNamed shape: ValueShape) -> Pairs {
        guard case .object(let pairs) = self.shape(shape) else { return [] }
        return pairs
    }
}
