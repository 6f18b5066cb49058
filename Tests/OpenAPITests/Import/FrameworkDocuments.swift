@testable import OpenAPI

/// Documents as the tools of frameworks write them, each in the smallest form by which an import recognizes it.
enum FrameworkDocuments {
    /// The text of a document.
    static func text(
        _ paths: String, schemas: String = "Item: {type: object}", schemes: String = "{}",
        servers: String = "[{url: https://api.sample.example}]"
    ) -> String {
        """
        openapi: 3.1.0
        info: {title: Sample, version: 1.0.0}
        servers: \(servers)
        paths:
        \(indented(paths, "  "))
        components:
          securitySchemes: \(schemes)
          schemas:
        \(indented(schemas, "    "))
        """
    }

    private static func indented(_ text: String, _ space: String) -> String {
        text.split(separator: "\n").map { space + $0 }.joined(separator: "\n")
    }

    static func imported(_ text: String, passes: [ImportPass] = ImportPass.all) -> ImportedDocument {
        ImportedDocument(files: ["api.yaml": text], passes: passes)
    }

    static func json(_ schema: String) -> String {
        "content: {application/json: {schema: {$ref: '#/components/schemas/\(schema)'}}}"
    }

    // MARK: FastAPI

    static let validation = """
        HTTPValidationError:
          type: object
          properties: {detail: {type: array, items: {$ref: '#/components/schemas/ValidationError'}}}
        ValidationError:
          type: object
          required: [loc, msg, type]
          properties: {loc: {type: array, items: {type: string}}, msg: {type: string}, type: {type: string}}
        Token: {type: object, required: [access_token], properties: {access_token: {type: string}}}
        Item: {type: object, properties: {price: {type: number}}}
        """
    static let passwordFlow = "{user: {type: oauth2, flows: {password: {tokenUrl: token, scopes: {}}}}}"
    private static let invalid = "422: {description: Validation Error, \(json("HTTPValidationError"))}"

    /// - Parameters:
    ///   - failures: further responses of the first operation, each with a comma behind it.
    ///   - path: the path of the operation that gives tokens.
    ///   - token: the schema of its response.
    static func fastAPI(
        _ failures: String = "", schemas: String = validation, schemes: String = passwordFlow,
        security: String = "[{user: []}]", path: String = "/token", token: String = "Token",
        servers: String = "[{url: https://api.sample.example}]"
    ) -> String {
        text(
            """
            /items:
              get:
                operationId: listItems
                security: \(security)
                responses: {\(failures)200: {description: Fine, \(json("Item"))}, \(invalid)}
            \(path):
              post:
                operationId: logIn
                requestBody:
                  required: true
                  content:
                    application/x-www-form-urlencoded:
                      schema: {type: object, required: [username], properties: {username: {type: string}}}
                responses: {200: {description: Fine, \(json(token))}, \(invalid)}
            """, schemas: schemas, schemes: schemes, servers: servers)
    }

    // MARK: Django

    static let tokenAuth =
        "tokenAuth: {type: apiKey, in: header, name: Authorization, description: "
        + "'Token-based authentication with required prefix \"Token\"'}"

    /// - Parameters:
    ///   - deletion: the security of the last operation.
    ///   - success: the description of a success.
    static func djangoREST(
        _ security: String = "[{tokenAuth: []}]", deletion: String? = nil, schemes: String = tokenAuth,
        success: String = "''", deleted: String = "204: {description: No response body}",
        schema: String = "{type: object, properties: {id: {type: integer}}}"
    ) -> String {
        text(
            """
            /groups/:
              get:
                operationId: groups_list
                security: \(security)
                responses: {200: {description: \(success), \(json("Item"))}}
              post:
                operationId: groups_create_2
                security: \(security)
                responses: {201: {description: \(success), \(json("Item"))}}
            /groups/first/:
              delete:
                operationId: groups_first_destroy
                security: \(deletion ?? security)
                responses: {\(deleted)}
            """, schemas: "Item: \(schema)",
            schemes: "{\(schemes), cookieAuth: {type: apiKey, in: cookie, name: sessionid}}")
    }

    /// - Parameter parameters: a key of the first operation.
    static func djangoNinja(_ parameters: String = "parameters: []") -> String {
        text(
            """
            /items:
              post:
                operationId: shop_api_add_item
                summary: Add Item
                \(parameters)
                security: [{Bearer: []}]
                requestBody: {required: true, \(json("Item"))}
                responses: {200: {description: OK, \(json("Item"))}}
              get:
                operationId: shop_api_list_items
                summary: List Items
                parameters: []
                security: [{Bearer: []}]
                responses: {200: {description: OK, \(json("Item"))}}
            """, schemas: "Item: {type: object, properties: {price: {type: number}}}",
            schemes: "{Bearer: {type: http, scheme: bearer}}")
    }

    // MARK: Litestar and Sanic

    /// - Parameter description: that of the schema of a failure.
    static func litestar(_ description: String = "Validation Exception") -> String {
        let failure =
            "{type: object, required: [detail, status_code], description: \(description), properties: "
            + "{status_code: {type: integer}, detail: {type: string}, extra: {type: ['null', object, array]}}}"
        return text(
            """
            /search:
              get:
                operationId: SearchSearch
                security: [{BearerToken: []}]
                responses:
                  200: {description: Fine, \(json("Item"))}
                  400: {description: Bad request, content: {application/json: {schema: \(failure)}}}
            /news:
              get:
                operationId: NewsNews
                security: [{BearerToken: []}]
                responses: {200: {description: Fine, \(json("Item"))}}
            """, schemes: "{BearerToken: {type: http, scheme: Bearer}}")
    }

    /// - Parameter id: that of the second operation.
    static func sanic(_ id: String = "get~news") -> String {
        text(
            """
            /items: {get: {operationId: get~items, responses: {default: {description: OK}}}}
            /news: {get: {operationId: \(id), responses: {default: {description: OK}}}}
            """)
    }
}
