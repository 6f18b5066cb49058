/// Diagnostics as a build tool prints them for Xcode: one line each, notes and help as lines of their own.
package struct XcodeReport: Sendable {
    private let prefix: String

    /// - Parameter folder: what paths are relative to, so that whole ones are printed; `nil` prints them as they are.
    package init(folder: String? = nil) {
        prefix = folder.map { printable($0.hasSuffix("/") ? $0 : $0 + "/") } ?? ""
    }

    /// The diagnostics in the order given; every line ends with a line break.
    package func render(_ diagnostics: [Diagnostic]) -> String {
        var text = ""
        for diagnostic in diagnostics {
            let place = whole(Diagnostics.place(diagnostic.range, diagnostic.file))
            text += "\(place): \(diagnostic.severity.rawValue): \(oneLine(diagnostic.message)) [\(diagnostic.rule)]\n"
            for note in diagnostic.notes {
                text +=
                    "\(note.range.map { whole(Diagnostics.place($0, $0.file)) } ?? place): note: \(oneLine(note.message))\n"
            }
            if let help = diagnostic.help { text += "\(place): note: \(oneLine(help))\n" }
        }
        return text
    }

    private func whole(_ place: String) -> String { place.hasPrefix("/") ? place : prefix + place }
}
