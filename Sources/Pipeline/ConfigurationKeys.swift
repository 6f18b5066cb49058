import ContractChecks
import ContractModel
import Diagnostics
import SwiftEmitter

/// Every mapping of `errand.yaml` with its keys; the decoder refuses what is not in it, and the schema is made from it.
package enum ConfigurationKeys {
    package static let configuration = MappingDescription("a configuration", [
        .optional("contracts", .oneOrMore(.form(.nonEmpty), atLeast: 1), "contract files, and folders with contracts"),
        .optional("output", .form(.nonEmpty), "the folder that generated code is written into"),
        .optional("access", .words(of: AccessLevel.self), "who may use generated declarations: `public` (default) or `package`"),
        .optional("conformances", .oneOrMore(.words(of: ModelConformance.self)), "what generated models conform to beside what they need"),
        .optional("templates", .form(.nonEmpty), "a folder with Mustache templates that take the place of built-in ones"),
        .optional("lint", .definition("lint"), "how much rules weigh, and where"),
    ])

    package static let lint = MappingDescription("`lint`", [
        .optional("rules", .definition("levels"), "rule → how much it weighs"),
        .optional("paths", .named(.definition("levels")), "a contract or a folder of them → rules; the last one that names a rule wins"),
    ])

    /// The configuration as a JSON Schema (draft 2020-12).
    static var schema: ReportValue {
        var pairs: ShapeSchema.Pairs = [
            ("$schema", .text(ShapeSchema.dialect)), ("title", .text("Errand configuration")),
            ("description", .text("Which contracts a project has, and what is made of them.")),
        ]
        pairs += ShapeSchema.mapping(configuration)
        return .object(pairs + [("$defs", .object([
            (TextForm.nonEmpty.rawValue, ShapeSchema.form(.nonEmpty)),
            ("lint", .object(ShapeSchema.mapping(lint))), ("levels", .object(levels)),
        ]))])
    }

    /// Rule → how much it weighs, with what the rule is about.
    private static var levels: ShapeSchema.Pairs {
        let words = ShapeSchema.shape(.words(of: RuleSettings.Level.self))
        return [
            ("type", .text("object")),
            ("properties", .object(RuleList.all.map { rule in
                (rule.name, .object([("description", .text(rule.summary)), ("allOf", .list([words])), ("default", .text(rule.severity.rawValue))]))
            })),
            ("additionalProperties", .flag(false)),
        ]
    }
}
