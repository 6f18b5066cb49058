/// What an OpenAPI document says beside the contract that it becomes, as far as a comparison of two documents needs it.
package struct DocumentFacts: Sendable {
    /// The types whose names the import has made of their places. No app has the name from the document.
    package var madeTypes: Set<String> = []
    /// The keys that lead to the inputs that the document requires although they have defaults.
    package var demanded: Set<[String]> = []
    /// The bodies of endpoints, by their names.
    package var bodies: [String: Body] = [:]

    /// The media types of a body.
    package struct Body: Sendable {
        /// The one that the client sends.
        package var sent: String
        /// All that the server takes.
        package var all: Set<String>

        package init(sent: String, all: Set<String>) { (self.sent, self.all) = (sent, all) }
    }

    package init() {}
}
