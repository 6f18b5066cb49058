/// Diagnostics in the XML that test reporters of build servers read: a suite for each file, a failed case for each
/// finding, and one good case for a file without any.
package struct JUnitReport: Sendable {
    package init() {}

    /// `files` are those that were looked at, in order; a finding in another file gets a suite behind them.
    package func render(_ diagnostics: [Diagnostic], files: [String]) -> String {
        var suites: [String: [Diagnostic]] = [:]
        var order = files
        for diagnostic in diagnostics {
            if suites[diagnostic.file] == nil, !files.contains(diagnostic.file) { order.append(diagnostic.file) }
            suites[diagnostic.file, default: []].append(diagnostic)
        }
        var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        let count = order.reduce(0) { $0 + max(1, suites[$1]?.count ?? 0) }
        text += "<testsuites name=\"errand lint\" tests=\"\(count)\" failures=\"\(diagnostics.count)\">\n"
        for file in order {
            let findings = suites[file] ?? []
            text +=
                "  <testsuite name=\"\(escaped(file))\" tests=\"\(max(1, findings.count))\" failures=\"\(findings.count)\">\n"
            if findings.isEmpty { text += "    <testcase classname=\"\(escaped(file))\" name=\"lint\"/>\n" }
            for finding in findings { text += testCase(finding) }
            text += "  </testsuite>\n"
        }
        return text + "</testsuites>\n"
    }

    private func testCase(_ diagnostic: Diagnostic) -> String {
        let place = place(diagnostic.range, diagnostic.file)
        let text = [place, diagnostic.help].compactMap { $0 }.joined(separator: "\n")
        return """
                <testcase classname="\(escaped(diagnostic.file))" name="\(escaped(diagnostic.rule)) \(escaped(place))">
                  <failure type="\(diagnostic.severity.rawValue)" message="\(escaped(diagnostic.message))">\(escaped(text))</failure>
                </testcase>

            """
    }

    /// XML 1.0 has no control characters but tab and line breaks, not even escaped (section 2.2).
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
