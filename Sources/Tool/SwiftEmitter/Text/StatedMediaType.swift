import ContractModel

extension BodyDefinition {
    /// The media type that generated code states for a document; nil if it is `application/json`.
    var statedMediaType: String? { contentType ?? (encoding == .xml ? "application/xml" : nil) }
}
