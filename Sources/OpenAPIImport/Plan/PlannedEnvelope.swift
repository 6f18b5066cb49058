/// How responses wrap their payload, as the contract says it.
struct PlannedEnvelope: Hashable {
    var data: String?
    var code: String?
    var message: String?
    var error: String?
    var success: [String] = []

    /// Whether no part of it tells a success from a failure.
    var isOpen: Bool { code != nil && error == nil && success.isEmpty }

    /// The guesses that a person should review.
    var reviews: [String] {
        var reviews: [String] = []
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

/// A failure that a successful status can carry.
struct CodedFailure {
    /// Its condition, as the contract writes it: `{code: expired}`.
    var condition: String
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
