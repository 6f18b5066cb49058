import ErrandJSON

/// A place in a document, from the path that a fault prints: `$.list[1]['a b']`.
struct JSONLocation: CustomStringConvertible {
    enum Step: Hashable {
        case key(String)
        case index(Int)
    }

    var steps: [Step] = []

    /// From dots between keys, as contracts spell paths.
    init(dotted path: String) {
        steps = path.split(separator: ".").map { .key(String($0)) }
    }

    /// Nil if the text isn't such a path.
    init?(_ path: String) {
        guard path.first == "$" else { return nil }
        var rest = path.dropFirst()
        while let first = rest.first {
            rest.removeFirst()
            if first == "." {
                let key = rest.prefix { $0 != "." && $0 != "[" }
                steps.append(.key(String(key)))
                rest = rest.dropFirst(key.count)
            } else if first == "[", rest.first == "'" {
                rest.removeFirst()
                var key = ""
                while let character = rest.popFirst(), character != "'" {
                    key.append(character == "\\" ? rest.popFirst() ?? "\\" : character)
                }
                guard rest.popFirst() == "]" else { return nil }
                steps.append(.key(key))
            } else if first == "[" {
                let digits = rest.prefix { $0 != "]" }
                guard let index = Int(digits) else { return nil }
                steps.append(.index(index))
                rest = rest.dropFirst(digits.count + 1)
            } else {
                return nil
            }
        }
    }

    /// The last name in it: that of the member, or of the list.
    var name: String {
        for step in steps.reversed() {
            if case .key(let key) = step { return key }
        }
        return ""
    }

    var description: String {
        steps.map { step in
            switch step {
            case .key(let key): "." + key
            case .index(let index): "[\(index)]"
            }
        }.joined()
    }
}

extension JSONValue {
    /// Puts a value at a place, and makes the objects and lists on the way.
    mutating func put(_ value: JSONValue, at steps: ArraySlice<JSONLocation.Step>) {
        guard let first = steps.first else {
            self = value
            return
        }
        switch first {
        case .key(let key):
            var member = self[key] ?? .null
            member.put(value, at: steps.dropFirst())
            self[key] = member
        case .index(let index):
            var list = array ?? []
            while list.count <= index { list.append(.null) }
            list[index].put(value, at: steps.dropFirst())
            self = .array(list)
        }
    }

    /// The value at a place; nil without a value there.
    func value(at steps: ArraySlice<JSONLocation.Step>) -> JSONValue? {
        guard let first = steps.first else { return self }
        switch first {
        case .key(let key): return self[key]?.value(at: steps.dropFirst())
        case .index(let index): return self[index]?.value(at: steps.dropFirst())
        }
    }

    /// All places that hold a text, in the document's order.
    func textPlaces(below steps: [JSONLocation.Step] = []) -> [[JSONLocation.Step]] {
        switch self {
        case .string: [steps]
        case .array(let list):
            list.enumerated().flatMap { $1.textPlaces(below: steps + [.index($0)]) }
        case .object(let object):
            object.flatMap { $0.value.textPlaces(below: steps + [.key($0.key)]) }
        case .null, .bool, .number: []
        }
    }
}
