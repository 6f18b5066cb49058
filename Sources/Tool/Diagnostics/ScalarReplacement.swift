extension StringProtocol {
    /// The text with another one in place of a scalar. For texts that other programs read by their bytes, such as a shell or a parser:
    /// `replacing` compares characters, and does not find a quotation mark that a combining character follows.
    package func replacing(scalar: Unicode.Scalar, with other: String) -> String {
        var result = ""
        for own in unicodeScalars {
            if own == scalar { result += other } else { result.unicodeScalars.append(own) }
        }
        return result
    }
}
