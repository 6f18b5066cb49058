/// Rows with aligned columns.
package enum TextTable {
    /// Each row as a line; two blanks between columns, none after the last. Marks for color take no room.
    package static func lines(_ rows: [[String]]) -> [String] {
        var widths: [Int] = []
        for row in rows {
            for (column, cell) in row.enumerated() {
                if column == widths.count { widths.append(0) }
                widths[column] = max(widths[column], width(cell))
            }
        }
        return rows.map { row in
            var line = ""
            for (column, cell) in row.enumerated() {
                line += cell + String(repeating: " ", count: widths[column] - width(cell) + 2)
            }
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    private static func width(_ cell: String) -> Int {
        cell.replacing(/\u{1B}\[[0-9;]*m/, with: "").count
    }
}
