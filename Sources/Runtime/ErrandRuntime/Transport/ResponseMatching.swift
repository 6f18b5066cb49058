extension DecisionTable {
    /// The first row that matches a response.
    ///
    /// - Parameters:
    ///   - code: the code in the envelope, as text. Empty without one.
    ///   - response: read only for a row that names one of its texts.
    func row(for response: TransportResponse, code: String) -> DecisionRow? {
        row(status: response.status, code: code) { $0.matches(response) }
    }
}

extension ResponseMatch {
    /// False where the response has no such text. A frame has its JSON alone, and the response to a handshake is about the connection.
    func matches(_ response: TransportResponse) -> Bool {
        if response.frame != nil, keys == nil { return false }
        return switch place {
        case .body(let keys): response.scalar(at: keys).map(pattern.matches) ?? false
        case .header(let name): response.headers.combined(name).map(pattern.matches) ?? false
        case .text: response.plainText.map(pattern.matches) ?? false
        }
    }
}

extension TransportResponse {
    /// The scalar at a path of the body; nil for a body that is not JSON, or has nothing there.
    fileprivate func scalar(at keys: [String]) -> String? {
        guard !body.isEmpty else { return nil }
        let path = JSONPath(steps: keys)
        return try? JSON.scan(body) { reader -> String?? in
            let text = reader.text(at: path)
            reader.skipValue()
            return .some(text)
        }
    }

    /// What is compared of a body that is neither JSON nor the XML that the contract declares.
    fileprivate var plainText: String? {
        body.isEmpty || document.map { $0.fault == nil } ?? isJSON ? nil : TextPattern.compared(body)
    }

    private var isJSON: Bool {
        let whole: Void? = try? JSON.scan(body) { reader in reader.skipValue() }
        return whole != nil
    }
}
