import ContractModel

/// The Swift expressions for values in a contract: defaults and bounds.
struct DefaultExpressions {
    let contract: ResolvedContract
    let spelling: TypeSpelling

    /// A field's default; `nil` without one. The resolver refuses a default that Swift cannot express.
    func value(of field: FieldDefinition) -> String? {
        guard let value = field.defaultValue?.value else { return nil }
        let shape = contract.shape(of: field).wrapped
        switch value {
        case .bool(let flag): return flag ? "true" : "false"
        case .emptyList: return "[]"
        case .emptyMap: return "[:]"
        case .enumCase(let name):
            guard case .enumeration(let type) = shape,
                case .enumeration(let definition)? = contract.type(named: type)?.form,
                let found = definition.cases.first(where: { $0.name.value == name })
            else { return nil }
            return spelling.type(named: type) + "." + SwiftIdentifier.spelled(found.identifier)
        case .number(let text): return number(text, shape)
        case .string(let text): return SwiftLiteral.string(text)
        // The resolver has made something else of it, or refused it.
        case .text: return nil
        }
    }

    /// A number of the language in Swift's spelling, of the field's type.
    func number(_ text: String, _ shape: Shape) -> String? {
        guard case .primitive(let primitive) = shape else { return nil }
        switch primitive {
        case .int, .int64: return Int64(text).map(SwiftLiteral.number)
        case .int32: return Int32(text).map(SwiftLiteral.number)
        case .uint: return UInt64(text).map(SwiftLiteral.number)
        case .double: return Double(text).flatMap { fraction($0) }
        // The nearest number that there is: the compiler warns about literals that are not exact.
        case .float: return Float(text).flatMap { fraction($0) }
        case .decimal: return decimal(text)
        default: return nil
        }
    }

    private func fraction<Value: BinaryFloatingPoint & CustomStringConvertible>(_ value: Value) -> String? {
        guard value.isFinite else { return nil }
        return value == value.rounded() && abs(value) < 1e15 ? SwiftLiteral.number(Int64(value)) : value.description
    }

    /// A decimal number by its digits, never through binary.
    private func decimal(_ text: String) -> String? {
        let type = spelling.library("Decimal")
        var rest = Substring(text)
        let isNegative = rest.hasPrefix("-")
        if isNegative || rest.hasPrefix("+") { rest = rest.dropFirst() }
        var exponent = 0
        if let mark = rest.firstIndex(where: { $0 == "e" || $0 == "E" }) {
            guard let power = Int(rest[rest.index(after: mark)...]), abs(power) < 100 else { return nil }
            exponent = power
            rest = rest[..<mark]
        }
        let parts = rest.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let fraction = parts.count == 2 ? parts[1] : ""
        exponent -= fraction.count
        let digits = (parts[0] + fraction).drop { $0 == "0" }
        guard let significand = Int64(digits.isEmpty ? "0" : digits), significand >= 0 else {
            // More digits than an integer has: two numbers that are exact.
            guard let high = Int64(digits.dropLast(18)), let low = Int64(digits.suffix(18)) else { return nil }
            let sum =
                "\(type)(sign: .plus, exponent: 18, significand: \(type)(\(SwiftLiteral.number(high)))) + \(type)(\(SwiftLiteral.number(low)))"
            return
                "\(type)(sign: .\(isNegative ? "minus" : "plus"), exponent: \(exponent), significand: \(sum))"
        }
        if exponent == 0 { return "\(type)(\(isNegative ? "-" : "")\(SwiftLiteral.number(significand)))" }
        return
            "\(type)(sign: .\(isNegative ? "minus" : "plus"), exponent: \(exponent), significand: \(type)(\(SwiftLiteral.number(significand))))"
    }
}
