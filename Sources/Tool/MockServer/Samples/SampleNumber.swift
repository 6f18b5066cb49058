import ContractModel

/// Numbers within the constraints of a contract, as texts.
enum SampleNumber {
    /// - Parameters:
    ///   - isIdentity: whether the number tells the value from others.
    ///   - number: the number of the value.
    static func text(
        _ primitive: Primitive, _ constraints: [Constraints], isIdentity: Bool, _ number: Int,
        _ random: inout SeededRandom
    ) -> String {
        let bounds = constraints.compactMap(\.range?.value)
        let digits = primitive.isInteger ? 0 : 2
        // In units of the last digit, so that no fraction is lost.
        let scale = digits == 0 ? 1 : 100
        var least = bounds.compactMap(\.lower).compactMap { scaled($0, scale, roundsUp: true) }.max()
        var most = bounds.compactMap(\.upper).compactMap { scaled($0, scale, roundsUp: false) }.min()
        let usual = 1...(primitive.isInteger ? 999 : 99_999)
        if least == nil, most == nil { (least, most) = (usual.lowerBound, usual.upperBound) }
        let low = least ?? (most ?? 0) - usual.upperBound
        let high = max(low, most ?? low.addingReportingOverflow(usual.upperBound).partialValue)
        if isIdentity, digits == 0 { return String(min(max(number, low), high)) }
        // Small numbers look like those of a service, also in a wide range.
        let top = high - low > usual.upperBound ? low + usual.upperBound : high
        let chosen = Int.random(in: low...max(low, top), using: &random)
        guard digits > 0 else { return String(chosen) }
        let (whole, rest) = chosen.magnitude.quotientAndRemainder(dividingBy: UInt(scale))
        let fraction = rest < 10 ? "0\(rest)" : "\(rest)"
        let text = "\(chosen < 0 ? "-" : "")\(whole).\(fraction)"
        // A range that is narrower than a hundredth has only its ends.
        let trial = ConstraintTrial()
        let isBroken = constraints.contains { trial.problem(ofNumber: text, $0) != nil }
        return isBroken ? bounds.compactMap { $0.lower ?? $0.upper }.first ?? text : text
    }

    private static func scaled(_ text: String, _ scale: Int, roundsUp: Bool) -> Int? {
        guard let number = Double(text) else { return nil }
        let product = (number * Double(scale)).rounded(roundsUp ? .up : .down)
        return Int(exactly: min(max(product, -1e15), 1e15))
    }
}
