import ContractChecks
import Diagnostics

/// Every id that a finding can have, with its page: those of the lint rules, and those of the other stages.
package enum FindingPages {
    /// The lint rules, which `errand.yaml` can set and a comment can ignore.
    package static let ofRules = sorted(RuleCatalog.all.map { $0.kind.page })

    /// The findings about files, contracts, templates and `errand.yaml`, and those of Swift generation.
    package static let ofStages = sorted(FindingKind.all.map(\.page))

    /// Those that `errand.yaml` can set: the rules, and what `errand diff` and `errand replay` find.
    static var withSeverities: [FindingPage] {
        sorted(ofRules + (FindingKind.consequences + FindingKind.kindsOfRecordings).map(\.page))
    }

    package static var all: [FindingPage] { sorted(ofRules + ofStages) }

    package static func page(of name: String) -> FindingPage? {
        if let rule = ofRules.first(where: { $0.name == name }) { return rule }
        return ofStages.first { $0.name == name }
    }

    /// The subjects of a lint rule.
    package static func tags(ofRule name: String) -> [String] {
        RuleCatalog.rule(named: name)?.tags.map(\.rawValue) ?? []
    }

    private static func sorted(_ pages: [FindingPage]) -> [FindingPage] { pages.sorted { $0.name < $1.name } }
}
