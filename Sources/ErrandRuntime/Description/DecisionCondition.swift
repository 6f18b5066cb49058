/// The statuses of one row of a decision table: `401`, `.range(500...599)` or `[408, .range(502...504)]`.
public struct StatusSet: Sendable, ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral {
    package let first: ClosedRange<Int>
    private let others: [StatusSet]

    private init(_ first: ClosedRange<Int>, _ others: [StatusSet] = []) {
        self.first = first
        self.others = others
    }

    public init(integerLiteral status: Int) { self.init(status...status) }

    public init(arrayLiteral sets: StatusSet...) {
        self.init(sets.first?.first ?? 0...0, Array(sets.dropFirst()))
    }

    public static func range(_ range: ClosedRange<Int>) -> StatusSet { StatusSet(range) }

    /// The ranges, in the contract's order.
    package var ranges: [ClosedRange<Int>] { [first] + others.flatMap(\.ranges) }

    package func contains(_ status: Int) -> Bool {
        first.contains(status) || (!others.isEmpty && others.contains { $0.contains(status) })
    }
}

/// The codes of one row of a decision table: `"900005"`, `.range(4010...4019)` or `["7", .range(4010...4019)]`.
///
/// Codes are compared as text: `100` and `"100"` are equal. A range takes its whole numbers however
/// they are written: `4010` and `04010`.
public struct CodeSet: Sendable, ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
    private let text: StaticString
    private let numbers: ClosedRange<Int>?
    private let others: [CodeSet]

    private init(_ text: StaticString, _ numbers: ClosedRange<Int>? = nil, _ others: [CodeSet] = []) {
        self.text = text
        self.numbers = numbers
        self.others = others
    }

    public init(stringLiteral text: StaticString) { self.init(text) }

    public init(arrayLiteral sets: CodeSet...) {
        self.init(sets.first?.text ?? "", sets.first?.numbers, Array(sets.dropFirst()))
    }

    public static func range(_ range: ClosedRange<Int>) -> CodeSet { CodeSet("", range) }

    /// One code that matches.
    package var example: String { numbers.map { String($0.lowerBound) } ?? "\(text)" }

    package func contains(_ code: String) -> Bool {
        if code.isEmpty { return false }
        if let numbers {
            if let number = Int(code), numbers.contains(number) { return true }
        } else if code.isSame(as: text) {
            return true
        }
        return !others.isEmpty && others.contains { $0.contains(code) }
    }
}

/// A value in the body that a row of a decision table names.
public struct BodyMatch: Sendable {
    /// Where the value is, with dots between the steps.
    package let path: String
    package let text: String
    private let steps: JSONPath

    /// The scalar at a path of the whole body, `error.kind` or `errors.0.code`, is this text: a string's content, a number
    /// as it is spelled, `true` or `false`.
    public static func text(_ text: String, at path: String) -> BodyMatch {
        BodyMatch(path: path, text: text, steps: JSONPath(dotted: path))
    }

    /// False for a body that is not JSON, or has nothing there.
    func matches(_ body: [UInt8]) -> Bool {
        guard !body.isEmpty else { return false }
        let found = try? JSON.scan(body) { reader -> String?? in
            let text = reader.text(at: steps)
            reader.skipValue()
            return .some(text)
        }
        return found == text
    }
}

/// The name of an error or an outcome in the contract.
///
/// A literal, which costs the compiler less than a `String`, also in a `switch`.
public struct DeclaredName: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    private let text: StaticString

    public init(stringLiteral text: StaticString) { self.text = text }

    public var description: String { "\(text)" }

    @inline(never)
    public static func == (left: DeclaredName, right: DeclaredName) -> Bool {
        left.text.withUTF8Buffer { left in right.text.withUTF8Buffer { left.elementsEqual($0) } }
    }

    @inline(never)
    public static func ~= (pattern: DeclaredName, name: DeclaredName) -> Bool { pattern == name }

    public func hash(into hasher: inout Hasher) {
        text.withUTF8Buffer { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

extension String {
    /// Whether the text has the bytes of a literal.
    fileprivate func isSame(as literal: StaticString) -> Bool {
        utf8.count == literal.utf8CodeUnitCount && literal.withUTF8Buffer { utf8.elementsEqual($0) }
    }
}

extension JSONPath {
    /// A path in the contract's spelling, with dots between the steps.
    init(dotted: String) {
        self.init(steps: dotted.split(separator: ".").map(String.init))
    }
}
