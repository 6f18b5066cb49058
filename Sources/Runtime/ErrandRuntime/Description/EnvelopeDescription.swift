/// How a service wraps its payloads (`envelopes` in the contract): the paths of the parts, and the condition of a
/// success.
///
/// Paths are of the whole body, with dots between the steps.
public final class EnvelopeDescription: Sendable {
    /// The condition of a success, beside a 2xx status.
    public enum Success: Sendable {
        /// Nothing.
        case status
        /// That the envelope holds no error.
        case withoutError
        /// That the code is one of these.
        case codes(CodeSet)
        /// Both.
        case codesWithoutError(CodeSet)
    }

    package let success: Success
    /// Where the payload is; nil if it is the whole body.
    package let data: String?
    /// Where the payload is if it is a list.
    package let list: String?
    package let code: String?
    package let error: String?
    package let message: String?
    /// Whether the whole body is the payload.
    package let isNone: Bool
    /// How the parts are found in a body; nil without parts.
    let root: EnvelopeNode?
    let listPath: JSONPath?
    /// The place of a list inside the value at `data`; nil if lists aren't there.
    let listInData: JSONPath?

    /// - Parameters:
    ///   - success: what tells a success.
    ///   - data: the path of the payload; nil if it is the whole body.
    ///   - list: where the payload is if it is a list: `data.list`. If the value at `data` is an array itself, that one is
    ///     taken.
    ///   - code: the path of the code.
    ///   - error: the path of the error; nil if the envelope has no error.
    ///   - message: the path of the message for people.
    public convenience init(
        success: Success, data: String? = nil, list: String? = nil, code: String? = nil, error: String? = nil,
        message: String? = nil
    ) {
        self.init(success, data: data, list: list, code: code, error: error, message: message, isNone: false)
    }

    private init(
        _ success: Success, data: String? = nil, list: String? = nil, code: String? = nil, error: String? = nil,
        message: String? = nil, isNone: Bool
    ) {
        self.success = success
        self.data = data
        self.list = list
        self.code = code
        self.error = error
        self.message = message
        self.isNone = isNone
        root = isNone ? nil : EnvelopeNode(data: data, error: error, code: code, message: message)
        listPath = list.map(JSONPath.init(dotted:))
        if let data, let list, list.hasPrefix(data + ".") {
            listInData = JSONPath(dotted: String(list.dropFirst(data.count + 1)))
        } else {
            listInData = nil
        }
    }

    /// No envelope: the body is the payload, and the status tells a success.
    public static let none = EnvelopeDescription(.status, isNone: true)
}

extension JSONPath {
    /// A path in the contract's spelling, with dots between the steps.
    init(dotted: String) {
        self.init(steps: dotted.split(separator: ".").map(String.init))
    }
}
