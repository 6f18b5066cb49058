import Diagnostics

/// Reads YAML text into a tree that remembers where everything stands.
///
/// Stages, in order; each reports what it finds and lets the next go on where that makes sense:
///
///     bytes ─ TextSurvey ─▶ lines, encoding ─ EventReader ─▶ libyaml's events ─ TreeBuilder ─▶ YAMLDocument
///
/// Architecture invariant: nothing in a file makes the parser throw, trap or recurse. What cannot be read is a
/// diagnostic, and the only thing that can be missing is the document.
package struct YAMLParser: Sendable {
    /// Bounds that keep a hostile or broken file from costing more than its size.
    package struct Limits: Sendable {
        /// How many bytes a file may have.
        package var bytes = 256 << 20
        /// How many collections may stand inside one another, aliases followed.
        package var depth = 64
        /// How many nodes all aliases of a file together may stand for.
        package var aliasedNodes = 1_000_000

        package init() {}
    }

    /// What became of a file.
    package struct Result: Sendable {
        /// The tree; `nil` when the text has none or it cannot be trusted. A diagnostic then says why.
        ///
        /// A document may stand beside errors that leave its shape intact, such as a duplicate key, so that later
        /// stages can report their findings in the same run.
        package let document: YAMLDocument?
        /// What is wrong with the text as YAML, in the order of the text.
        package let diagnostics: [Diagnostic]
    }

    package var limits: Limits

    package init(limits: Limits = Limits()) {
        self.limits = limits
    }

    /// Reads a file's bytes. `file` is the path as the reader of diagnostics shall see it.
    package func parse(_ bytes: [UInt8], file: String) -> Result {
        Result(document: nil, diagnostics: [])
    }

    /// Reads text that is already decoded.
    package func parse(_ text: String, file: String) -> Result {
        parse(Array(text.utf8), file: file)
    }
}
