/// The findings of a stage so far. Stages return their findings in a bag or as an array, and never throw them.
package struct DiagnosticBag: Sendable {
    /// The findings in the order they came.
    package private(set) var diagnostics: [Diagnostic]

    package init(_ diagnostics: [Diagnostic] = []) {
        self.diagnostics = diagnostics
    }

    package var isEmpty: Bool { diagnostics.isEmpty }

    /// Whether anything found stops generation.
    package var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

    /// How many findings have this severity. A finding that was added twice counts twice; see ``sorted()``.
    package func count(of severity: Severity) -> Int {
        diagnostics.lazy.filter { $0.severity == severity }.count
    }

    package mutating func add(_ diagnostic: Diagnostic) {
        diagnostics.append(diagnostic)
    }

    package mutating func add(contentsOf other: some Sequence<Diagnostic>) {
        diagnostics.append(contentsOf: other)
    }

    /// The findings in the order of every report, each once: by file, place, rule and message.
    ///
    /// Findings about a file as a whole precede those about a place in it. Two findings are equal if rule, place and message
    /// agree. Of equal findings, the first one that was added remains, regardless of its notes.
    package func sorted() -> [Diagnostic] {
        var seen = Set<SortKey>()
        var keyed: [(key: SortKey, diagnostic: Diagnostic)] = []
        keyed.reserveCapacity(diagnostics.count)
        for diagnostic in diagnostics {
            let key = SortKey(diagnostic)
            if seen.insert(key).inserted { keyed.append((key, diagnostic)) }
        }
        keyed.sort { $0.key < $1.key }
        return keyed.map(\.diagnostic)
    }
}

/// The total order of findings; what it leaves out (notes, fix, help) does not make a finding another one.
private struct SortKey: Hashable, Comparable {
    let file: String
    let start: Int
    let end: Int
    let rule: String
    let message: String

    init(_ diagnostic: Diagnostic) {
        file = diagnostic.file
        start = diagnostic.range?.start.offset ?? -1
        end = diagnostic.range?.end.offset ?? -1
        rule = diagnostic.rule
        message = diagnostic.message
    }

    static func < (left: SortKey, right: SortKey) -> Bool {
        if left.file != right.file { return left.file < right.file }
        if left.start != right.start { return left.start < right.start }
        if left.rule != right.rule { return left.rule < right.rule }
        if left.end != right.end { return left.end < right.end }
        return left.message < right.message
    }
}
