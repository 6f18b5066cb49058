/// Figures in rows, printed for a terminal or as Markdown for `docs/performance.md`.
public struct FigureTable {
    public enum Style: Sendable {
        case terminal
        case markdown
    }

    private let title: String
    private let columns: [String]
    private var rows: [[String]] = []

    public init(_ title: String, columns: [String]) {
        self.title = title
        self.columns = columns
    }

    /// Cells that are missing at the end stay empty.
    public mutating func add(_ cells: [String]) {
        rows.append(cells + Array(repeating: "", count: max(0, columns.count - cells.count)))
    }

    /// The table, ready to be printed with an empty line after it.
    public func text(_ style: Style) -> String {
        switch style {
        case .markdown:
            let lines = [columns, columns.map { _ in "---" }] + rows
            return "## \(title)\n\n" + lines.map { "| \($0.joined(separator: " | ")) |\n" }.joined()
        case .terminal:
            let widths = columns.indices.map { column in ([columns] + rows).map { $0[column].count }.max() ?? 0 }
            let lines = ([columns] + rows).map { cells in
                zip(cells, widths).map { $0 + String(repeating: " ", count: $1 - $0.count + 2) }.joined()
            }
            return "\(title)\n" + lines.map { "  \($0)\n" }.joined()
        }
    }
}

/// A figure with three significant digits.
public func rounded(_ value: Double) -> String {
    if value >= 100 { return "\(Int(value.rounded()))" }
    let scale = value >= 10 ? 10.0 : 100.0
    return "\((value * scale).rounded() / scale)"
}

/// A time in the unit that suits it.
///
/// - Parameter value: seconds.
public func duration(_ value: Double) -> String {
    if value < 1e-3 { return "\(rounded(value * 1e6)) µs" }
    return value < 1 ? "\(rounded(value * 1e3)) ms" : "\(rounded(value)) s"
}
