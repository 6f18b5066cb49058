import Diagnostics

extension String {
    /// The text between backticks, as reports show what a contract says. A backtick in it would end it, also in Markdown.
    package var asCode: String { "`" + replacing(scalar: "`", with: "'") + "`" }
}
