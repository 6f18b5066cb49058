import Diagnostics
import ErrandPatterns
import YAMLTree

extension ContractDecoder {
    /// `range`, `length`, `pattern`, `items` and `format` of a mapping.
    mutating func constraints(_ mapping: YAMLMapping) -> Constraints {
        var constraints = Constraints()
        constraints.range = bounds(mapping, "range", of: "numbers") { NumberText.isDecimal($0) }
        constraints.length = bounds(mapping, "length", of: "whole numbers") { (NumberText.integer($0) ?? -1) >= 0 }
        constraints.items = bounds(mapping, "items", of: "whole numbers") { (NumberText.integer($0) ?? -1) >= 0 }
        constraints.pattern = pattern(mapping)
        constraints.format = format(mapping)
        return constraints
    }

    /// `format` with its `zone`.
    private mutating func format(_ mapping: YAMLMapping) -> Located<TimestampFormat>? {
        let zone = text(mapping, "zone")
        var offset = 0
        if let zone {
            guard let seconds = Self.seconds(eastOfUTC: zone.value) else {
                report(
                    .invalidValue, "`zone` must be `UTC` or an offset such as `+08:00`, and is \(quoted(zone.value))",
                    at: zone.range, help: "write `UTC`, `+08:00` or `-05:30`; named time zones change their offset")
                return nil
            }
            offset = seconds
        }
        guard let text = text(mapping, "format") else { return nil }
        do throws(TimestampFormat.Problem) {
            return Located(try TimestampFormat(text.value, offset: offset), at: text.range)
        } catch {
            let place = mapping["format"]?.scalar?.range(ofValue: error.range) ?? text.range
            report(.invalidFormat, error.message, at: place, help: error.help)
            return nil
        }
    }

    /// `UTC`, or `+08:00`.
    private static func seconds(eastOfUTC text: String) -> Int? {
        if text == "UTC" { return 0 }
        let bytes = Array(text.utf8)
        guard bytes.count == 6, bytes[0] == UInt8(ascii: "+") || bytes[0] == UInt8(ascii: "-"),
            bytes[3] == UInt8(ascii: ":")
        else { return nil }
        let digits = [1, 2, 4, 5].map { Int(bytes[$0]) - 0x30 }
        guard digits.allSatisfy({ (0...9).contains($0) }) else { return nil }
        let (hour, minute) = (digits[0] * 10 + digits[1], digits[2] * 10 + digits[3])
        guard hour < 24, minute < 60 else { return nil }
        return (bytes[0] == UInt8(ascii: "-") ? -1 : 1) * (hour * 3600 + minute * 60)
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
                .invalidValue, "`\(key)` must be a range of \(what), and is \(quoted(text.value))", at: text.range,
                help: "write a range, such as `\(key): 1..500`, `0..` or `..100`")
            return nil
        }
        if let lower = Double(parts[0]), let upper = Double(parts[1]), lower > upper {
            report(
                .invalidValue, "the range \(quoted(text.value)) is empty, because it begins above its end",
                at: text.range,
                help: "write the smaller number first")
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
