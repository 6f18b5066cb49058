/// The kinds of objects in a document of OpenAPI 3 and Swagger 2.0, with the objects below them.
enum ObjectKind: String, CaseIterable {
    case document, info, contact, license, server, variable, tag, documentation, components
    case path, operation, parameter, body, media, encoding, response, header, example
    case schema, discriminator, scheme, flows, flow, reference

    /// The kind in a finding.
    var title: String {
        switch self {
        case .document: "the document"
        case .info: "`info`"
        case .components: "`components`"
        case .variable: "a variable of a server"
        case .documentation: "`externalDocs`"
        case .path: "a path"
        case .operation: "an operation"
        case .body: "a request body"
        case .media: "a media type"
        case .encoding: "an encoding"
        case .example: "an example"
        case .discriminator: "a discriminator"
        case .scheme: "a security scheme"
        case .flows: "the flows of a security scheme"
        case .flow: "a flow of a security scheme"
        case .contact, .license, .server, .tag, .parameter, .response, .header, .schema, .reference: "a \(rawValue)"
        }
    }

    /// What is below a key.
    enum Part {
        case one(ObjectKind)
        case list(ObjectKind)
        /// Objects by names that the document chooses.
        case map(ObjectKind)
        /// Values by names that the document chooses, each of which needs to be read.
        case values
    }

    /// The keys with objects below them. Every other key is accounted for as a whole.
    func part(_ key: String) -> Part? { Self.parts[self]?[key] }

    private static let typed: [String: Part] = [
        "schema": .one(.schema), "content": .map(.media), "examples": .map(.example), "items": .one(.schema),
    ]

    private static let parts: [ObjectKind: [String: Part]] = [
        .document: [
            "info": .one(.info), "servers": .list(.server), "paths": .map(.path), "components": .one(.components),
            "tags": .list(.tag), "externalDocs": .one(.documentation), "securityDefinitions": .map(.scheme),
        ],
        .info: ["contact": .one(.contact), "license": .one(.license)],
        .server: ["variables": .map(.variable)],
        .tag: ["externalDocs": .one(.documentation)],
        .components: ["securitySchemes": .map(.scheme)],
        .path: Dictionary(
            (DocumentReader.methods + ["options", "trace"]).map { ($0, Part.one(.operation)) }
                + [
                    ("additionalOperations", .map(.operation)), ("parameters", .list(.parameter)),
                    ("servers", .list(.server)),
                ]
        ) { first, _ in first },
        .operation: [
            "parameters": .list(.parameter), "requestBody": .one(.body), "responses": .map(.response),
            "servers": .list(.server), "externalDocs": .one(.documentation),
        ],
        .parameter: typed,
        .header: typed,
        .body: ["content": .map(.media)],
        .media: [
            "schema": .one(.schema), "itemSchema": .one(.schema), "encoding": .map(.encoding),
            "examples": .map(.example),
        ],
        .encoding: ["headers": .map(.header)],
        .response: ["headers": .map(.header), "content": .map(.media), "schema": .one(.schema)],
        .schema: [
            "properties": .map(.schema), "patternProperties": .map(.schema), "additionalProperties": .one(.schema),
            "unevaluatedProperties": .one(.schema), "items": .one(.schema), "prefixItems": .list(.schema),
            "allOf": .list(.schema), "oneOf": .list(.schema), "anyOf": .list(.schema),
            "discriminator": .one(.discriminator), "externalDocs": .one(.documentation),
        ],
        .discriminator: ["mapping": .values],
        .scheme: ["flows": .one(.flows)],
        .flows: [
            "implicit": .one(.flow), "password": .one(.flow), "clientCredentials": .one(.flow),
            "authorizationCode": .one(.flow), "deviceAuthorization": .one(.flow),
        ],
    ]
}
