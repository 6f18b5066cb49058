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
        if parts.contains(.error), reader.peekKind() != .null { found.hasError = true }
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
        if reading.contains(.inner), reader.peekKind() == .object {
            readObject(&reader, &found)
        } else {
            reader.skipValue()
        }
    }
}
