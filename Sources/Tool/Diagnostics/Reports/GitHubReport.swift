/// Diagnostics as workflow commands, by which GitHub Actions marks lines of a change.
package struct GitHubReport: Sendable {
    package init() {}

    /// The diagnostics in the order given, one line each.
    package func render(_ diagnostics: [Diagnostic]) -> String {
        diagnostics.map { diagnostic in
            let command = diagnostic.severity == .note ? "notice" : diagnostic.severity.rawValue
            var properties = ["file=\(property(diagnostic.file))"]
            if let range = diagnostic.range {
                properties += ["line=\(range.start.line)", "endLine=\(range.end.line)"]
                // Columns are read only if the range is within one line.
                if range.start.line == range.end.line {
                    properties += ["col=\(range.start.column)", "endColumn=\(range.end.column)"]
                }
            }
            properties.append("title=\(property(diagnostic.rule))")
            // A workflow command has no notes. Those without a place of their own are a part of the message.
            let lines = [diagnostic.message] + diagnostic.placelessNotes + [diagnostic.help].compactMap { $0 }
            let text = lines.joined(separator: "\n")
            return "::\(command) \(properties.joined(separator: ","))::\(data(text))\n"
        }.joined()
    }

    private func data(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            switch scalar {
            case "%": "%25"
            case "\r": "%0D"
            case "\n": "%0A"
            default: DisplayCell(showing: Character(scalar)).text
            }
        }.joined()
    }

    private func property(_ text: String) -> String {
        data(text).replacing(scalar: ":", with: "%3A").replacing(scalar: ",", with: "%2C")
    }
}
