import ContractChecks
import ContractModel
import Diagnostics
import SwiftEmitter

/// Every mapping of `errand.yaml` with its keys; the decoder refuses what is not in it, and the schema is made from it.
package enum ConfigurationKeys {
    package static let configuration = MappingDescription(
        "a configuration",
        [
            .optional(
                "contracts", .oneOrMore(.form(.nonEmpty), atLeast: 1), "contract files, and folders with contracts"),
            .optional("output", .form(.nonEmpty), "the folder that generated code is written into"),
            .optional(
                "access", .words(of: AccessLevel.self),
                "who may use generated declarations: `public` (default), `package` or `internal`"),
            .optional(
                "conformances", .oneOrMore(.words(of: ModelConformance.self)),
                "what generated models conform to beside what they need"),
            .optional(
                "imports", .oneOrMore(.form(.nonEmpty)),
                "modules that every generated file imports beside those that it needs"),
            .optional(
                "protocol", .flag,
                "whether each client gets a protocol of its methods, `Bank.Calls`, to be mocked by hand"),
            .optional(
                "endpoints",
                .either(.oneOrMore(.form(.nonEmpty), atLeast: 1), .named(.oneOrMore(.form(.nonEmpty), atLeast: 1))),
                "the endpoints that are generated, with all that they need: a list, or service → list"),
            .optional(
                "names", .named(.definition("names")),
                "service → what things are called in Swift, where the contract may not be changed"),
            .optional(
                "templates", .form(.nonEmpty), "a folder with Mustache templates that take the place of built-in ones"),
            .optional("lint", .definition("lint"), "how much rules weigh, and where"),
        ])

    package static let lint = MappingDescription(
        "`lint`",
        [
            .optional("rules", .definition("levels"), "rule → how much it weighs"),
            .optional(
                "paths", .named(.definition("levels")),
                "a contract or a folder of them → rules; the last one that names a rule wins"),
            .optional(
                "fail-on", .words(of: Severity.self),
                "the least severity that fails `errand lint` and stops a build: `warning` for the former (default), `error` for the latter"
            ),
        ])

    /// What `names` says of one service.
    static let names = MappingDescription(
        "`names` of a service",
        SwiftNames.Kind.allCases.map { kind in
            .optional(kind.rawValue, .named(.form(.nonEmpty)), "name in the contract → name in Swift")
        })

    /// The configuration as a JSON Schema (draft 2020-12).
    static var schema: ReportValue {
        var pairs: ShapeSchema.Pairs = [
            ("$schema", .text(ShapeSchema.dialect)), ("title", .text("Errand configuration")),
            ("description", .text("Which contracts a project has, and what is made of them.")),
        ]
        pairs += ShapeSchema.mapping(configuration)
        return .object(
            pairs + [
                (
                    "$defs",
                    .object([
                        (TextForm.nonEmpty.rawValue, ShapeSchema.form(.nonEmpty)),
                        ("lint", .object(ShapeSchema.mapping(lint))), ("levels", .object(levels)),
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
                    FindingPages.ofRules.map { rule in
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
