/// A JSON value (RFC 8259) that keeps the text of its numbers and the order of its members.
package indirect enum JSONNode: Sendable, Equatable {
    case null
    case bool(Bool)
    /// A number by its text.
    case number(String)
    case string(String)
    case array([JSONNode])
    case object([Member])

    package struct Member: Sendable, Equatable {
        package var name: String
        package var value: JSONNode

        package init(_ name: String, _ value: JSONNode) {
            self.name = name
            self.value = value
        }
    }

    package static func number(_ value: Int) -> JSONNode { .number(String(value)) }

    /// The member with this name. Setting nil removes it, and setting a member of anything else makes it an object.
    package subscript(name: String) -> JSONNode? {
        get {
            guard case .object(let members) = self else { return nil }
            return members.last { $0.name == name }?.value
        }
        set {
            var members = self.members ?? []
            if let index = members.lastIndex(where: { $0.name == name }) {
                if let newValue { members[index].value = newValue } else { members.remove(at: index) }
            } else if let newValue {
                members.append(Member(name, newValue))
            }
            self = .object(members)
        }
    }

    /// Sets many members, of which the last one of a name counts. An object that a client chose can have hundreds of thousands.
    package mutating func merge(_ new: [Member]) {
        var members = self.members ?? []
        var positions = Dictionary(members.enumerated().map { ($1.name, $0) }) { $1 }
        for member in new {
            if let position = positions[member.name] {
                members[position].value = member.value
            } else {
                positions[member.name] = members.count
                members.append(member)
            }
        }
        self = .object(members)
    }

    package var members: [Member]? {
        if case .object(let members) = self { members } else { nil }
    }

    package var elements: [JSONNode]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// The text of a scalar: a string's content, a number as it is spelled, `true` or `false`. Nil for anything else.
    package var scalarText: String? {
        switch self {
        case .string(let text), .number(let text): text
        case .bool(let flag): flag ? "true" : "false"
        case .null, .array, .object: nil
        }
    }

    /// The name of the value's kind in messages.
    package var kindName: String {
        switch self {
        case .null: "null"
        case .bool: "a Boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "a list"
        case .object: "an object"
        }
    }

    /// A code or another scalar as servers send it: a number if the text is one.
    package static func scalar(_ text: String) -> JSONNode {
        if text == "true" || text == "false" { return .bool(text == "true") }
        if let number = Int(text), String(number) == text { return .number(text) }
        return .string(text)
    }
}

// MARK: Paths

extension JSONNode {
    /// Puts a value at a path, and makes the objects and lists on the way. A step of digits is the position in a list, unless an
    /// object is there.
    package mutating func put(_ value: JSONNode, at keys: ArraySlice<String>) {
        guard let key = keys.first else {
            self = value
            return
        }
        if let position = Int(key), (0..<Self.longestMadeList).contains(position), members == nil {
            var list = elements ?? []
            while list.count <= position { list.append(.null) }
            list[position].put(value, at: keys.dropFirst())
            self = .array(list)
        } else {
            var member = self[key] ?? .null
            member.put(value, at: keys.dropFirst())
            self[key] = member
        }
    }

    /// A contract's path cannot make a longer list.
    private static let longestMadeList = 16

    /// The value at a path. A step that is not a position leads into the first element of a list, as in the runtime.
    package func value(at keys: ArraySlice<String>) -> JSONNode? {
        guard let key = keys.first else { return self }
        switch self {
        case .object: return self[key]?.value(at: keys.dropFirst())
        case .array(let list):
            if let position = Int(key) {
                return list.indices.contains(position) ? list[position].value(at: keys.dropFirst()) : nil
            }
            return list.first?.value(at: keys)
        case .null, .bool, .number, .string: return nil
        }
    }
}

// MARK: Size

extension JSONNode {
    /// The bytes that the value takes in the memory, about.
    package var size: Int {
        switch self {
        case .null, .bool: Self.overhead
        case .number(let text), .string(let text): Self.overhead + text.utf8.count
        case .array(let elements): elements.reduce(Self.overhead) { $0 + $1.size }
        case .object(let members): members.reduce(Self.overhead) { $0 + $1.name.utf8.count + $1.value.size }
        }
    }

    private static let overhead = 64
}

// MARK: Text

extension JSONNode: CustomStringConvertible {
    /// The value as JSON, without blanks.
    package var description: String {
        var text = ""
        write(to: &text)
        return text
    }

    package var bytes: [UInt8] { Array(description.utf8) }

    /// The value as JSON over several lines, as Xcode writes string catalogs: two blanks for each level, and a blank before each
    /// colon.
    package var lines: String {
        var text = ""
        writeLines(to: &text, indent: "")
        return text + "\n"
    }

    private func writeLines(to text: inout String, indent: String) {
        let inner = indent + "  "
        switch self {
        case .null, .bool, .number, .string: write(to: &text)
        case .array(let elements):
            text += "["
            for (position, element) in elements.enumerated() {
                text += (position > 0 ? ",\n" : "\n") + inner
                element.writeLines(to: &text, indent: inner)
            }
            text += "\n\(indent)]"
        case .object(let members):
            text += "{"
            for (position, member) in members.enumerated() {
                text += (position > 0 ? ",\n" : "\n") + inner
                Self.write(member.name, to: &text)
                text += " : "
                member.value.writeLines(to: &text, indent: inner)
            }
            text += members.isEmpty ? "\n\n\(indent)}" : "\n\(indent)}"
        }
    }

    private func write(to text: inout String) {
        switch self {
        case .null: text += "null"
        case .bool(let flag): text += flag ? "true" : "false"
        case .number(let number): text += number
        case .string(let value): Self.write(value, to: &text)
        case .array(let elements):
            text += "["
            for (position, element) in elements.enumerated() {
                if position > 0 { text += "," }
                element.write(to: &text)
            }
            text += "]"
        case .object(let members):
            text += "{"
            for (position, member) in members.enumerated() {
                if position > 0 { text += "," }
                Self.write(member.name, to: &text)
                text += ":"
                member.value.write(to: &text)
            }
            text += "}"
        }
    }

    private static func write(_ value: String, to text: inout String) {
        JSONQuoting.write(value, escaping: .lineEnds, to: &text)
    }
}
