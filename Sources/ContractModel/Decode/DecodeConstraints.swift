import Diagnostics
import ErrandPatterns
import YAMLTree

extension ContractDecoder {
    /// `range`, `length`, `pattern` and `items` of a mapping.
    mutating func constraints(_ mapping: YAMLMapping) -> Constraints {
        var constraints = Constraints()
        constraints.range = bounds(mapping, "range", of: "numbers") { NumberText.isDecimal($0) }
        constraints.length = bounds(mapping, "length", of: "whole numbers") { (NumberText.integer($0) ?? -1) >= 0 }
        constraints.items = bounds(mapping, "items", of: "whole numbers") { (NumberText.integer($0) ?? -1) >= 0 }
        constraints.pattern = pattern(mapping)
        return constraints
    }

    /// `1..500`, `0..`, `..100`, or one number for both ends.
    private mutating func bounds(
        _ mapping: YAMLMapping, _ key: String, of what: String, isValid: (String) -> Bool
    ) -> Located<Constraints.Bounds>? {
        guard let text = text(mapping, key) else { return nil }
        let ends = NumberText.ends(of: text.value.filter { $0 != " " })
        let parts = [ends[0], ends[ends.count - 1]]
        guard parts.contains(where: { !$0.isEmpty }), parts.allSatisfy({ $0.isEmpty || isValid($0) }) else {
            report(
                .invalidValue, "`\(key)` is a range of \(what), and \(quoted(text.value)) is not", at: text.range,
                help: "write `\(key): 1..500`, `0..` or `..100`")
            return nil
        }
        if let lower = Double(parts[0]), let upper = Double(parts[1]), lower > upper {
            report(
                .invalidValue, "\(quoted(text.value)) is empty: it begins above its end", at: text.range,
                help: "write the lesser number first")
            return nil
        }
        return text.map { _ in
            Constraints.Bounds(lower: parts[0].isEmpty ? nil : parts[0], upper: parts[1].isEmpty ? nil : parts[1])
        }
    }

    /// A pattern that the runtime can match. Of any other, the first mistake is reported at its place in the pattern.
    private mutating func pattern(_ mapping: YAMLMapping) -> Located<String>? {
        guard let text = text(mapping, "pattern") else { return nil }
        do throws(PatternProblem) {
            _ = try RegularPattern(text.value)
            return text
        } catch {
            let place = mapping["pattern"]?.scalar?.range(ofValue: error.range) ?? text.range
            report(
                error.kind == .unsupported ? .unsupportedPattern : .invalidPattern, error.message, at: place,
                help: error.help)
            return nil
        }
    }
}
