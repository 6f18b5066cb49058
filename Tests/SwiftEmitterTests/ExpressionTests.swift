import Testing

@testable import SwiftEmitter

/// Trees become Swift with the parentheses that they need, and no others.
@Suite struct ExpressionTests {
    private let value = Expression.name("value")
    private let one = Expression.integer(1)
    private let less = Expression.integer(-1)

    @Test func aNegativeBoundOfARangeIsInParentheses() {
        #expect(Expression.range(less, one).spelled == "(-1)...1")
        #expect(Expression.range(nil, less).spelled == "...(-1)")
        #expect(Expression.range(one, nil).spelled == "1...")
        #expect(value.method("isBelow", less).spelled == "value.isBelow(-1)")
    }

    @Test func aMemberOfAnOptionalChainIsOfItsResult() {
        let plain = Expression.path(value, [.init(property: "grant", isAfterOptional: false)])
        let chain = Expression.path(
            value, [.init(property: "grant", isAfterOptional: false), .init(property: "life", isAfterOptional: true)])
        #expect(chain.spelled == "value.grant?.life")
        #expect(chain.method("map", closure: .parameter(0)).spelled == "(value.grant?.life).map { $0 }")
        #expect(plain.method("map", closure: .parameter(0)).spelled == "value.grant.map { $0 }")
        #expect(chain.or(.array([])).spelled == "value.grant?.life ?? []")
    }

    @Test func operandsKeepTheirPlace() {
        let sum = Expression.binary(value, .plus, one)
        let choice = Expression.conditional(value, one, otherwise: less)
        #expect(Expression.binary(sum, .plus, one).spelled == "value + 1 + 1")
        #expect(Expression.binary(one, .plus, sum).spelled == "1 + (value + 1)")
        #expect(value.or(value.or(one)).spelled == "value ?? value ?? 1")
        #expect(value.or(value).or(one).spelled == "(value ?? value) ?? 1")
        #expect(Expression.binary(value.or(one), .equals, .null).spelled == "value ?? 1 == nil")
        #expect(Expression.binary(.binary(value, .equals, one), .equals, .null).spelled == "(value == 1) == nil")
        #expect(Expression.member(sum, "bits").spelled == "(value + 1).bits")
        #expect(Expression.not(value.or(one)).spelled == "!(value ?? 1)")
        #expect(choice.or(one).spelled == "(value ? 1 : -1) ?? 1")
        #expect(
            Expression.conditional(choice, one, otherwise: choice).spelled == "(value ? 1 : -1) ? 1 : value ? 1 : -1")
    }

    @Test func textOfAContractStaysInItsLiteral() {
        let hostile = "\") + \\(evil) + (\""
        #expect(Expression.string(hostile).spelled == #""\") + \\(evil) + (\"""#)
        #expect(
            Expression.interpolated([.text(hostile), .value(value)]).spelled
                == #""\") + \\(evil) + (\"\(value)""#)
    }

    @Test func typesAreSpelledByTheirParts() {
        let string = SwiftType.nested(.named("Swift"), "String")
        let type = SwiftType.generic("Nullable", .dictionary(string, .array(.optional(.named("Int")))))
        #expect(type.spelled == "Nullable<[Swift.String: [Int?]]>")
        #expect(string.make(value).spelled == "Swift.String(value)")
        #expect(Expression.function(string.member("load"), labels: ["from"]).spelled == "Swift.String.load(from:)")
    }

    @Test func rowsAreLines() {
        #expect(Expression.rows([]).layout.printed == "[]")
        #expect(Expression.rows([one]).layout.printed == "[\n    1\n]")
        #expect(Expression.rows([one, less]).layout.printed == "[\n    1,\n    -1,\n]")
    }
}
