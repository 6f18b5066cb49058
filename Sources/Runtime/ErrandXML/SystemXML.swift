public import ErrandJSON
public import ErrandRuntime

/// Translates documents with the system's parser, `XMLParser` of Foundation.
///
/// A document can be UTF-8, UTF-16, ISO-8859-1 or windows-1252. One that declares entities, elements or attributes is refused, so no
/// entity is expanded and nothing is loaded. Depth, number of elements and size of the result are bounded.
public struct SystemXML: XMLTranslator {
    /// How deep elements may be nested.
    static let maximumDepth = 100
    /// How many elements and attributes a document may have.
    static let maximumNodes = 1 << 20
    /// How many attributes and namespaces one element may state. The parser compares each with all others.
    static let maximumAttributes = 256
    /// How much longer than the document its JSON may become.
    static let maximumGrowth = 16

    public init() {}

    public func json(
        from document: [UInt8], charset: String?, as shape: XMLShape, _ types: XMLTypes
    ) throws(JSONError) -> [UInt8] {
        let text = try DocumentText.utf8(document, charset: charset)
        let tree = try TreeBuilder.tree(of: text)
        let limit = 1 << 16 + Self.maximumGrowth * document.count
        return try JSONTranslation(tree, types, limit: limit).bytes(as: shape)
    }

    public func document(from json: [UInt8], as body: XMLBody, _ types: XMLTypes) throws(JSONError) -> [UInt8] {
        let value = try JSONValue(parsing: json)
        var translation = DocumentTranslation(types)
        return try translation.bytes(of: value, as: body)
    }
}
