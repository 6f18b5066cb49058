import CLibYAML
import Diagnostics

/// Reads YAML text into a tree that remembers where everything is.
///
/// Stages, in order; each reports what it finds and lets the next one continue if that makes sense:
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
        /// The maximum depth of nested collections, aliases followed.
        package var depth = 64
        /// The maximum number of nodes that all aliases of a file together may represent.
        package var aliasedNodes = 1_000_000
        /// How many findings are kept; one more says how many were left out.
        package var diagnostics = 1_000

        package init() {}
    }

    /// The result of parsing a file.
    package struct Result: Sendable {
        /// The tree; `nil` if the text has none or it cannot be trusted. A diagnostic then gives the reason.
        ///
        /// A document may exist together with errors that leave its shape intact, such as a duplicate key, so that later stages
        /// can report their findings in the same run.
        package let document: YAMLDocument?
        /// The problems of the text as YAML, in the order of the text.
        package let diagnostics: [Diagnostic]
    }

    package var limits: Limits

    package init(limits: Limits = Limits()) {
        self.limits = limits
    }

    /// Reads a file's bytes. `file` is the path in diagnostics.
    package func parse(_ bytes: [UInt8], file: String) -> Result {
        guard bytes.count <= min(limits.bytes, Int(Int32.max)) else {
            let problem = EncodingDiagnostics.tooLarge(file: file, bytes: bytes.count, limit: limits.bytes)
            return Result(document: nil, diagnostics: [problem])
        }
        guard !TextSurvey.looksLikeUTF16(bytes) else {
            return Result(document: nil, diagnostics: [EncodingDiagnostics.utf16(file: file)])
        }
        let survey = TextSurvey(bytes)
        let hasFlaws = survey.flawCount > 0
        let text = hasFlaws ? TextSurvey.repaired(bytes) : bytes
        let source = SourceText(file: file, bytes: text, survey: survey)
        var found = DiagnosticBag()
        if hasFlaws {
            found.add(
                contentsOf: EncodingDiagnostics.flaws(survey, in: SourceText(file: file, bytes: bytes, survey: survey)))
        }
        if let tooOld = LibraryDiagnostics.tooOld(EventReader.version, file: file) { found.add(tooOld) }

        let (document, problems) = read(source)
        found.add(contentsOf: problems)
        // The tree of a repaired text would make later stages report names that are not in the file.
        return Result(document: hasFlaws ? nil : document, diagnostics: found.sorted())
    }

    /// Reads text that is already decoded.
    package func parse(_ text: String, file: String) -> Result {
        parse(Array(text.utf8), file: file)
    }

    private func read(_ source: SourceText) -> (YAMLDocument?, [Diagnostic]) {
        var builder = TreeBuilder(source: source, limits: limits)
        let isComplete = source.bytes.withUnsafeBufferPointer { bytes in
            bytes.isEmpty || feed(&builder, bytes)
        }
        var problems = builder.diagnostics
        if builder.unreported > 0 {
            problems.append(LibraryDiagnostics.tooMany(file: source.file, unreported: builder.unreported))
        }
        guard isComplete else { return (nil, problems) }
        let comments = CommentScan.comments(in: source.bytes, rows: builder.table.rows, upTo: builder.end)
        let document = YAMLDocument(source: source, table: builder.table, commentOffsets: comments)
        guard builder.root != nil, !document.root.isAbsent || document.root.anchor != nil else {
            let empty = LibraryDiagnostics.empty(file: source.file, hasComments: !comments.isEmpty)
            return (nil, problems + [empty])
        }
        return (document, problems)
    }

    /// Passes libyaml's events to the builder. Returns whether the tree is complete.
    func feed(_ builder: inout TreeBuilder, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let reader = EventReader(bytes) else {
            builder.report(LibraryDiagnostics.outOfMemory(file: builder.source.file))
            return false
        }
        var event = yaml_event_t()
        while true {
            guard reader.next(&event) else {
                builder.report(SyntaxExplanation(reader.problem, builder: builder).diagnostic)
                return false
            }
            let step = builder.take(event)
            yaml_event_delete(&event)
            switch step {
            case .goOn: continue
            case .finished: return true
            case .refused: return false
            }
        }
    }
}
