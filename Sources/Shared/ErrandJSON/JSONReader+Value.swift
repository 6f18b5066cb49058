extension JSONReader {
    /// Reads a value of any kind.
    ///
    /// A loop rather than a recursion, so that nesting up to the limit costs no stack.
    public mutating func readValue() -> JSONValue {
        var open: [OpenValue] = []
        while true {
            var finished: JSONValue?
            switch peekKind() {
            case .object: open.append(OpenValue(fields: beginObject()))
            case .array: open.append(OpenValue(elements: beginArray()))
            default: finished = readScalar()
            }
            // Put what is complete into what is open around it, as far up as that goes.
            while true {
                if isFaulted { return .null }
                guard let top = open.indices.last else { return finished ?? .null }
                if let finished { open[top].add(finished) }
                if open[top].isObject {
                    if let key = nextKey(&open[top].fields) {
                        open[top].key = key
                        break
                    }
                } else if nextElement(&open[top].elements) {
                    break
                }
                finished = open.removeLast().value
            }
        }
    }

    private mutating func readScalar() -> JSONValue {
        switch peekKind() {
        case .string: return .string(readString())
        case .bool: return .bool(readBool())
        case .null:
            _ = consumeLiteral("null")
            return .null
        case .number:
            guard let number = readNumberExtent("value") else { return .null }
            return .number(JSONNumber(validated: number.text))
        case .object, .array, .end:
            recordMismatch("value")
            return .null
        }
    }
}

/// An array or object whose end has not been read.
private struct OpenValue {
    let isObject: Bool
    var fields = JSONFields()
    var elements = JSONElements()
    var key = ""
    var list: [JSONValue] = []
    var object = JSONObject()

    init(fields: JSONFields) {
        isObject = true
        self.fields = fields
    }

    init(elements: JSONElements) {
        isObject = false
        self.elements = elements
    }

    mutating func add(_ value: JSONValue) {
        if isObject { object[key] = value } else { list.append(value) }
    }

    var value: JSONValue { isObject ? .object(object) : .array(list) }
}
