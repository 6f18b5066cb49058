extension EnvelopeDescription {
    /// Whether a response is a success.
    func succeeds(status: Int, _ parts: EnvelopeParts) -> Bool {
        (200..<300).contains(status) && saysSuccess(parts)
    }

    /// Whether the envelope, as far as it was read, says that this is a success.
    func saysSuccess(_ parts: EnvelopeParts) -> Bool {
        switch success {
        case .status: return true
        case .withoutError: return !parts.hasError
        case .codes(let codes): return codes.contains(parts.code)
        case .codesWithoutError(let codes): return !parts.hasError && codes.contains(parts.code)
        }
    }
}

extension EnvelopeNode {
    /// Reads the parts inside the object that is next.
    func readObject(_ reader: inout JSONReader, _ found: inout EnvelopeParts) {
        var fields = reader.beginObject()
        while true {
            let index = reader.nextField(keys, &fields)
            guard index >= 0 else { return }
            children[index].readValue(&reader, &found)
        }
    }

    /// Reads the value that is next, once for each part that it is.
    private func readValue(_ reader: inout JSONReader, _ found: inout EnvelopeParts) {
        if parts.contains(.error), Self.isError(&reader) { found.hasError = true }
        let reading = parts.intersection(.reading)
        if reading == .data { return found.markData(&reader) }
        if reading == .code { return found.readCode(&reader) }
        if reading == .message { return found.readMessage(&reader) }
        let start = reader.mark()
        if reading.contains(.code) {
            found.readCode(&reader)
            reader.rewind(to: start)
        }
        if reading.contains(.message) {
            found.readMessage(&reader)
            reader.rewind(to: start)
        }
        if reading.contains(.data) {
            found.markData(&reader)
            reader.rewind(to: start)
        }
        switch reader.peekKind() {
        case .object where reading.contains(.inner): readObject(&reader, &found)
        case .array where reading.contains(.inner): readFirst(&reader, &found)
        default: reader.skipValue()
        }
    }

    /// Reads the parts inside the first element of the list that is next, but no payload: `errors: [{code: …}]` has one code.
    private func readFirst(_ reader: inout JSONReader, _ found: inout EnvelopeParts) {
        let wasInElement = found.isInElement
        found.isInElement = true
        defer { found.isInElement = wasInElement }
        var elements = reader.beginArray()
        var isFirst = true
        while reader.nextElement(&elements) {
            if isFirst, reader.peekKind() == .object { readObject(&reader, &found) } else { reader.skipValue() }
            isFirst = false
        }
    }

    /// Whether the next value indicates an error. Null and an empty list don't.
    private static func isError(_ reader: inout JSONReader) -> Bool {
        guard reader.peekKind() == .array else { return reader.peekKind() != .null }
        let start = reader.mark()
        defer { reader.rewind(to: start) }
        var elements = reader.beginArray()
        return reader.nextElement(&elements)
    }
}
