import ContractModel

/// How responses wrap their payload, as the contract says it.
struct PlannedEnvelope: Hashable {
    var data: String?
    var code: String?
    var message: String?
    var error: String?
    var success: [String] = []
    /// Whether failures have statuses of their own, and the code only informs.
    var isDecidedByStatus = false

    /// Whether no part of it tells a success from a failure.
    var isOpen: Bool { code != nil && error == nil && success.isEmpty && !isDecidedByStatus }

    /// The guesses that a person should review.
    var reviews: [String] {
        var reviews: [String] = []
        if isDecidedByStatus {
            reviews.append("a response with a successful status is a success whatever its `\(code ?? "")`")
        }
        if isOpen { reviews.append("the document does not say which codes are a success: add `success`") }
        if let data { reviews.append("the client reads nothing but `\(data)` of these responses") }
        if let error {
            reviews.append(
                "a response with `\(error)` is a failure whatever its status, and its other values are not read")
        } else if !success.isEmpty {
            reviews.append(
                "a response with another `\(code ?? "")` than \(success.map { "`\($0)`" }.joined(separator: ", ")) is a failure"
            )
        }
        return reviews
    }
}

/// What tells a failure with a successful status from a success.
enum FailureSign: Hashable {
    /// The code of the envelope.
    case code(String)
    /// The value of a key.
    case value(String, key: String)

    var condition: Condition {
        var condition = Condition(range: .nowhere)
        switch self {
        case .code(let code): condition.codes = [Located(.text(code))]
        case .value(let text, let key):
            condition.statuses = [Located(200...299)]
            condition.body = [
                Condition.BodyMatch(path: Located(FieldPath([key])), text: Located(TextPattern(exactly: text).spelling))
            ]
        }
        return condition
    }
}

/// A failure that a successful status can carry.
struct CodedFailure {
    var sign: FailureSign
    var code: String
    var data: PlannedType?
    var doc: String?
}

/// The content of a response with a successful status, without its wrapper.
struct Unwrapped {
    var envelope: PlannedEnvelope?
    /// The schemas of the payload.
    var payload: [Element]
    var isOptional = false
    var failures: [CodedFailure] = []
    /// Whether `failures` are what `default` describes.
    var carriesDefault = false
    /// Comments above the endpoint.
    var notes: [String] = []
}
