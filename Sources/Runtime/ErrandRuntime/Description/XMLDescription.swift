/// How the documents of an endpoint are translated between XML and JSON.
///
/// The rest of the pipeline knows JSON only: envelopes, decision tables, generated readers and the redaction of secrets see the
/// translated document.
public final class XMLDescription: Sendable {
    /// Translates the documents. The module `ErrandXML` has a translator with the system's parser.
    public let translator: any XMLTranslator
    /// The types that the shapes refer to by name.
    public let types: XMLTypes
    /// The shape of a response that is a success; nil if the response isn't XML.
    public let response: XMLShape?
    /// The shapes of responses with the data of an error or an outcome, by its name.
    public let data: [String: XMLShape]
    /// The document that the body of a request is; nil if it isn't XML.
    public let body: XMLBody?

    public init(
        _ translator: any XMLTranslator, types: XMLTypes = XMLTypes(), response: XMLShape? = nil,
        data: [String: XMLShape] = [:], body: XMLBody? = nil
    ) {
        self.translator = translator
        self.types = types
        self.response = response
        self.data = data
        self.body = body
    }
}

/// Translates documents between XML and JSON.
public protocol XMLTranslator: Sendable {
    /// The JSON of a document in XML.
    ///
    /// - Parameters:
    ///   - charset: the encoding that the response's `Content-Type` states.
    ///   - shape: the shape of the document's element.
    /// - Throws: why the document cannot be read.
    func json(
        from document: [UInt8], charset: String?, as shape: XMLShape, _ types: XMLTypes
    ) throws(JSONError) -> [UInt8]

    /// The document in XML for JSON.
    ///
    /// - Throws: a value that XML cannot express.
    func document(from json: [UInt8], as body: XMLBody, _ types: XMLTypes) throws(JSONError) -> [UInt8]
}

/// The document of a request in XML.
public struct XMLBody: Sendable, Hashable {
    /// The name of the document's element: `entry`, or `{namespace}entry`.
    public let element: String
    public let shape: XMLShape

    public init(_ element: String, _ shape: XMLShape) {
        self.element = element
        self.shape = shape
    }
}

/// What an element or an attribute becomes in JSON.
public indirect enum XMLShape: Sendable, Hashable {
    /// A string with all of its white space.
    case text
    /// A string without the white space around it: a date, a word of an enumeration.
    case token
    /// Base64, in which white space does not count.
    case bytes
    /// A number.
    case number
    /// A bool.
    case bool
    /// Any JSON value.
    case any
    /// An object with these members.
    case object([XMLMember])
    /// A type of the contract, by its name.
    case type(String)
    /// An array. As a member, each element of its name is an element of the array; otherwise each inner element is.
    case list(XMLShape)
    /// An object with one key for each inner element.
    case map(XMLShape)
    /// The shape that the value of a member identifies. ``others`` identifies that of all other objects.
    case union(by: XMLMember, [String: XMLShape])
    /// The shape whose member is there: each has one that the others lack.
    case choice([XMLMember])

    /// The key of the shape of all objects that no other key of a union identifies.
    public static let others = "*"
}

/// A member of an object.
public struct XMLMember: Sendable, Hashable {
    /// The member's key in JSON, which says where its value is in XML: `@id`, `.`, `title`, `books/book`.
    public let name: String
    public let shape: XMLShape
    /// Whether a list may be absent. Another list without elements is empty.
    public let isOptional: Bool

    public init(_ name: String, _ shape: XMLShape, optional isOptional: Bool = false) {
        self.name = name
        self.shape = shape
        self.isOptional = isOptional
    }
}

/// The shapes of the types of a contract.
public struct XMLTypes: Sendable {
    private var shapes: [String: XMLShape] = [:]

    /// - Parameter members: the types as members: their names and their shapes.
    public init(_ members: [XMLMember] = []) {
        for member in members { shapes[member.name] = member.shape }
    }

    /// The shape of a type. A type without one is read as the document has it.
    public func shape(of name: String) -> XMLShape { shapes[name] ?? .any }

    /// A shape that isn't the name of another one.
    public func resolved(_ shape: XMLShape) -> XMLShape {
        guard case .type(let name) = shape else { return shape }
        let named = self.shape(of: name)
        // The contract's types are structures, enumerations and unions, never other names.
        if case .type = named { return .any }
        return named
    }
}
