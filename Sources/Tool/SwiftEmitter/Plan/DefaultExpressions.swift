import ContractModel

/// The Swift expressions for values in a contract: defaults and bounds.
struct DefaultExpressions {
    let contract: ResolvedContract
    let spelling: TypeSpelling

    /// A field's default; `nil` without one. The resolver refuses a default that Swift cannot express.
    func value(of field: FieldDefinition) -> Expression? {
        guard let value = field.defaultValue?.value else { return nil }
        let shape = contract.shape(of: field).wrapped
        switch value {
        case .bool(let flag): return .bool(flag)
        case .emptyList: return .array([])
        case .emptyMap: return .emptyDictionary
        case .enumCase(let name):
            guard case .enumeration(let type) = shape,
                case .enumeration(let definition)? = contract.type(named: type)?.form,
                let found = definition.cases.first(where: { $0.name.value == name })
            else { return nil }
            return spelling.type(named: type).member(SwiftIdentifier.spelled(found.identifier))
        case .number(let text): return number(text, shape)
        case .string(let text): return .string(text)
        // The resolver has made something else of it, or refused it.
        case .text: return nil
        }
    }

    /// A number of the language in Swift's spelling, of the field's type.
    func number(_ text: String, _ shape: Shape) -> Expression? {
        guard case .primitive(let primitive) = shape else { return nil }
        switch primitive {
        case .int, .int64: return Int64(text).map(Expression.integer)
        case .int32: return Int32(text).map(Expression.integer)
        case .uint: return UInt64(text).map(Expression.integer)
        case .double: return Double(text).flatMap { fraction($0) }
        // The nearest number that there is: the compiler warns about literals that are not exact.
        case .float: return Float(text).flatMap { fraction($0) }
        case .decimal: return decimal(text)
        default: return nil
        }
    }

    private func fraction<Value: BinaryFloatingPoint & CustomStringConvertible>(_ value: Value) -> Expression? {
        guard value.isFinite else { return nil }
        return value == value.rounded() && abs(value) < 1e15 ? .integer(Int64(value)) : .fraction(value)
    }

    /// A decimal number by its digits, never through binary.
    private func decimal(_ text: String) -> Expression? {
        guard let number = DecimalDigits(text) else { return nil }
        let type = spelling.library("Decimal")
        func scaled(_ significand: Expression, by exponent: Int, isNegative: Bool) -> Expression {
            type.make([
                Argument("sign", .implicit(isNegative ? "minus" : "plus")), Argument("exponent", .integer(exponent)),
                Argument("significand", significand),
            ])
        }
        guard let significand = number.digits.isEmpty ? 0 : Int64(number.digits) else {
            // More digits than an integer has: two numbers that are exact.
            guard let high = Int64(number.digits.dropLast(18)), let low = Int64(number.digits.suffix(18)) else {
                return nil
            }
            let rest = type.make(.integer(low))
            let sum = Expression.binary(
                scaled(type.make(.integer(high)), by: 18, isNegative: false), .plus, rest)
            return scaled(sum, by: number.exponent, isNegative: number.isNegative)
        }
        if number.exponent == 0 { return type.make(.integer(significand, isNegative: number.isNegative)) }
        return scaled(type.make(.integer(significand)), by: number.exponent, isNegative: number.isNegative)
    }
}
