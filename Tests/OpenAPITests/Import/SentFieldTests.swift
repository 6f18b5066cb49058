import Testing

/// What requests of an imported contract contain if the app says nothing: nothing but constants, the keys of unions and the
/// number of the first page. A null that a document requires is sent.
@Suite struct SentFieldTests {
    private static let failure = "404: {description: None}"

    /// `PATCH` of a description published a private repository, and a branch protection could not be switched off.
    @Test func anUpdateSendsOnlyWhatTheAppSays() {
        let document = ImportedDocument(
            paths: """
                /x/{id}:
                  parameters: [{name: id, in: path, required: true, schema: {type: string}}]
                  put:
                    operationId: putX
                    requestBody: {required: true, content: {application/json: {schema: {type: object, required: [limit], properties: {limit: {type: integer, nullable: true}, on: {type: boolean, default: true}}}}}}
                    responses: {204: {description: ok}, \(Self.failure)}
                  post:
                    operationId: postX
                    requestBody: {required: true, content: {application/json: {schema: {type: object, required: [limit], properties: {limit: {type: integer, nullable: true}}}}}}
                    responses: {204: {description: ok}, \(Self.failure)}
                  patch:
                    operationId: patchX
                    requestBody: {required: true, content: {application/json: {schema: {type: object, required: [limit, size, kind], properties: {limit: {type: integer, nullable: true}, on: {type: boolean, default: true}, size: {type: integer, default: 5}, kind: {const: x, type: string}, note: {type: string, nullable: true, default: a}}}}}}
                    responses: {204: {description: ok}, \(Self.failure)}
                """, version: "3.0.3")
        #expect(document.findings == [])
        #expect(document.problems == [])
        let limit = "limit: {type: int?, nullable: required}"
        let on = "on: {type: bool?, doc: The default is `true`.}"
        #expect(document.block("putX:").contains("body:\n    \(limit)\n    \(on)\n  response"))
        #expect(document.block("postX:").contains("body:\n    \(limit)\n  response"))
        let note = "note: {type: string?, nullable: distinct, doc: The default is `a`.}"
        #expect(
            document.block("patchX:").contains(
                """
                  body:
                    \(limit)
                    \(on)
                    size: {type: int, doc: The default is `5`.}
                    # errand:ignore default-in-update the document allows no other value
                    kind: string = x
                    \(note)
                """))
    }

    /// In a query, a header, a form and a multipart body, and in structures below them. Null has no text.
    @Test func noInputHasADefault() {
        let document = ImportedDocument(
            paths: """
                /a:
                  get:
                    operationId: find
                    parameters:
                      - {name: sort, in: query, description: How to sort, schema: {type: string, enum: [up, down], default: up}}
                      - {name: tags, in: query, schema: {type: array, items: {type: string}, default: [a, b]}}
                      - {name: size, in: query, required: true, schema: {type: integer, default: 20}}
                      - {name: X-Mode, in: header, description: 'The mode. Default: `fast`.', schema: {type: string, default: fast}}
                      - {name: where, in: query, style: deepObject, explode: true, schema: {type: object, properties: {open: {type: boolean, default: false}}}}
                      - {name: like, in: query, required: true, schema: {type: [string, 'null']}}
                    responses: {200: {description: Fine}, \(Self.failure)}
                  post:
                    operationId: sendForm
                    requestBody:
                      content:
                        application/x-www-form-urlencoded:
                          encoding: {part: {style: deepObject, explode: true}}
                          schema: {type: object, required: [who, part], properties: {who: {type: [string, 'null']}, open: {type: boolean, default: true}, part: {type: object, required: [left], properties: {left: {type: [integer, 'null']}, right: {type: integer, default: 4}}}}}
                    responses: {200: {description: Fine}, \(Self.failure)}
                  put:
                    operationId: sendParts
                    requestBody:
                      content:
                        multipart/form-data:
                          schema: {type: object, required: [who], properties: {who: {type: [string, 'null']}, open: {type: boolean, default: true}, part: {type: object, required: [left], properties: {left: {type: [integer, 'null']}}}}}
                    responses: {200: {description: Fine}, \(Self.failure)}
                """)
        #expect(document.problems == [])
        let find = document.block("find:")
        #expect(find.contains("sort: {type: FindSort?, doc: How to sort. The default is `up`.}"))
        #expect(find.contains(#"tags: {type: "[string]?", doc: "The default is `[a, b]`."}"#))
        #expect(find.contains("size: int = 20"), "a required input needs a value, and this one is safe")
        #expect(find.contains("xMode: {type: string?, wire: X-Mode, doc: \"The mode. Default: `fast`.\"}"))
        #expect(find.contains("whereOpen: {type: bool?, wire: \"where[open]\", doc: The default is `false`.}"))
        #expect(find.contains("like: string?\n"))
        #expect(
            document.block("sendForm:").contains("who: string?\n      open: {type: bool?, doc: The default is `true`.}")
        )
        #expect(
            document.block("sendForm:").contains(
                #"partRight: {type: int?, wire: "part[right]", doc: The default is `4`.}"#))
        #expect(
            document.block("sendParts:").contains(
                "who: string?\n      open: {type: bool?, doc: The default is `true`.}"))
        #expect(document.block("SendPartsPart:").contains("left: {type: int?, nullable: required}"))
    }

    /// A member that is only received keeps its default, and may be missing.
    @Test func onlyTypesThatAreSentChange() {
        let document = ImportedDocument(
            paths: """
                /a:
                  post:
                    operationId: add
                    requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Sent'}}}}
                    responses: {200: {description: Fine, content: {application/json: {schema: {$ref: '#/components/schemas/Got'}}}}, \(Self.failure)}
                  put:
                    operationId: replace
                    requestBody: {required: true, content: {application/json: {schema: {type: object, properties: {rows: {type: array, items: {$ref: '#/components/schemas/Row'}}}}}}}
                    responses: {200: {description: Fine}, \(Self.failure)}
                """,
            components: """
                schemas:
                  Sent:
                    type: object
                    required: [left, size]
                    properties:
                      left: {type: [integer, 'null']}
                      anything: {nullable: true, type: [object, 'null'], properties: {deep: {type: boolean, default: true}}}
                      size: {type: integer, default: 1}
                      row: {$ref: '#/components/schemas/Row'}
                      shape: {$ref: '#/components/schemas/Shape'}
                  Row: {type: object, required: [count], properties: {count: {type: integer, default: 1}, both: {type: boolean, default: true}}}
                  Got: {type: object, required: [left], properties: {left: {type: [integer, 'null']}, size: {type: integer, default: 1}, list: {type: array, items: {type: integer}, default: [1]}, row: {$ref: '#/components/schemas/Row'}}}
                  Shape: {oneOf: [{$ref: '#/components/schemas/Ring'}], discriminator: {propertyName: kind, mapping: {ring: '#/components/schemas/Ring'}}}
                  Ring: {type: object, properties: {kind: {type: string, default: ring}, wide: {type: boolean, default: false}}}
                """)
        #expect(document.problems == [])
        #expect(
            document.findings == [
                "openapi-default-lost: the default is left out: the only default of a list, a map or an object is the empty one"
            ])
        #expect(document.block("Sent:").contains("left: {type: int?, nullable: required}"))
        #expect(document.block("Sent:").contains("size: int = 1"), "a new resource may have it")
        #expect(document.block("SentAnything:").contains("deep: {type: bool?, doc: The default is `true`.}"))
        #expect(
            document.block("Row:").contains("count: {type: int, doc: The default is `1`.}"), "an update contains it")
        #expect(document.block("Row:").contains("both: {type: bool?, doc: The default is `true`.}"))
        #expect(document.block("Got:").contains("left: int?\n  size: int = 1\n  list: \"[int]?\""))
        #expect(
            document.block("Ring:").contains("type: string\n      default: ring")
                || document.block("Ring:").contains("kind: {type: string, default: ring"))
        #expect(document.block("Ring:").contains("wide: {type: bool?, doc: The default is `false`.}"))
    }

    /// A walk begins with the number of the first page, which the contract has to know.
    @Test func theFirstPageHasItsNumber() {
        let document = ImportedDocument(
            paths: """
                /a:
                  get:
                    operationId: list
                    parameters:
                      - {name: page, in: query, schema: {type: integer, default: 0}}
                      - {name: per_page, in: query, schema: {type: integer, default: 20}}
                    responses: {200: {description: Fine, content: {application/json: {schema: {type: object, properties: {items: {type: array, items: {type: string}}, total_pages: {type: integer}}}}}}, \(Self.failure)}
                /b:
                  get:
                    operationId: listAll
                    parameters: [{name: page, in: query, schema: {type: integer, default: 1}}]
                    responses: {200: {description: Fine, content: {application/json: {schema: {type: array, items: {type: string}}}}}, \(Self.failure)}
                """)
        #expect(document.problems == [])
        #expect(
            document.block("list:").contains(
                "page: int = 0\n    perPage: {type: int?, wire: per_page, doc: The default is `20`.}"))
        #expect(document.block("listAll:").contains("page: {type: int?, doc: The default is `1`.}"))
    }

    @Test func swaggerHasNoDefaultsEither() {
        let document = ImportedDocument(files: [
            "api.yaml": """
            swagger: '2.0'
            info: {title: Sample, version: 1.0.0}
            host: a.example
            schemes: [https]
            paths:
              /a/{id}:
                parameters: [{name: id, in: path, required: true, type: string}]
                get:
                  operationId: find
                  parameters: [{name: open, in: query, type: boolean, default: true}, {name: X-Open, in: header, type: boolean, default: true}]
                  responses: {200: {description: Fine}, 404: {description: None}}
                put:
                  operationId: change
                  consumes: [application/json]
                  parameters: [{name: body, in: body, required: true, schema: {type: object, required: [left], properties: {left: {type: integer, x-nullable: true}, open: {type: boolean, default: true}}}}]
                  responses: {200: {description: Fine}, 404: {description: None}}
                post:
                  operationId: sendForm
                  consumes: [application/x-www-form-urlencoded]
                  parameters: [{name: open, in: formData, type: boolean, default: true}]
                  responses: {200: {description: Fine}, 404: {description: None}}
            """
        ])
        #expect(document.findings == [])
        #expect(document.problems == [])
        let open = "{type: bool?, doc: The default is `true`.}"
        #expect(document.block("find:").contains("open: \(open)"))
        #expect(document.block("find:").contains("xOpen: {type: bool?, wire: X-Open, doc: The default is `true`.}"))
        #expect(document.block("change:").contains("left: {type: int?, nullable: required}\n    open: \(open)"))
        #expect(document.block("sendForm:").contains("open: \(open)"))
    }
}
