/// Diagnostics as a build tool prints them for Xcode: one line each, notes and help as lines of their own.
package struct XcodeReport: Sendable {
    package init() {}

    /// The diagnostics in the order given; every line ends with a line break.
    package func render(_ diagnostics: [Diagnostic]) -> String {
        var text = ""
        for diagnostic in diagnostics {
            let place = place(diagnostic.range, diagnostic.file)
            text += "\(place): \(diagnostic.severity.rawValue): \(oneLine(diagnostic.message)) [\(diagnostic.rule)]\n"
            for note in diagnostic.notes {
                text += "\(note.range?.description ?? place): note: \(oneLine(note.message))\n"
            }
            if let help = diagnostic.help { text += "\(place): note: \(oneLine(help))\n" }
        }
        return text
    }
}
