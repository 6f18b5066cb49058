/// The name of an error or an outcome in the contract. Generated code identifies both by their names everywhere, so that a new
/// one changes only its own lines.
///
/// In generated code it is a literal, which costs the compiler less than a `String`, also in a `switch`.
public struct DeclaredName: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    private enum Text: Sendable {
        case literal(StaticString)
        case text(String)
    }

    private let text: Text

    public init(stringLiteral text: StaticString) { self.text = .literal(text) }

    /// A name that was read from a contract.
    package init(_ text: String) { self.text = .text(text) }

    public var description: String {
        switch text {
        case .literal(let text): "\(text)"
        case .text(let text): text
        }
    }

    @inline(never)
    public static func == (left: DeclaredName, right: DeclaredName) -> Bool {
        switch (left.text, right.text) {
        case (.literal(let left), .literal(let right)):
            left.withUTF8Buffer { left in right.withUTF8Buffer { left.elementsEqual($0) } }
        case (.text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
        case (.text(let text), .literal(let literal)), (.literal(let literal), .text(let text)):
            text.isSame(as: literal)
        }
    }

    @inline(never)
    public static func ~= (pattern: DeclaredName, name: DeclaredName) -> Bool { pattern == name }

    public func hash(into hasher: inout Hasher) {
        switch text {
        case .literal(let text): text.withUTF8Buffer { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        case .text(var text): text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        }
    }
}

extension String {
    /// Whether the text has the bytes of a literal.
    func isSame(as literal: StaticString) -> Bool {
        utf8.count == literal.utf8CodeUnitCount && literal.withUTF8Buffer { utf8.elementsEqual($0) }
    }
}
