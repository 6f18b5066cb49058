extension DecisionTable {
    /// The first row that matches a response.
    ///
    /// - Parameters:
    ///   - code: the code in the envelope, as text. Empty without one.
    ///   - body: the whole body, which is read only for a row that names a value in it.
    func row(status: Int, code: String, body: [UInt8]) -> DecisionRow? {
        row(status: status, code: code) { $0.matches(body) }
    }
}

extension BodyMatch {
    /// False for a body that is not JSON, or has nothing there.
    func matches(_ body: [UInt8]) -> Bool {
        guard !body.isEmpty else { return false }
        let path = JSONPath(steps: keys)
        let found = try? JSON.scan(body) { reader -> String?? in
            let text = reader.text(at: path)
            reader.skipValue()
            return .some(text)
        }
        return found == text
    }
}

extension JSONPath {
    /// A path in the contract's spelling, with dots between the steps.
    init(dotted: String) {
        self.init(steps: dotted.split(separator: ".").map(String.init))
    }
}
