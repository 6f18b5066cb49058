import Diagnostics
import Pipeline

/// What a run says: findings on standard error, what was done on standard output.
struct ReportPrinter {
    let colour: ColourChoice
    let isQuiet: Bool

    func print(_ diagnostics: [Diagnostic]) {
        if diagnostics.isEmpty { return }
        let files = FileAccess()
        var report = TextReport { try? files.read($0).get() }
        report.usesColour = colour.isOn(for: .errors)
        Terminal.print(report.render(diagnostics), to: .errors)
        if !isQuiet { Terminal.print("\n" + summary(of: diagnostics), to: .errors) }
    }

    func print(_ report: Generate.Report, _ order: Generate.Order) {
        if order.checksOnly {
            printStale(report)
            if report.outcome == .done, !isQuiet { Terminal.print("Everything in \(order.output) is up to date.", to: .output) }
            return
        }
        if isQuiet { return }
        for client in report.clients {
            let counts = [
                (client.new.count, "new"), (client.changed.count, "changed"), (client.removed.count, "removed"),
                (client.unchanged, "unchanged"),
            ]
            let text = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
            let time = client.milliseconds < 10 ? "\((client.milliseconds * 10).rounded() / 10)" : "\(Int(client.milliseconds.rounded()))"
            Terminal.print("\(client.contract) → \(order.output)/\(client.service): \(text) (\(time) ms)", to: .output)
        }
        for path in report.removed { Terminal.print("removed \(path), which no contract asks for", to: .output) }
    }

    /// Each file that `--check` objects to, on a line of its own.
    private func printStale(_ report: Generate.Report) {
        var lines: [String] = []
        for client in report.clients {
            lines += client.new.map { "missing: \($0)" }
            lines += client.changed.map { "stale: \($0)" }
            lines += client.removed.map { "left over: \($0)" }
        }
        lines += report.removed.map { "left over: \($0)" }
        if lines.isEmpty { return }
        Terminal.print(lines.joined(separator: "\n"), to: .errors)
        if !isQuiet { Terminal.print("Run `errand generate` to bring them up to date.", to: .errors) }
    }
}

/// One line that says how far a run has come, there only where it takes longer than a second.
final class ProgressLine {
    private let isShown: Bool
    private let start = ContinuousClock.now
    private var hasShown = false

    init(isShown: Bool) {
        self.isShown = isShown
    }

    func show(_ contract: String, _ position: Int, _ count: Int) {
        guard isShown, ContinuousClock.now - start > .seconds(1) else { return }
        hasShown = true
        Terminal.showProgress("\(position + 1) of \(count): \(contract)")
    }

    func clear() {
        if hasShown { Terminal.clearProgress() }
    }
}
