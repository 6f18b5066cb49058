import ContractModel

/// Finds the rows of a table that a response may match, without looking at all of them.
struct RowIndex {
    /// Rows by the value in the body that the fewest of them name.
    private var byValue: [FieldPath: [String: [Int]]] = [:]
    /// Rows without a value in the body, by their codes.
    private var byCode: [String: [Int]] = [:]
    private var codeRanges: [(numbers: ClosedRange<Int>, row: Int)] = []
    /// Rows that name a status alone, by the statuses that they name.
    private var byStatus: [Int: [Int]] = [:]
    private let rows: [ResolvedRow]
    private let envelope: EnvelopeDefinition?

    init(_ rows: [ResolvedRow], _ envelope: EnvelopeDefinition?) {
        self.rows = rows
        self.envelope = envelope
        var counts: [FieldPath: [String: Int]] = [:]
        for row in rows {
            for match in row.condition.body {
                counts[match.path.value, default: [:]][match.text.value, default: 0] += 1
            }
        }
        for (position, row) in rows.enumerated() where row.row.isAboutResponse {
            let condition = row.condition
            let rarest = condition.body.min { one, other in
                let count = counts[one.path.value]?[one.text.value] ?? 0
                return count < counts[other.path.value]?[other.text.value] ?? 0
            }
            if let rarest {
                byValue[rarest.path.value, default: [:]][rarest.text.value, default: []].append(position)
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
        for (path, value) in response.body { consider(byValue[path]?[value] ?? []) }
        if let code = response.code {
            if let path = envelope?.code?.value { consider(byValue[path]?[code] ?? []) }
            consider(byCode[code] ?? [])
            if let number = Int(code) {
                for entry in codeRanges where entry.numbers.contains(number) { consider([entry.row]) }
            }
        }
        consider(byStatus[response.status] ?? [])
        return best
    }
}
