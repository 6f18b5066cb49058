import ContractChecks
import ContractModel
import Diagnostics
import SwiftEmitter

/// Every mapping of `errand.yaml` with its keys; the decoder refuses what is not in it, and the schema is made from it.
package enum ConfigurationKeys {
    package static let configuration = MappingDescription(
        "configuration", "a configuration",
        [
            .optional(
                "contracts", .oneOrMore(.form(.nonEmpty), atLeast: 1), "contract files, and folders with contracts"),
            .optional("output", .form(.nonEmpty), "folder for the generated code"),
            .optional(
                "access", .words(of: AccessLevel.self),
                "access level of generated declarations: `public` (default), `package` or `internal`"),
            .optional(
                "conformances", .oneOrMore(.words(of: ModelConformance.self)),
                "further protocols that generated models conform to"),
            .optional(
                "imports", .oneOrMore(.form(.nonEmpty)),
                "further modules that every generated file imports"),
            .optional(
                "protocol", .flag,
                "`true`: each client gets a protocol of its methods, such as `Bank.Calls`, for mocks"),
            .optional(
                "endpoints",
                .either(.oneOrMore(.form(.nonEmpty), atLeast: 1), .named(.oneOrMore(.form(.nonEmpty), atLeast: 1))),
                "endpoints to generate, with the types that they need: a list, or service → list"),
            .optional(
                "names", .named(.definition("names")),
                "service → Swift names, for contracts that you cannot change"),
            .optional(
                "templates", .form(.nonEmpty), "folder with Mustache templates that replace built-in ones"),
            .optional(
                "texts", .oneOrMore(.form(.nonEmpty)),
                "files with the texts of errors, which `errand texts` writes and `errand lint` compares"),
            .optional("docs", .definition("docs"), "what `errand docs` writes"),
            .optional(
                "allow", .oneOrMore(.form(.nonEmpty)),
                "folders of the same repository whose files contracts may import, and documents refer to"),
            .optional("limits", .definition("limits"), "sizes of contracts"),
            .optional(
                "lint", .definition("lint"), "severities of lint rules, and of findings about changes and recordings"),
        ])

    package static let docs = MappingDescription(
        "docs", "`docs`",
        [
            .optional("output", .form(.nonEmpty), "folder of the site"),
            .optional(
                "templates", .form(.nonEmpty), "folder with Mustache templates of pages that replace built-in ones"),
        ])

    package static let limits = MappingDescription(
        "limits", "`limits`",
        [
            .optional(
                "file-size", .integer(1...SizeLimits.mostConfiguredMegabytes),
                "largest contract in MiB (default \(SizeLimits.usualMegabytes))"),
            .optional(
                "endpoints", .integer(1...SizeLimits.mostConfiguredEndpoints),
                "most endpoints of all contracts (default \(SizeLimits.usualEndpoints))"),
        ])

    package static let lint = MappingDescription(
        "lint", "`lint`",
        [
            .optional("rules", .definition("levels"), "rule, or kind of a change → severity"),
            .optional(
                "paths", .named(.definition("levels")),
                "contract or folder → rules; the last entry with a rule applies"),
            .optional(
                "fail-on", .words(of: Severity.self),
                "lowest severity that fails `errand lint` (default `warning`) and a build (default `error`)"
            ),
        ])

    /// The keys of one service in `names`.
    static let names = MappingDescription(
        "names", "`names` of a service",
        SwiftNames.Kind.allCases.map { kind in
            .optional(kind.rawValue, .named(.form(.nonEmpty)), "name in the contract → name in Swift")
        })

    /// The configuration as a JSON Schema (draft 2020-12).
    package static var schema: ReportValue {
        var pairs: ShapeSchema.Pairs = [
            ("$schema", .text(ShapeSchema.dialect)), ("title", .text("Errand configuration")),
            ("description", .text("The contracts of a project and the settings for generated code.")),
        ]
        pairs += ShapeSchema.mapping(configuration)
        return .object(
            pairs + [
                (
                    "$defs",
                    .object([
                        (TextForm.nonEmpty.rawValue, ShapeSchema.form(.nonEmpty)),
                        ("lint", .object(ShapeSchema.mapping(lint))), ("levels", .object(levels)),
                        ("docs", .object(ShapeSchema.mapping(docs))),
                        ("limits", .object(ShapeSchema.mapping(limits))),
                        ("names", .object(ShapeSchema.mapping(names))),
                    ])
                )
            ])
    }

    /// Rule → how much it weighs, with what the rule is about.
    private static var levels: ShapeSchema.Pairs {
        let words = ShapeSchema.shape(.words(of: RuleSettings.Level.self))
        return [
            ("type", .text("object")),
            (
                "properties",
                .object(
                    FindingPages.withSeverities.map { rule in
                        (
                            rule.name,
                            .object([
                                ("description", .text(rule.summary)), ("allOf", .list([words])),
                                ("default", .text(rule.severity.rawValue)),
                            ])
                        )
                    })
            ),
            ("additionalProperties", .flag(false)),
        ]
    }
}
