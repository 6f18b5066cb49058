/// No response of a simulated server makes a command fail so.
public struct UnknownContractError: Error, Sendable, CustomStringConvertible {
    /// Service and endpoint as the contract names them: `Bank.transferFunds`.
    public let endpoint: String
    /// The name that was asked for.
    public let error: String
    private let hint: String

    /// - Parameter known: the names that would do.
    init(endpoint: String, error: String, known: [String]) {
        let nearest = known.map { ($0, $0.distance(to: error)) }.min { $0.1 < $1.1 }
        var hint = known.isEmpty ? "it declares none" : "there are " + known.joined(separator: ", ")
        if let nearest, nearest.1 <= max(2, error.count / 3) { hint = "did you mean '\(nearest.0)'? " + hint }
        self.init(endpoint: endpoint, error: error, reason: hint)
    }

    init(endpoint: String, error: String, reason: String) {
        self.endpoint = endpoint
        self.error = error
        hint = reason
    }

    public var description: String { "no response says '\(error)' to \(endpoint): \(hint)" }
}

extension String {
    /// How many characters have to be put in, taken out or replaced to make the other text of this one, without regard to case.
    fileprivate func distance(to other: String) -> Int {
        let (from, to) = (Array(lowercased()), Array(other.lowercased()))
        var row = Array(0...to.count)
        for (line, character) in from.enumerated() {
            var diagonal = row[0]
            row[0] = line + 1
            for (column, wanted) in to.enumerated() {
                let replaced = diagonal + (character == wanted ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = Swift.min(replaced, diagonal + 1, row[column] + 1)
            }
        }
        return row[to.count]
    }
}
