/// Lays out rendered source code the way `swift format` leaves it: 4 spaces and 120 columns.
///
/// Templates and plans put one declaration, statement or case on a line and pay no attention to indentation or width.
/// The layout indents each line by the brackets around it, breaks a line that is too wide at its brackets, and removes
/// blank lines at the edges of a block. It works on lines and brackets, and takes text in literals and comments as it is.
struct SourceLayout {
    /// The widest line.
    static let width = 120
    static let step = 4

    /// A bracket that an earlier line opened.
    private struct Scope {
        /// Whether the lines inside are indented; of several brackets that one line opens, the first one counts.
        let indents: Bool
        /// Whether it holds the cases of a `switch`, which start where the `switch` starts.
        let isSwitch: Bool
    }

    private var output: [UInt8] = []
    private var scopes: [Scope] = []
    private var depth = 0
    private var hasBlankLine = false
    private var isAtStart = true
    /// Whether the lines are those of a literal of several lines.
    private var isVerbatim = false

    static func formatted(_ text: String) -> String {
        var layout = SourceLayout()
        var text = text
        text.withUTF8 { bytes in
            layout.output.reserveCapacity(bytes.count + bytes.count / 2)
            for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
                layout.add(SourceLine(line))
            }
        }
        return String(decoding: layout.output, as: UTF8.self)
    }

    // MARK: Lines

    private mutating func add(_ line: SourceLine) {
        if isVerbatim {
            output += line.original
            output.append(0x0A)
            isVerbatim = !line.hasOddLiteralMark
            return
        }
        if line.isEmpty {
            hasBlankLine = true
            return
        }
        let closers = line.leadingClosers
        for _ in 0..<closers { close() }
        if closers > 0 || line.hasPrefix("#endif") || line.hasPrefix("#else") { hasBlankLine = false }
        if hasBlankLine, !isAtStart { output.append(0x0A) }
        hasBlankLine = false

        let isCase = scopes.last?.isSwitch == true && (line.hasPrefix("case ") || line.hasPrefix("default:"))
        let indent = (isCase ? depth - 1 : depth) * Self.step
        if line.isComment {
            addComment(line, indent: indent)
        } else {
            LineBreaking.lay(line, indent: indent, isCase: isCase, into: &output)
        }
        if !line.isComment {
            for (position, _) in line.unclosed.enumerated() {
                open(indents: position == 0, isSwitch: line.opensSwitch)
            }
        }
        isVerbatim = line.hasOddLiteralMark
        isAtStart = !line.isComment && (!line.unclosed.isEmpty || line.hasPrefix("#if") || line.hasPrefix("#else"))
    }

    private mutating func open(indents: Bool, isSwitch: Bool) {
        scopes.append(Scope(indents: indents, isSwitch: isSwitch))
        if indents { depth += 1 }
    }

    private mutating func close() {
        if let scope = scopes.popLast(), scope.indents { depth -= 1 }
    }

    /// A comment that is too wide goes on in a comment of the same kind.
    private mutating func addComment(_ line: SourceLine, indent: Int) {
        var rest = line.content[...]
        let marker = rest.prefix { $0 == 0x2F }
        while indent + rest.count > Self.width {
            let limit = rest.startIndex + Self.width - indent
            let first = rest.startIndex + marker.count + 1
            guard let blank = rest[first..<limit + 1].lastIndex(of: 0x20) ?? rest[limit...].firstIndex(of: 0x20) else {
                break
            }
            LineBreaking.append(rest[..<blank], indent, &output)
            rest = (Array(marker) + [0x20] + rest[(blank + 1)...].drop { $0 == 0x20 })[...]
        }
        LineBreaking.append(rest, indent, &output)
    }
}
