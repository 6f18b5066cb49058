import Diagnostics
import Pipeline

/// Turns what `errand lint` was asked into options, and what it found into one of the formats. Findings are its output;
/// what keeps it from running is a complaint.
struct LintPresenter {
    let format: LintFormat
    let isQuiet: Bool
    let color: ColorChoice

    /// Arguments first, then `errand.yaml`, then the conventions; `nil` where `errand.yaml` has errors.
    func options(for command: LintCommand) -> LintOptions? {
        // The files with texts are compared with all contracts of the project, or not at all.
        let project = CommandProject(
            naming: command.contracts, command.access.options,
            using: command.contracts.isEmpty ? [.output, .templates, .texts] : [.output, .templates])
        if !project.diagnostics.isEmpty { complain(project.diagnostics, project.sources) }
        guard let configuration = project.configuration else { return nil }
        var options = LintOptions(
            contracts: command.contracts.isEmpty ? configuration.contracts : command.contracts,
            settings: configuration.lint,
            failOn: command.failOn.flatMap { Severity(rawValue: $0.rawValue) } ?? configuration.failOn ?? .warning
        )
        options.boundary = project.boundary
        options.customization = configuration.customization
        options.templates = configuration.templates
        options.catalogs = configuration.texts
        options.isWholeProject = command.contracts.isEmpty
        options.isFixing = command.fix
        options.baseline = command.baseline
        options.isUpdatingBaseline = command.updateBaseline
        options.changedSince = command.changedSince.map { String($0.dropFirst("git:".count)) }
        return options
    }

    func present(_ report: LintReport) {
        guard report.outcome != .couldNotRun else { return complain(report.findings, report.sources) }
        let text = rendered(report)
        if !text.isEmpty { Console.out(text.hasSuffix("\n") ? String(text.dropLast()) : text) }
        guard format == .text, !isQuiet || !report.findings.isEmpty else { return }
        let style = TextStyle(isColored: color.isOn(for: 1))
        if report.fixCount > 0 { Console.out("\(report.fixCount) fixed") }
        var known = report.knownCount > 0 ? ", \(report.knownCount) in the baseline" : ""
        if report.earlierCount > 0 { known += ", \(report.earlierCount) from before" }
        let files = counted(report.files.count, "contract") + known
        let summary = Diagnostics.summary(of: report.findings)
        if report.findings.isEmpty {
            Console.out("\(style.good(summary)) in \(files)")
        } else {
            Console.out((text.isEmpty ? "" : "\n") + style.strong("\(summary) in \(files)"))
        }
    }

    private func rendered(_ report: LintReport) -> String {
        RenderedFindings(
            findings: report.findings, sources: report.sources, files: report.files, failing: report.failing,
            command: "lint"
        ).text(in: format, isColored: color.isOn(for: 1))
    }

    private func complain(_ findings: [Diagnostic], _ sources: [String: [UInt8]]) {
        var text = TextReport { sources[$0] }
        text.usesColor = color.isOn(for: 2)
        Console.complain(text.render(findings))
    }
}
