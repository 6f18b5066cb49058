import Diagnostics
import Pipeline

/// Turns what `errand generate` was asked into options, and what it did into text.
struct GeneratePresenter {
    let isQuiet: Bool
    let color: ColorChoice

    /// Arguments first, then `errand.yaml`, then the conventions; `nil` where `errand.yaml` has errors.
    func options(for command: GenerateCommand) -> GenerateOptions? {
        var keys: Set<ProjectBoundary.PathKey> = []
        if command.output == nil { keys.insert(.output) }
        if command.templates == nil { keys.insert(.templates) }
        let project = CommandProject(
            naming: command.contracts, command.allowed.options, using: keys, templates: command.templates)
        if !project.diagnostics.isEmpty { show(project.diagnostics, sources: project.sources) }
        guard let configuration = project.configuration else { return nil }
        var options = GenerateOptions(configuration)
        if !command.contracts.isEmpty {
            options.contracts = command.contracts
            options.isWholeProject = command.whole
        }
        options.boundary = project.boundary
        options.output = command.output ?? options.output
        options.isOutputNamed = command.output != nil || configuration.places["output"] == nil
        options.templates = command.templates ?? options.templates
        switch command.access {
        case .public: options.emitter.access = .public
        case .package: options.emitter.access = .package
        case .internal: options.emitter.access = .internal
        case nil: break
        }
        options.isCheck = command.check
        return options
    }

    func present(_ report: GenerateReport, _ options: GenerateOptions) {
        let findings = report.findings.sorted().bounded()
        if !findings.isEmpty { show(findings, sources: report.sources) }
        guard !isQuiet || report.outcome == .stale else { return }
        let style = TextStyle(isColored: color.isOn(for: 1))
        switch report.outcome {
        case .fine: Console.out(summary(report, options, style))
        case .stale: Console.out(staleness(report, options, style))
        case .findings, .couldNotRun: break
        }
    }

    private func show(_ findings: [Diagnostic], sources: [String: [UInt8]]) {
        var text = TextReport { sources[$0] }
        text.usesColor = color.isOn(for: 2)
        Console.complain(text.render(findings))
        if findings.count > 1 {
            Console.complain(TextStyle(isColored: text.usesColor).strong(Diagnostics.summary(of: findings)))
        }
    }

    private func summary(_ report: GenerateReport, _ options: GenerateOptions, _ style: TextStyle) -> String {
        let width = report.contracts.map { printable($0.path).count }.max() ?? 0
        let output = printable(options.output)
        var lines = report.contracts.map { entry in
            let path = printable(entry.path)
            return
                "\(path + String(repeating: " ", count: width - path.count)) → \(style.strong(output + "/" + entry.service))  \(style.faint("\(counted(entry.lines, "line")) in \(entry.duration.shortText)"))"
        }
        guard let changes = report.changes else { return lines.joined(separator: "\n") }
        if options.isCheck {
            lines.append(style.good("current: \(counted(changes.unchanged.count, "file"))"))
        } else {
            let written = changes.added.count + changes.changed.count
            var parts = ["\(counted(written, "file")) written"]
            if !changes.leftovers.isEmpty { parts.append("\(changes.leftovers.count) removed") }
            if !changes.unchanged.isEmpty { parts.append("\(changes.unchanged.count) unchanged") }
            lines.append("\(style.good(parts.joined(separator: ", "))) in \(report.duration.shortText)")
            lines += needs(report, changes, options)
        }
        return lines.joined(separator: "\n")
    }

    /// The manifest's lines for the clients that were written.
    private func needs(_ report: GenerateReport, _ changes: OutputChanges, _ options: GenerateOptions) -> [String] {
        let written = Set((changes.added + changes.changed).compactMap { $0.path.split(separator: "/").first })
        return report.contracts.filter { written.contains($0.service[...]) }.flatMap { entry in
            entry.products.map {
                "the target of \(printable(options.output))/\(entry.service) depends on .product(name: \"\($0)\", package: \"errand\")"
            }
        }
    }

    private func staleness(_ report: GenerateReport, _ options: GenerateOptions, _ style: TextStyle) -> String {
        guard let changes = report.changes else { return "" }
        let output = printable(options.output)
        var lines = changes.changed.map { "\(style.warning("stale"))     \(output)/\($0.path)" }
        lines += changes.added.map { "\(style.warning("missing"))   \(output)/\($0.path)" }
        lines += changes.leftovers.map { "\(style.warning("left over")) \(output)/\(printable($0))" }
        lines.append(
            "\(counted(lines.count, "file")) not current; run `errand generate` to update \(lines.count == 1 ? "it" : "them")"
        )
        return lines.joined(separator: "\n")
    }
}
