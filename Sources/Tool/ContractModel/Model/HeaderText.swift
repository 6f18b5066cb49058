/// The text that is valid in an HTTP header.
package enum HeaderText {
    private static let marks = Set("!#$%&'*+-.^_`|~".utf8)

    /// A header's name is a token (RFC 9110, section 5.1).
    package static func isName(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || marks.contains(byte)
            }
    }

    /// A header's value is visible ASCII, blanks and tabs, without line breaks (RFC 9110, section 5.5, without the
    /// obsolete text beyond ASCII).
    static func isValue(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { $0 == "\t" || (0x20...0x7E).contains($0.value) }
    }
}
