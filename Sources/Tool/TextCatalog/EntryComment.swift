/// The comment of a catalog's entry: the line of the contract, and the lines that people have written.
struct EntryComment {
    /// The lines of people, without those of the contract.
    let own: [String]

    /// - Parameters:
    ///   - text: the comment in the catalog; nil if the entry has none.
    ///   - key: the key of the entry.
    init(_ text: String?, of key: String) {
        let start = ContractText.commentStart(of: key.prefix { $0 != "." }).trimmed
        var own = (text ?? "").split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(\.trimmed)
            .filter { !$0.hasPrefix(start) }
        while own.first?.isEmpty == true { own.removeFirst() }
        while own.last?.isEmpty == true { own.removeLast() }
        self.own = own
    }
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
