/// What the rules for requests have to do with those for responses. A test holds that none lacks its mirror.
enum VerdictMirrors {
    enum Mirror: Sendable {
        case slot(String)
        /// Why responses have nothing of the kind.
        case none(String)
    }

    /// The place in responses for each place that only requests have.
    static let ofRequests: [String: Mirror] = [
        "endpoint.query.*": .none("A response has no query."),
        "endpoint.headers.*": .slot("response.headers.*"),
        "endpoint.cookies.*": .none("A contract does not declare the cookies of a response."),
        "endpoint.body": .slot("response.type"),
        "endpoint.compression": .none("A server compresses its responses as the client accepts them."),
        "body.encoding": .slot("response.encoding"),
        "body.fields.*": .slot("response.fields.*"),
        "body.type": .slot("response.type"),
        "body.element": .none("A client reads the document of a response, whatever the name of its element."),
        "body.contentType": .none("A client reads a response by its declared encoding, whatever its media type."),
        "body.nesting": .none("Only a multipart body nests values."),
    ]

    /// Why a place that both may have has one rule for both.
    static let sameForBoth: [String: String] = [
        "field.deprecated": "The compiler warns about the declaration.",
        "field.swift": "The name in Swift is that of the declaration.",
        "type.deprecated": "The compiler warns about the declaration.",
        "type.swift": "The name in Swift is that of the declaration.",
        "type.fields.*": "A renamed field has another name in Swift, and the same one on the wire.",
        "field.fields.*": "A renamed field has another name in Swift, and the same one on the wire.",
        "type.enum.*": "A renamed case has another name in Swift, and the same one on the wire.",
    ]
}
