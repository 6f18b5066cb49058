/// Diagnostics in the XML that test reporters of build servers read: a suite for each file, a failed case for each
/// finding that makes the run fail, a good case that says it for a lighter one, and one good case for a file without any.
package struct JUnitReport: Sendable {
    private let failing: Set<Severity>
    private let command: String

    /// - Parameters:
    ///   - failing: the severities that make the run fail.
    ///   - command: the command that found the diagnostics.
    package init(failing: Set<Severity> = [.error, .warning, .note], command: String = "lint") {
        self.failing = failing
        self.command = command
    }

    /// `files` are those that were looked at, in order; a finding in another file gets a suite after them.
    package func render(_ diagnostics: [Diagnostic], files: [String]) -> String {
        var suites: [String: [Diagnostic]] = [:]
        var order = files
        for diagnostic in diagnostics {
            if suites[diagnostic.file] == nil, !files.contains(diagnostic.file) { order.append(diagnostic.file) }
            suites[diagnostic.file, default: []].append(diagnostic)
        }
        var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        let count = order.reduce(0) { $0 + max(1, suites[$1]?.count ?? 0) }
        text += "<testsuites name=\"errand \(command)\" tests=\"\(count)\" failures=\"\(failures(diagnostics))\">\n"
        for file in order {
            let findings = suites[file] ?? []
            text +=
                "  <testsuite name=\"\(escaped(printable(file)))\" tests=\"\(max(1, findings.count))\" failures=\"\(failures(findings))\">\n"
            if findings.isEmpty {
                text += "    <testcase classname=\"\(escaped(printable(file)))\" name=\"\(command)\"/>\n"
            }
            for finding in findings { text += testCase(finding) }
            text += "  </testsuite>\n"
        }
        return text + "</testsuites>\n"
    }

    private func failures(_ findings: [Diagnostic]) -> Int { findings.count { failing.contains($0.severity) } }

    private func testCase(_ diagnostic: Diagnostic) -> String {
        let place = place(diagnostic.range, diagnostic.file)
        let lines = [place] + diagnostic.placelessNotes + [diagnostic.help].compactMap { $0 }
        let text = lines.joined(separator: "\n")
        guard failing.contains(diagnostic.severity) else {
            return """
                    <testcase classname="\(escaped(printable(diagnostic.file)))" name="\(escaped(diagnostic.rule)) \(escaped(place))">
                      <system-out>\(escaped("\(diagnostic.severity.rawValue): \(diagnostic.message)\n\(text)"))</system-out>
                    </testcase>

                """
        }
        return """
                <testcase classname="\(escaped(printable(diagnostic.file)))" name="\(escaped(diagnostic.rule)) \(escaped(place))">
                  <failure type="\(diagnostic.severity.rawValue)" message="\(escaped(diagnostic.message))">\(escaped(text))</failure>
                </testcase>

            """
    }

    /// XML 1.0 allows no control characters except tab and line breaks, not even escaped (section 2.2).
    private func escaped(_ text: String) -> String {
        text.unicodeScalars.map { scalar -> String in
            switch scalar {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "\"": "&quot;"
            case "\n", "\t": String(scalar)
            default:
                scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF ? "\u{FFFD}" : String(scalar)
            }
        }.joined()
    }
}
