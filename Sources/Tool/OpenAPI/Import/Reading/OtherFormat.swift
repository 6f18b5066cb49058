import Diagnostics
import YAMLTree

/// A file of another kind than the importer reads, and the next step with it.
struct OtherFormat {
    let name: String
    let nextStep: String

    /// The kind of a file; nil if it is unknown.
    ///
    /// - Parameter root: its content; nil if it is neither YAML nor JSON.
    init?(_ path: String, _ bytes: [UInt8], _ root: Element?) {
        if let root, let found = Self.found(by: root, path) {
            self = found
            return
        }
        let text = String(decoding: bytes.prefix(2_000), as: UTF8.self)
        let lines = text.split(whereSeparator: \.isNewline).map { $0.trimmingSpaces() }.filter { !$0.isEmpty }
        guard let first = lines.first else { return nil }
        let path = path.lowercased()
        let convert = "convert it to OpenAPI, and import the result"
        if first.hasPrefix("#%RAML") {
            self.init(name: "a document of RAML", nextStep: convert)
        } else if first.hasPrefix("FORMAT: 1A") || path.hasSuffix(".apib") {
            self.init(name: "an API Blueprint", nextStep: convert)
        } else if first.hasPrefix("<") {
            let isWSDL = text.contains("definitions") && text.contains("/wsdl")
            self.init(name: isWSDL ? "a WSDL document" : "XML or HTML", nextStep: isWSDL ? convert : Self.download)
        } else if path.hasSuffix(".proto") || lines.contains(where: { $0.hasPrefix("syntax = \"proto") }) {
            self.init(
                name: "a file of Protocol Buffers",
                nextStep: "convert its HTTP mapping to OpenAPI, and import the result")
        } else if path.hasSuffix(".graphql") || path.hasSuffix(".gql")
            || lines.contains(where: { $0.hasPrefix("type Query") || $0 == "schema {" })
        {
            self.init(name: "a schema of GraphQL", nextStep: "write the requests that the app makes as a contract")
        } else {
            return nil
        }
    }

    private static let download = "save the document itself, and not the page that shows it"

    private init(name: String, nextStep: String) { (self.name, self.nextStep) = (name, nextStep) }

    private static func found(by root: Element, _ path: String) -> OtherFormat? {
        if let version = root.text("arazzo") {
            let urls = root["sourceDescriptions"]?.items.filter { $0.text("type") != "arazzo" }.compactMap {
                $0.text("url")
            }
            let documents = urls.map { $0.prefix(5).map { "`\($0)`" }.joined(separator: ", ") } ?? ""
            return OtherFormat(
                name: "a document of Arazzo \(version), which describes workflows",
                nextStep: "import the documents that it refers to" + (documents.isEmpty ? "" : ": \(documents)"))
        }
        if let version = root.text("asyncapi") {
            return OtherFormat(
                name: "a document of AsyncAPI \(version), which describes messages",
                nextStep:
                    "import the service's OpenAPI document, and write what it sends as a `connection` of the contract")
        }
        if let version = root.text("overlay") {
            return OtherFormat(
                name: "an overlay (\(version)), which changes a document",
                nextStep: "`errand import DOCUMENT --overlay \(path)` applies it")
        }
        if let version = root.text("errand") {
            return OtherFormat(
                name: "a contract (`errand: \(version)`)", nextStep: "`errand lint` and `errand generate` read it")
        }
        if root["info"]?["_postman_id"] != nil || root["info"]?.text("schema")?.contains("postman.com") == true {
            return OtherFormat(
                name: "a Postman collection", nextStep: "convert it to OpenAPI, or ask the service for its document")
        }
        if let version = root.text("swaggerVersion") {
            return OtherFormat(
                name: "a document of Swagger \(version)", nextStep: "convert it to OpenAPI, and import the result")
        }
        if root["log"]?["entries"] != nil {
            return OtherFormat(name: "recorded traffic", nextStep: "`errand replay` compares it with a contract")
        }
        return nil
    }
}
