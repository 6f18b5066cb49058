/// How a response wraps its payload. Without `data` the whole body is the payload.
package struct EnvelopeDefinition: Sendable {
    package var name: Located<String>
    /// Where the payload is.
    package var data: Located<FieldPath>?
    /// Where the payload is when the response is a list; an array at `data` itself is taken too.
    package var list: Located<FieldPath>?
    package var code: Located<FieldPath>?
    package var message: Located<FieldPath>?
    /// If this member is present, and neither null nor an empty list, the response is a failure.
    package var error: Located<FieldPath>?
    /// The codes of a success.
    package var success: [Located<CodeMatch>] = []
    /// Whether the status alone tells a success, and the code only informs (`success: status`).
    package var isDecidedByStatus = false
    package var doc: String?

    package init(name: Located<String>) {
        self.name = name
    }
}
