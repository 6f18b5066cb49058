@testable import Pipeline
@testable import ProjectTasks

/// The cases of `errand docs`.
extension FindingCases {
    static let pages: [String: Case] = [
        "template-value-as-markup": {
            try inProject { folder in
                try folder.write(
                    "{{#contracts}}\n<p title={{name}}>\n{{/contracts}}\n", to: "pages/site.html.mustache")
                try folder.write("errand: 1\nservice: Sample\nendpoints: {}\n", to: "sample.contract.yaml")
                var options = Reference.Options(ProjectConfiguration(), output: folder.path("site"))
                options.contracts = [folder.path("sample.contract.yaml")]
                options.templates = folder.path("pages")
                let boundary = ProjectBoundary(naming: [folder.path("pages"), folder.path("sample.contract.yaml")])
                guard case .findings(let findings, _) = Reference.run(options, in: boundary) else { return [] }
                return findings
            }
        }
    ]
}
