/// What came of an attempt, as the decision tables of contracts look at it.
public struct Answer: ~Copyable {
    /// How the transport failed; nil where an answer came.
    public let transport: TransportFault.Kind?
    /// The status (RFC 9110 section 15); 0 where no answer came.
    public let status: Int
    /// The code in the envelope, as text: `100` and `"100"` are equal. Empty where there is none.
    public let code: String
    private let body: [UInt8]
    /// Keeps what a table asks for; nil but in a rehearsal.
    var questions: AnswerQuestions?

    init(transport: TransportFault.Kind) {
        self.transport = transport
        status = 0
        code = ""
        body = []
    }

    init(status: Int, code: String, body: [UInt8]) {
        transport = nil
        self.status = status
        self.code = code
        self.body = body
    }

    /// Whether the code in the envelope is this one. Tables ask for each code they know; with static text that is a
    /// comparison of bytes, and little for the compiler.
    public borrowing func hasCode(_ code: StaticString) -> Bool {
        questions?.note(code: "\(code)")
        return code.withUTF8Buffer { self.code.utf8.elementsEqual($0) }
    }

    /// Whether the scalar at a path of the whole body, `error.kind` or `errors.0.code`, is this one: a string's
    /// content, a number as it stands there, `true` or `false`. False where there is none, and where the body is no JSON.
    public borrowing func hasText(_ text: String, at path: String) -> Bool {
        questions?.note(text: text, at: path)
        return self.text(at: path) == text
    }

    private borrowing func text(at path: String) -> String? {
        guard !body.isEmpty else { return nil }
        let path = JSONPath(dotted: path)
        let found = try? JSON.scan(body) { reader -> String?? in
            let text = reader.text(at: path)
            reader.skipValue()
            return .some(text)
        }
        return found ?? nil
    }
}

extension JSONPath {
    /// A path in the contract's spelling, with dots between the steps.
    init(dotted: String) {
        self.init(steps: dotted.split(separator: ".").map(String.init))
    }
}

/// What a decision table says about an answer.
public enum Verdict: Sendable, Hashable {
    /// An error, by its number in the service's list.
    case error(Int)
    /// An outcome, by its number in the endpoint's list.
    case outcome(Int)
    /// No row of the table holds: the built-in ones decide.
    case unmatched
}
