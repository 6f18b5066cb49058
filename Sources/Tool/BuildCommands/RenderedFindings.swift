import Diagnostics
import Pipeline

/// The findings of a command, for each of the forms in which they are printed.
package struct RenderedFindings {
    let findings: [Diagnostic]
    /// The texts that findings point into, by file.
    let sources: [String: [UInt8]]
    /// The files that were looked at.
    let files: [String]
    /// The severities that make the run fail.
    let failing: Set<Severity>
    let command: String

    package init(
        findings: [Diagnostic], sources: [String: [UInt8]], files: [String], failing: Set<Severity>, command: String
    ) {
        self.findings = findings
        self.sources = sources
        self.files = files
        self.failing = failing
        self.command = command
    }

    package func text(in format: LintFormat, isColored: Bool) -> String {
        switch format {
        case .text:
            var text = TextReport { sources[$0] }
            text.usesColor = isColored
            return text.render(findings)
        case .json: return JSONReport().render(findings)
        case .sarif: return SARIFReport(version: ErrandVersion.text, rules: FindingPages.all).render(findings)
        case .github: return GitHubReport().render(findings)
        case .xcode: return XcodeReport().render(findings)
        case .junit: return JUnitReport(failing: failing, command: command).render(findings, files: files)
        }
    }
}
