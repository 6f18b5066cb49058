import Diagnostics
import YAMLTree

/// The keys of `common`, and those of a common parameter in its long form, as written.
struct CommonKeys: Sendable {
    fileprivate var field: FieldKeys
    fileprivate var constant: Located<String>?
    fileprivate var each: Located<CommonParameter.Generated>?

    fileprivate init(name: Located<String>) { field = FieldKeys(name: name) }

    fileprivate init(_ parameter: CommonParameter, _ scope: PrintScope) {
        field = FieldKeys(parameter.field, scope)
        let place = parameter.field.name.range
        switch parameter.source {
        case .app: break
        case .constant(let text): constant = Located(text, at: place)
        case .each(let generated): each = Located(generated, at: place)
        }
        if let usualType, field.type == usualType { field.type = nil }
    }

    /// The type of a value that the app does not pass, without `type`.
    private var usualType: TypeReference? {
        if let each { return .primitive(each.value == .timestamp ? .timestamp : .uuid) }
        return constant == nil ? nil : .primitive(.string)
    }

    fileprivate func definition(_ decoder: inout ContractDecoder) -> CommonParameter? {
        guard let field = field.definition(&decoder, usualType: usualType) else { return nil }
        if let each, !each.value.fits(field.type) {
            decoder.report(
                .conflictingKeys,
                "`each: \(each.value.rawValue)` cannot create a value of type `\(field.type.spelling)`",
                at: field.typeRange,
                help: each.value == .timestamp
                    ? "write `timestamp`, `timestamp(unix)` or `timestamp(milliseconds)`" : "write `uuid`")
        }
        let source: CommonParameter.Source? =
            each.map { .each($0.value) } ?? constant.map { .constant($0.value) }
        return CommonParameter(field: field, source: source ?? .app)
    }

    // MARK: The tables

    static let common = LanguageMapping<CommonParameters>("common", "`common`", [query, headers, parameters])
    private static let query = LanguageKey<CommonParameters>(
        "query", \.query, .parameters, "fields in the query of every request")
    private static let headers = LanguageKey<CommonParameters>(
        "headers", \.headers, .parameters, "fields in the headers of every request")
    private static let parameters = LanguageKey<CommonParameters>(
        "parameters", \.parameters, .parameters, "fields in the query of GET, HEAD and DELETE and in the body otherwise"
    )

    private typealias Key = LanguageKey<CommonKeys>

    static let parameter = LanguageMapping<CommonKeys>(
        "commonField", "a common parameter", [const, eachKey] + FieldKeys.common.map { $0.of(\.field) },
        rules: [
            .atLeastOne(["type", "const", "each"]).explained(
                missing: "a common parameter needs `type`, `const` or `each`",
                add: "write `NAME: string`, `{const: text}` or `{each: uuid}`"),
            .atMostOne(["const", "each"]).explained(
                remove: "write only one of them; a value is either fixed or created for each request"),
            .excludes("const", ["default"]).explained(conflict: defaultWithoutEffect),
            .excludes("each", ["default"]).explained(conflict: defaultWithoutEffect),
            ConstraintKeys.zoneNeedsFormat,
        ])
    private static let const = Key("const", \.constant, .text, "fixed text that every request contains")
    private static let eachKey = Key(
        "each", \.each, .word,
        "value that is created for each request: `timestamp` (in the format of `type`) or `uuid`")

    private static let defaultWithoutEffect =
        "`default` has no effect with `const` or `each`, because the app does not pass the value"
}

extension Codec where Value == [CommonParameter] {
    /// Name → field, or a value that the app does not pass.
    fileprivate static var parameters: Codec {
        .named(
            .either(.type(hasDefault: true), .mapping { CommonKeys.parameter.description }),
            read: { decoder, name, node in
                guard node.mapping != nil else {
                    return decoder.field(name, node).map { CommonParameter(field: $0, source: .app) }
                }
                var keys = CommonKeys(name: name)
                return decoder.read(node, as: CommonKeys.parameter, into: &keys) ? keys.definition(&decoder) : nil
            }, name: { $0.field.name.value },
            write: { parameter, scope in
                FieldDefinition.shortened(CommonKeys.parameter.pairs(of: CommonKeys(parameter, scope), scope))
            })
    }
}
