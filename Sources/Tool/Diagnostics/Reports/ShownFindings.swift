extension [Diagnostic] {
    /// How many findings of a file are shown. A person reads no more, and a report that holds all of them is of no use.
    package static var mostShown: Int { 1_000 }

    /// The findings without those that are too many of one file, which one more finding counts. Errors come before
    /// warnings and warnings before notes where not all can be kept; the order stays.
    ///
    /// - Parameter help: how to see the others.
    package func bounded(
        to most: Int = Self.mostShown, help: String = "fix the findings that are shown, and check the file again"
    ) -> [Diagnostic] {
        guard count > most else { return self }
        var positions: [String: [Int]] = [:]
        for (position, finding) in enumerated() { positions[finding.file, default: []].append(position) }
        var dropped: [String: [Int]] = [:]
        for (file, all) in positions where all.count > most {
            let byWeight = all.sorted {
                (self[$1].severity.weight, $0) < (self[$0].severity.weight, $1)
            }
            dropped[file] = [Int](byWeight[most...])
        }
        guard !dropped.isEmpty else { return self }
        let left = Set(dropped.values.joined())
        var result: [Diagnostic] = []
        var counted = Set<String>()
        for (position, finding) in enumerated() {
            if let rest = dropped[finding.file], counted.insert(finding.file).inserted {
                let worst = rest.map { self[$0].severity }.max { $0.weight < $1.weight } ?? .note
                result.append(
                    Diagnostic(
                        rule: .moreFindings, severity: worst,
                        message: "\(rest.count) more findings in this file are not shown", file: finding.file,
                        help: help))
            }
            if !left.contains(position) { result.append(finding) }
        }
        return result
    }
}
