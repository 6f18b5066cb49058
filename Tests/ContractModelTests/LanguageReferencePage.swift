import Foundation

/// The language reference or its guide, cut into the parts that their tests examine.
///
/// A line above each `yaml` block says how it is tested:
///
///     <!-- contract -->                          a whole contract, which resolves without findings
///     <!-- contract: shop.contract.yaml -->      the same, and examples of both pages can import it
///     <!-- inside: endpoint -->                  a fragment, which ``ReferenceExample`` puts into a frame
///     <!-- inside: endpoint, mistake: RULE -->   it provokes this rule, and no other
///
/// A quotation below a mistake contains the text of its finding.
/// A table between `<!-- keys: NAME -->` and `<!-- end -->` is made from `LanguageKeys`.
struct LanguageReferencePage {
    static let reference = "docs/contract-language.md"
    /// The guide has the contract that the reference's fragments import.
    static let guide = "docs/language-guide.md"
    static let paths = [guide, reference]

    /// Where the page is in the checkout.
    var path: String
    var text: String
    var examples: [ReferenceExample] = []
    /// The lines of `yaml` blocks that no mark says anything about.
    var unmarkedBlocks: [Int] = []
    /// Name of the mapping → the text between its markers.
    var tables: [(name: String, text: String)] = []

    var file: URL { CheckoutSource.root.appendingPathComponent(path) }

    init(path: String) throws {
        self.path = path
        text = try String(contentsOf: CheckoutSource.root.appendingPathComponent(path), encoding: .utf8)
        let lines = text.components(separatedBy: "\n")
        var position = 0
        while position < lines.count {
            if lines[position] == "```yaml" {
                let start = position + 1
                let end = lines[start...].firstIndex(of: "```") ?? lines.count
                let mark = start >= 2 ? ReferenceExample.Mark(lines[start - 2]) : nil
                if let mark {
                    examples.append(
                        ReferenceExample(
                            page: path, line: start + 1, mark: mark,
                            text: lines[start..<end].joined(separator: "\n") + "\n"))
                } else {
                    unmarkedBlocks.append(start)
                }
                position = end
            } else if let name = Self.tableName(lines[position]) {
                let end = lines[position...].firstIndex(of: Self.tableEnd) ?? lines.count
                tables.append((name, lines[(position + 1)..<end].joined(separator: "\n")))
                position = end
            }
            position += 1
        }
    }

    /// The page with every table replaced by what `table` says of its name, and the quotation below every mistake by
    /// what `quotation` says of it.
    func replacing(table: (String) -> String?, quotation: (ReferenceExample) -> String) -> String {
        let lines = text.components(separatedBy: "\n")
        var result: [String] = []
        var open: ReferenceExample?
        var position = 0
        while position < lines.count {
            result.append(lines[position])
            if let table = Self.tableName(lines[position]).flatMap(table) {
                result.append(table)
                while position + 1 < lines.count, lines[position + 1] != Self.tableEnd { position += 1 }
            }
            open = open ?? examples.first { $0.line == position + 2 && !$0.mark.mistakes.isEmpty }
            if lines[position] == "```", let example = open {
                result += ["", quotation(example)]
                open = nil
                if position + 2 < lines.count, lines[position + 2].hasPrefix("> ") { position += 2 }
            }
            position += 1
        }
        return result.joined(separator: "\n")
    }

    private static let tableEnd = "<!-- end -->"

    private static func tableName(_ line: String) -> String? {
        guard line.hasPrefix("<!-- keys: "), line.hasSuffix(" -->") else { return nil }
        return String(line.dropFirst("<!-- keys: ".count).dropLast(" -->".count))
    }
}

extension ReferenceExample.Mark {
    /// Reads the comment above a block; `nil` for any other comment.
    init?(_ line: String) {
        guard line.hasPrefix("<!-- "), line.hasSuffix(" -->") else { return nil }
        for part in line.dropFirst(5).dropLast(4).components(separatedBy: ", ") {
            let words = part.components(separatedBy: ": ")
            switch (words[0], words.count) {
            case ("contract", 1): frame = .contract
            case ("contract", 2): (frame, fileName) = (.contract, words[1])
            case ("inside", 2):
                guard let place = ReferenceExample.Frame(rawValue: words[1]), place != .contract else { return nil }
                frame = place
            case ("mistake", 2): mistakes.append(words[1])
            default: return nil
            }
        }
    }
}
