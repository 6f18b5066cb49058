import ContractModel
import Diagnostics

package enum ExampleDoesNotFit: LintRule {
    package static let kind = FindingKind(
        "example-does-not-fit",
        page: """
            An example that does not fit the types of its endpoint, or the type of its field: a missing or unknown field, a text in
            place of a number, or an invalid date.

            ## Why is this bad
            People copy examples, a simulated server sends them as responses, and backend developers often read no other part of
            a contract. An incorrect example spreads.

            ## Example
            ```yaml
            novel: {response: {title: Emma, pages: many}}
            ```
            ## Use instead
            ```yaml
            novel: {response: {title: Emma, pages: 474}}
            ```
            """)

    package static let tags: [RuleTag] = [.types]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        // The types are only looked up for a contract with examples.
        lazy var types = TypeLookup(subject.types)
        func add(_ fit: ExampleFit) {
            for problem in fit.problems {
                report.add(problem.message, at: problem.range, help: problem.help, fix: problem.fix)
            }
        }
        for field in subject.ownFields where field.example != nil {
            var fit = ExampleFit(types)
            fit.check(field)
            add(fit)
        }
        for endpoint in subject.endpoints {
            for example in endpoint.resolved.definition.examples {
                var fit = ExampleFit(types)
                check(example, endpoint, &fit)
                add(fit)
            }
        }
    }

    private static func check(_ example: ExampleDefinition, _ endpoint: LintedEndpoint, _ fit: inout ExampleFit) {
        let resolved = endpoint.resolved
        if let request = example.request {
            fit.check(
                request, parameters: resolved.textInputs, body: resolved.body, of: "the request of `\(endpoint.name)`")
        }
        if let response = example.response { check(response, endpoint, &fit) }
        for (name, value) in example.cases {
            let error = endpoint.errors.first { $0.name.value == name.value }.map(\.data)
            let outcome = resolved.outcomes.first { $0.name.value == name.value }.map(\.data)
            switch (error ?? outcome) ?? nil {
            case .fields(let fields)?: fit.check(value, fields: fields, of: "`\(name.value)`")
            case .type(let type, _)?: fit.check(value, type: type)
            case nil: break
            }
        }
    }

    private static func check(_ value: ExampleValue, _ endpoint: LintedEndpoint, _ fit: inout ExampleFit) {
        switch endpoint.resolved.response.value {
        case .fields(let fields): fit.check(value, fields: fields, of: "the response of `\(endpoint.name)`")
        case .type(let type, _, let acceptsSingle): fit.check(value, type: type, acceptsSingle: acceptsSingle)
        case .none, .bytes: break
        }
    }
}
