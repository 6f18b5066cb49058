import Diagnostics

/// JSON Schema (draft 2020-12) of shapes and mappings. A part that occurs in several places is a `$ref` into `$defs`.
///
/// The type of a scalar follows the core schema of YAML 1.2, so that text may also be a number or a boolean. An absent value is
/// `null` there, and refused.
package enum ShapeSchema {
    package typealias Pairs = [(key: String, value: ReportValue)]

    package static let dialect = "https://json-schema.org/draft/2020-12/schema"
    /// The types of a scalar that is taken as text.
    package static let scalar: ReportValue = .object([("type", texts(["string", "number", "boolean"]))])

    /// A mapping with its keys, those that it needs, and what they mean for each other.
    package static func mapping(_ description: MappingDescription) -> Pairs {
        let keys = description.keys
        var pairs: Pairs = [
            ("type", .text("object")),
            ("properties", .object(keys.map { ($0.name, property($0)) })),
            ("additionalProperties", .flag(false)),
        ]
        let required = keys.filter(\.isRequired).map(\.name)
        if !required.isEmpty { pairs.append(("required", texts(required))) }
        if !description.rules.isEmpty { pairs.append(("allOf", .list(description.rules.map(rule)))) }
        return pairs
    }

    package static func shape(_ shape: ValueShape) -> ReportValue { .object(pairs(of: shape)) }

    package static func texts(_ texts: [String]) -> ReportValue { .list(texts.map { .text($0) }) }

    /// Takes one schema for a mapping, and another for everything else, so that a message is about the one that was meant.
    package static func either(_ other: ReportValue, mapping: ReportValue) -> Pairs {
        [("if", .object([("type", .text("object"))])), ("then", mapping), ("else", other)]
    }

    package static func form(_ form: TextForm) -> ReportValue {
        var pairs: Pairs = [("description", .text(form.meaning))]
        if let numbers = form.numbers {
            pairs.append(
                (
                    "type",
                    texts(["string", numbers.isWhole ? "integer" : "number"] + (form.takesBooleans ? ["boolean"] : []))
                ))
            if let least = numbers.least { pairs.append(("minimum", .number(least))) }
            if let greatest = numbers.greatest { pairs.append(("maximum", .number(greatest))) }
            if !form.gaps.isEmpty {
                let gaps = form.gaps.map { gap in
                    ReportValue.object([
                        ("type", .text("integer")), ("minimum", .number(gap.lowerBound)),
                        ("maximum", .number(gap.upperBound)),
                    ])
                }
                pairs.append(("not", .object([("anyOf", .list(gaps))])))
            }
        } else {
            pairs.append(("type", .text("string")))
        }
        return .object(pairs + [("pattern", .text(form.pattern))])
    }

    private static func property(_ key: MappingDescription.Key) -> ReportValue {
        var pairs: Pairs = [("description", .text(key.meaning))]
        pairs += self.pairs(of: key.shape)
        // A meaning says "`stable` (default)" of the word that holds if the key is absent.
        if case .words(let words) = key.shape,
            let word = words.first(where: { key.meaning.contains("`\($0)` (default)") })
        {
            pairs.append(("default", .text(word)))
        }
        return .object(pairs)
    }

    private static func pairs(of shape: ValueShape) -> Pairs {
        switch shape {
        case .text: self.pairs(of: .definition("text"))
        case .form(let form): self.pairs(of: .definition(form.rawValue))
        case .words(let words):
            [("enum", .list(words.flatMap { word in Int(word).map { [.number($0), .text(word)] } ?? [.text(word)] }))]
        case .flag: [("type", .text("boolean"))]
        case .integer(let bounds):
            [
                ("type", .text("integer")), ("minimum", .number(bounds.lowerBound)),
                ("maximum", .number(bounds.upperBound)),
            ]
        case .oneOrMore(let element, let least):
            [
                ("if", .object([("type", .text("array"))])),
                ("then", .object([("items", self.shape(element)), ("minItems", .number(least))])),
                ("else", self.shape(element)),
            ]
        case .named(let value, let names, let least):
            [
                ("type", .text("object")),
                ("propertyNames", names.map { self.shape(.form($0)) } ?? .object([("minLength", .number(1))])),
                ("additionalProperties", self.shape(value)), ("minProperties", .number(least)),
            ]
        case .namedExcept(let names, let shape, let others, let areNeeded):
            [
                ("type", .text("object")), ("propertyNames", .object([("minLength", .number(1))])),
                ("properties", .object(names.map { ($0, self.shape(shape)) })),
                ("additionalProperties", self.shape(others)),
            ] + (areNeeded ? [("required", texts(names))] : [])
        case .either(let other, let mapping): either(self.shape(other), mapping: self.shape(mapping))
        case .mapping(let mapping): self.pairs(of: .definition(mapping().name))
        case .longForm(let form): longForm(form)
        case .type(let hasDefault, _): self.pairs(of: .definition(hasDefault ? "fieldType" : "typeText"))
        case .enumeration: self.pairs(of: .definition("enumeration"))
        case .literal: self.pairs(of: .definition("defaultValue"))
        case .definition(let name): [("$ref", .text("#/$defs/\(name)"))]
        case .anything: []
        }
    }

    private static func rule(_ rule: KeyRule) -> ReportValue {
        switch rule {
        case .required(let keys): .object([("required", texts(keys))])
        case .forbidden(let keys): .object([("properties", .object(keys.map { ($0, .flag(false)) }))])
        case .exactlyOne(let keys, let texts):
            .object([("oneOf", .list(keys.map { presence(of: $0, asText: texts.contains($0)) }))])
        case .atLeastOne(let keys): .object([("anyOf", presence(of: keys))])
        case .atMostOne(let keys):
            .object([
                (
                    "allOf",
                    .list(
                        keys.enumerated().flatMap { position, key in
                            keys[(position + 1)...].map {
                                .object([("not", .object([("required", texts([key, $0]))]))])
                            }
                        })
                )
            ])
        // `if` and not `dependentRequired`, which editors with an older draft pass over.
        case .explained(let rule, _): self.rule(rule)
        case .needs(let key, let other), .onlyWith(let key, let other):
            .object([("if", self.rule(.required([key]))), ("then", self.rule(.required([other])))])
        case .needsOne(let key, let others):
            .object([("if", self.rule(.required([key]))), ("then", self.rule(.atLeastOne(others)))])
        case .excludes(let key, let others):
            .object([("if", self.rule(.required([key]))), ("then", self.rule(.forbidden(others)))])
        case .where(let key, let words, let rules):
            .object([
                (
                    "if",
                    .object([
                        ("properties", .object([(key, .object([("enum", texts(words))]))])), ("required", texts([key])),
                    ])
                ),
                ("then", .object([("allOf", .list(rules.map(self.rule)))])),
            ])
        }
    }

    package static func presence(of keys: [String]) -> ReportValue {
        .list(keys.map { presence(of: $0, asText: false) })
    }

    private static func presence(of key: String, asText: Bool) -> ReportValue {
        let isPresent: (key: String, value: ReportValue) = ("required", texts([key]))
        guard asText else { return .object([isPresent]) }
        return .object([isPresent, ("properties", .object([(key, .object([("type", .text("string"))]))]))])
    }
}
