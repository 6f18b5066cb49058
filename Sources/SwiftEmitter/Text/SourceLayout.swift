/// How generated code is broken into lines.
enum SourceLayout {
    /// The widest line that is filled up; one item alone may be wider.
    static let width = 120

    /// Items one after the other, as many on a line as fit.
    ///
    /// - Parameters:
    ///   - separator: what stands between two items: `", "` or `"; "`. At the end of a line its blanks fall away.
    ///   - first: what stands before the first item on its line.
    ///   - indent: what stands before each further line.
    ///   - reserve: how much room the last line must leave for what follows.
    static func fill(
        _ items: [String], separator: String, first: String, indent: String, reserve: Int = 0
    ) -> String {
        let trailing = separator.hasSuffix(" ") ? String(separator.dropLast()) : separator
        let dropsSeparator = trailing == ";"
        var result = first
        var column = first.utf8.count
        for (position, item) in items.enumerated() {
            let length = item.utf8.count + (position == items.count - 1 ? reserve : trailing.utf8.count)
            if position > 0 {
                if column + separator.utf8.count + length > width {
                    result += dropsSeparator ? "\n" : trailing + "\n"
                    result += indent
                    column = indent.utf8.count
                } else {
                    result += separator
                    column += separator.utf8.count
                }
            }
            result += item
            // An item of several lines leaves the column where its last one ends.
            if item.utf8.contains(0x0A) {
                column = item.utf8.reversed().prefix { $0 != 0x0A }.count
            } else {
                column += item.utf8.count
            }
        }
        return result
    }

    /// The cases of a `switch`, several on a line where they fit.
    static func cases(_ cases: [String], indent: String) -> String {
        fill(cases, separator: "; ", first: indent, indent: indent)
    }
}
