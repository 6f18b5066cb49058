import ContractModel

/// Finds the rows of a table that a response may match, without looking at all of them.
struct RowIndex {
    /// Rows by the text that the fewest of them name.
    private var byValue: [ResponseMatch.Place: [String: [Int]]] = [:]
    /// Rows that name patterns, and no text as a whole.
    private var open: [Int] = []
    /// Rows without a text, by their codes.
    private var byCode: [String: [Int]] = [:]
    private var codeRanges: [(numbers: ClosedRange<Int>, row: Int)] = []
    /// Rows that name a status alone, by the statuses that they name.
    private var byStatus: [Int: [Int]] = [:]
    private let rows: [ResolvedRow]
    private let envelope: EnvelopeDefinition?

    init(_ rows: [ResolvedRow], _ envelope: EnvelopeDefinition?) {
        self.rows = rows
        self.envelope = envelope
        var counts: [ResponseMatch.Place: [String: Int]] = [:]
        for row in rows {
            for match in row.row.values { counts[match.place, default: [:]][match.pattern.literal, default: 0] += 1 }
        }
        for (position, row) in rows.enumerated() where row.row.isAboutResponse {
            let condition = row.condition
            let values = row.row.values
            let rarest = values.filter(\.pattern.isExact).min { one, other in
                let count = counts[one.place]?[one.pattern.literal] ?? 0
                return count < counts[other.place]?[other.pattern.literal] ?? 0
            }
            if let rarest {
                byValue[rarest.place, default: [:]][rarest.pattern.literal, default: []].append(position)
            } else if !values.isEmpty {
                open.append(position)
            } else if !condition.codes.isEmpty {
                for code in condition.codes {
                    switch code.value {
                    case .text(let text): byCode[text, default: []].append(position)
                    case .range(let numbers): codeRanges.append((numbers, position))
                    }
                }
            } else {
                var seen = Set<Int>()
                for status in condition.statuses {
                    for number in status.value where seen.insert(number).inserted {
                        byStatus[number, default: []].append(position)
                    }
                }
            }
        }
    }

    /// The first row that matches a response, among those that are asked for.
    func first(matching response: SampleResponse, where isWanted: (Int) -> Bool) -> Int? {
        var best: Int?
        func consider(_ positions: [Int]) {
            for position in positions where position < best ?? .max && isWanted(position) {
                if rows[position].row.matches(response, in: envelope) { best = position }
            }
        }
        consider(open)
        for (path, value) in response.body { consider(byValue[.body(path.keys)]?[value] ?? []) }
        for (name, value) in response.headers { consider(byValue[.header(name)]?[value] ?? []) }
        if let text = response.plainText { consider(byValue[.text]?[text] ?? []) }
        if let code = response.code {
            if let path = envelope?.code?.value { consider(byValue[.body(path.keys)]?[code] ?? []) }
            consider(byCode[code] ?? [])
            if let number = Int(code) {
                for entry in codeRanges where entry.numbers.contains(number) { consider([entry.row]) }
            }
        }
        consider(byStatus[response.status] ?? [])
        return best
    }
}
