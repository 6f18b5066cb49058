/// The comment of a catalog's entry: the line of the contract, and the lines that people have written.
struct EntryComment {
    /// The lines of people, without those of the contract.
    let own: [String]
    /// The further lines of Errand.
    private let marked: [String]

    /// - Parameters:
    ///   - text: the comment in the catalog; nil if the entry has none.
    ///   - key: the key of the entry.
    ///   - isMark: whether a line is a further one of Errand.
    init(_ text: String?, of key: String, isMark: (String) -> Bool = { _ in false }) {
        let start = ContractText.commentStart(of: key.prefix { $0 != "." }).trimmed
        var own: [String] = []
        var marked: [String] = []
        for line in (text ?? "").split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            let line = line.trimmed
            if isMark(line) {
                marked.append(line)
            } else if !line.hasPrefix(start) {
                own.append(line)
            }
        }
        while own.first?.isEmpty == true { own.removeFirst() }
        while own.last?.isEmpty == true { own.removeLast() }
        self.own = own
        self.marked = marked
    }

    /// The first line with a mark.
    func line(_ mark: String) -> String? { marked.first { $0.hasPrefix(mark) } }
}

extension StringProtocol {
    /// The text without blanks at its ends.
    var trimmed: String {
        var text = self[...]
        while text.first?.isWhitespace == true { text = text.dropFirst() }
        while text.last?.isWhitespace == true { text = text.dropLast() }
        return String(text)
    }
}
