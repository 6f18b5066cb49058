/// Prints a layout as `swift format` leaves source code: 4 spaces and 120 columns.
///
/// Lines may be wider where they have no break. A blank line separates lines of the same margin, and is left out at the edges of
/// a block.
struct LayoutPrinter {
    /// The widest line.
    static let width = 120
    static let step = 4

    private let tokens: [Layout.Token]
    private var output = ""
    /// The width of the line so far; nil before its first text.
    private var column: Int?
    private var margin = 0
    private var depth = 0
    /// Whether each open group is broken, the innermost last.
    private var groups: [Bool] = []
    private var hasBlankLine = false
    /// The margin of the last line with text.
    private var lastMargin: Int?

    static func text(of layout: Layout) -> String {
        var printer = LayoutPrinter(tokens: layout.tokens)
        printer.print()
        return printer.output
    }

    private init(tokens: [Layout.Token]) {
        self.tokens = tokens
        output.reserveCapacity(tokens.count * 8)
    }

    private mutating func print() {
        for (position, token) in tokens.enumerated() {
            switch token {
            case .text(let text): add(text)
            case .comment(let text): addComment(text)
            case .newline: endLine()
            case .margin(let columns): margin = columns
            case .open: groups.append(groups.last != false && !fits(from: position + 1))
            case .close: groups.removeLast()
            case .indent: depth += 1
            case .outdent: depth -= 1
            case .breakable(let place):
                if groups.last == true, !place.isFilled || !fitsUntilBreak(place, from: position + 1) {
                    add(place.ending)
                    endLine()
                    add(place.opening)
                } else {
                    add(place.flat)
                }
            }
        }
    }

    // MARK: Lines

    private var indentation: Int { margin + depth * Self.step }

    private mutating func add(_ text: String) {
        if text.isEmpty { return }
        if column == nil { startLine() }
        output += text
        column = (column ?? 0) + text.utf8.count
    }

    private mutating func startLine() {
        if hasBlankLine, lastMargin == margin { output += "\n" }
        hasBlankLine = false
        lastMargin = margin
        output += String(repeating: " ", count: indentation)
        column = indentation
    }

    private mutating func endLine() {
        if column == nil {
            hasBlankLine = true
        } else {
            output += "\n"
            column = nil
        }
    }

    /// Adds a comment as several ones of the same kind if it is too wide.
    private mutating func addComment(_ text: String) {
        if indentation + text.utf8.count <= Self.width { return add(text) }
        let words = text.split(separator: " ")
        let marker = words.first ?? ""
        var line = String(marker)
        for word in words.dropFirst() {
            if line.utf8.count > marker.utf8.count, indentation + line.utf8.count + 1 + word.utf8.count > Self.width {
                add(line)
                endLine()
                line = String(marker)
            }
            line += " " + word
        }
        add(line)
    }

    // MARK: Widths

    private var room: Int { Self.width - (column ?? indentation) }

    /// Whether a group that begins here fits on the line, with whatever follows it there.
    private func fits(from start: Int) -> Bool {
        var room = room
        // Groups that are open, without those around the group.
        var open = 1
        // After the group's end, the depth of clauses, which do not give way to the group.
        var clauses = 0
        var hasEnded = false
        for token in tokens[start...] {
            switch token {
            case .text(let text), .comment(let text): room -= text.utf8.count
            case .newline: return hasEnded
            case .open(let group):
                if !hasEnded {
                    open += 1
                } else if clauses > 0 || group == .clause {
                    clauses += 1
                }
            case .close:
                if !hasEnded {
                    open -= 1
                    hasEnded = open == 0
                } else if clauses > 0 {
                    clauses -= 1
                }
            case .breakable(let place):
                if hasEnded, clauses == 0 { return room >= place.ending.utf8.count }
                room -= place.flat.utf8.count
                // `swift format` keeps room for the comma of a list inside the group, whether or not the list is broken.
                if place == .trailingComma, open > 1 || hasEnded { room -= 1 }
            case .margin, .indent, .outdent: break
            }
            if room < 0 { return false }
        }
        return true
    }

    /// Whether the text up to the next break fits on the line.
    private func fitsUntilBreak(_ place: Layout.Break, from start: Int) -> Bool {
        var room = room - place.flat.utf8.count
        for token in tokens[start...] {
            switch token {
            case .text(let text), .comment(let text): room -= text.utf8.count
            case .breakable(let next): return room >= next.ending.utf8.count
            case .newline: return room >= 0
            case .open, .close, .margin, .indent, .outdent: break
            }
            if room < 0 { return false }
        }
        return true
    }
}
