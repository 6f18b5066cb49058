import Testing

/// What operations become.
@Suite struct EndpointTests {
    private static let failure = "404: {description: No such thing.}"

    @Test func placesOfParameters() {
        let document = ImportedDocument(
            paths: """
                /users/{userId}/posts/{post-id}:
                  parameters: [{name: userId, in: path, required: true, schema: {type: integer}}]
                  get:
                    parameters:
                      - {name: post-id, in: path, required: true, schema: {type: string, format: uuid}}
                      - {name: page, in: query, schema: {type: integer, default: 1}}
                      - {name: sort, in: query, required: true, schema: {type: string, enum: [new, old]}}
                      - {name: tag, in: query, schema: {type: array, items: {type: string}}}
                      - {name: filter, in: query, style: deepObject, schema: {type: object, properties: {min: {type: integer}}}}
                      - {name: X-Trace, in: header, schema: {type: string}}
                    responses: {200: {description: Fine}, \(Self.failure)}
                """)
        #expect(document.findings == [])
        #expect(document.problems == [])
        #expect(
            document.block("getUserPost:") == """
                getUserPost:
                  get: /users/{userId:int}/posts/{postID:uuid}
                  query:
                    page: int = 1
                    sort: GetUserPostSort
                    tag: "[string]?"
                    filterMin: {type: int?, wire: "filter[min]"}
                  headers:
                    xTrace: {type: string?, wire: X-Trace}
                  response: none
                  errors: [notFound]
                """
                || document.block("getUserPost:").contains("filterMin: {type: int?, wire: \"filter[min]\"}"))
    }

    @Test func aListInAPath() {
        let document = ImportedDocument(
            paths: """
                /users/{ids}/{kinds}/{keys}:
                  parameters:
                    - {name: ids, in: path, required: true, schema: {type: array, items: {type: integer}}}
                    - {name: kinds, in: path, required: true, schema: {oneOf: [{type: string}, {type: array, items: {type: string}}]}}
                    - {name: keys, in: path, required: true, schema: {type: array, maxItems: 3, items: {type: string, nullable: true}}}
                  get: {responses: {200: {description: Fine}, \(Self.failure)}}
                """)
        #expect(document.problems == [])
        #expect(
            document.contract.contains("/users/{ids:[int]}/{kinds:[string]}/{keys:[string]}"), "\(document.contract)")
    }

    /// The extension that oasdiff compares.
    @Test func theDayOfASunset() {
        let document = ImportedDocument(
            paths: """
                /a:
                  get: {deprecated: true, x-sunset: "2099-06-01", responses: {200: {description: Fine}, \(Self.failure)}}
                /b:
                  get: {deprecated: true, responses: {200: {description: Fine}, \(Self.failure)}}
                """)
        #expect(document.problems == [] && document.findings == [])
        #expect(document.block("getA:").contains("deprecated: {sunset: 2099-06-01}"), "\(document.contract)")
        #expect(document.block("getB:").contains("deprecated: true"))
    }

    @Test func bodies() {
        let document = ImportedDocument(
            paths: """
                /a:
                  post:
                    operationId: sendForm
                    requestBody:
                      content:
                        application/x-www-form-urlencoded:
                          schema: {type: object, required: [name], properties: {name: {type: string}, tags: {type: array, items: {type: string}}}}
                    responses: {200: {description: Fine}, \(Self.failure)}
                  put:
                    operationId: sendFile
                    requestBody:
                      content:
                        multipart/form-data:
                          schema: {type: object, required: [photo], properties: {photo: {type: string, format: binary}, note: {type: string}}}
                          encoding: {photo: {contentType: image/jpeg}}
                    responses: {200: {description: Fine}, \(Self.failure)}
                  patch:
                    operationId: change
                    requestBody: {content: {application/json: {schema: {type: object, properties: {name: {type: [string, 'null']}}}}}}
                    responses: {200: {description: Fine, content: {application/pdf: {}}}, \(Self.failure)}
                /b:
                  post:
                    operationId: sendBytes
                    requestBody: {content: {image/png: {}}}
                    responses: {200: {description: Fine}, \(Self.failure)}
                """)
        #expect(document.findings == [])
        #expect(document.problems == [])
        #expect(
            document.block("sendForm:").contains(
                "encoding: form\n    fields:\n      name: string\n      tags: \"[string]?\""))
        #expect(
            document.block("sendFile:").contains("photo: {type: file, contentType: image/jpeg}\n      note: string?"))
        #expect(document.block("change:").contains("name: {type: string?, nullable: distinct}"))
        #expect(document.block("change:").contains("response: bytes"))
        #expect(document.block("sendBytes:").contains("body: {encoding: bytes, contentType: image/png}"))
    }

    /// Stripe: inner values of a form's field have their place in brackets.
    @Test func formsHaveMapsAndListsOfObjects() {
        let document = ImportedDocument(
            paths: """
                /a:
                  post:
                    operationId: subscribe
                    requestBody:
                      content:
                        application/x-www-form-urlencoded:
                          encoding:
                            metadata: {style: deepObject, explode: true}
                            items: {style: deepObject, explode: true}
                            address: {style: deepObject, explode: true}
                            loose: {style: deepObject, explode: true}
                            ring: {style: deepObject, explode: true}
                          schema:
                            type: object
                            required: [items]
                            properties:
                              metadata: {anyOf: [{type: object, additionalProperties: {type: string}}, {type: string, enum: ['']}]}
                              address: {type: object, properties: {city: {type: string}, tags: {type: object, additionalProperties: {type: integer}}}}
                              items:
                                type: array
                                items:
                                  type: object
                                  required: [price]
                                  properties:
                                    price: {type: string}
                                    tax_rates: {anyOf: [{type: array, items: {type: string}}, {type: string, enum: ['']}]}
                                    period: {type: object, properties: {end: {anyOf: [{type: integer}, {type: string, enum: [now]}]}}}
                                    any: {}
                              loose: {type: object, additionalProperties: {}}
                              ring: {type: array, items: {$ref: '#/components/schemas/Ring'}}
                              plain: {type: array, items: {type: object, properties: {a: {type: string}}}}
                    responses: {200: {description: Fine}, \(Self.failure)}
                """,
            components:
                "schemas: {Ring: {type: object, properties: {next: {$ref: '#/components/schemas/Ring'}, id: {type: string}}}}"
        )
        #expect(document.problems == [])
        let body = document.block("subscribe:")
        #expect(body.contains("metadata: \"[string: string]?\""))
        #expect(body.contains("addressTags: {type: \"[string: int]?\", wire: \"address[tags]\"}"))
        #expect(body.contains("items: [SubscribeItem]"))
        #expect(body.contains("ring: \"[Ring]?\""))
        #expect(!body.contains("loose") && !body.contains("plain"))
        #expect(
            document.block("SubscribeItem:")
                == "SubscribeItem:\n  price: string\n  taxRates: {type: \"[string]?\", wire: tax_rates}\n  period: SubscribeItemPeriod?"
        )
        #expect(document.block("SubscribeItemPeriod:") == "SubscribeItemPeriod:\n  end: string?")
        #expect(document.block("Ring:") == "Ring:\n  id: string?")
        let lost = document.findings.filter {
            $0.hasPrefix("openapi-parameter-lost") && $0.contains("is left out, because a query")
        }
        #expect(lost.count == 4, "\(lost)")
        #expect(
            document.findings.contains {
                $0.contains("the list `items[0][tax_rates]`, so the client sends it as `items[0][tax_rates][0]`")
            })
    }

    @Test func severalSuccessesAreOutcomes() {
        let document = ImportedDocument(
            paths: """
                /orders:
                  post:
                    operationId: order
                    parameters: [{name: Idempotency-Key, in: header, required: true, schema: {type: string}}]
                    responses:
                      200: {description: Done, content: {application/json: {schema: {type: object, required: [id], properties: {id: {type: integer}}}}}}
                      202: {description: Later.}
                      \(Self.failure)
                """)
        #expect(document.findings == [])
        #expect(document.problems == [])
        let order = document.block("order:")
        #expect(order.contains("effect: keyed"))
        #expect(order.contains("accepted:\n"))
        #expect(order.contains("when: {status: 202}"))
    }

    @Test func idempotencyKeysAreTheRuntimes() {
        func operation(_ path: String, _ parameters: String, _ properties: String) -> String {
            """
            \(path): {post: {operationId: \(path.dropFirst()), parameters: [\(parameters)], requestBody: {required: true, content: {application/json: {schema: {type: object, required: [amount], properties: {amount: {type: integer}\(properties)}}}}}, responses: {204: {description: Done}, \(Self.failure)}}}
            """
        }
        let header =
            "{name: PayPal-Request-Id, in: header, description: The server keeps keys for six hours., schema: {type: string}}"
        let document = ImportedDocument(
            paths: [
                operation("/byHeader", header, ""), operation("/byField", "", ", idempotency_key: {type: string}"),
                operation("/byBoth", header, ", idempotency_key: {type: string}"),
            ].joined(separator: "\n"))
        #expect(document.problems == [])
        #expect(document.block("byHeader:").contains("effect: {keyed: {header: PayPal-Request-Id}}"))
        #expect(document.block("byField:").contains("effect: {keyed: {field: idempotency_key}}"))
        #expect(!document.block("byField:").contains("idempotencyKey"))
        #expect(document.block("byBoth:").contains("effect: {keyed: {header: PayPal-Request-Id}}"))
        #expect(document.findings.count == 1, "a request has one key: \(document.findings)")
    }

    @Test func namesThatAPersonWouldChoose() {
        let names = [
            ("get", "/users", "read_users_users_get", "readUsers"),
            ("post", "/u", "UsersController_create", "usersCreate"),
            ("get", "/a", "getAllUsingGET_1", "getAll"), ("get", "/b", "repos/list-for-org", "reposListForOrg"),
            ("delete", "/c", "Orders.Cancel", "ordersCancel"),
            ("post", "/users/{user-id}/posts", "post_users_user-id_posts", "postUserPosts"),
            ("get", "/reports/getUsage(period='{period}',top={top})", "'-'", "getReportsGetUsage"),
        ]
        let paths = names.map { method, path, id, _ in
            "\(path): {\(method): {operationId: \(id), responses: {200: {description: Fine}, \(Self.failure)}}}"
        }
        let document = ImportedDocument(paths: paths.joined(separator: "\n"))
        for (_, _, _, name) in names { #expect(document.contract.contains("  \(name):\n"), "\(name)") }
    }

    /// A field is told apart from what is elsewhere by its place, and from its neighbors by another word.
    @Test func fieldsOfOneEndpointDiffer() {
        let body =
            "{type: object, properties: {id: {type: string}, Type: {type: string}, type: {type: string}, self: {type: string}}}"
        let document = ImportedDocument(
            paths: """
                /a/{id}: {put: {operationId: replace, parameters: [{name: id, in: path, required: true, schema: {type: string}}, {name: ID, in: query, schema: {type: string}}], requestBody: {content: {application/json: {schema: \(body)}}}, responses: {200: {description: Fine}, \(Self.failure)}}}
                """)
        #expect(document.problems == [])
        #expect(document.block("query:") == "query:\n  queryId: {type: string?, wire: ID}")
        let fields = ["newId: {type: string?, wire: id}", "typeValue: {type: string?, wire: Type}", "type: string?"]
        for field in fields { #expect(document.block("body:").contains("\n  \(field)"), "\(document.contract)") }
        #expect(document.block("body:").contains("\n  selfValue: {type: string?, wire: self}"), "\(document.contract)")
    }

    @Test func onlyWhatIsWanted() {
        let paths = """
            /a: {get: {operationId: readA, tags: [one], responses: {200: {description: Fine, content: {application/json: {schema: {$ref: '#/components/schemas/A'}}}}, \(Self.failure)}}}
            /b: {get: {operationId: readB, tags: [two], responses: {200: {description: Fine, content: {application/json: {schema: {$ref: '#/components/schemas/B'}}}}, \(Self.failure)}}}
            """
        let components =
            "schemas: {A: {type: object, properties: {b: {$ref: '#/components/schemas/C'}}}, B: {type: object, properties: {x: {}}}, C: {type: object, properties: {y: {}}}}"
        for word in ["one", "readA"] {
            let document = ImportedDocument(paths: paths, components: components, only: [word])
            #expect(document.contract.contains("  A:") && document.contract.contains("  C:"))
            #expect(!document.contract.contains("  B:") && !document.contract.contains("readB"))
        }
        let unknown = ImportedDocument(paths: paths, components: components, only: ["reada"])
        #expect(unknown.result.contract == nil)
        #expect(unknown.result.findings.map(\.rule) == ["unknown-endpoint"])
        #expect(unknown.result.findings[0].help?.contains("readA") == true)
    }

    @Test func whatCannotBeCalledIsLeftOutAndSaid() {
        let document = ImportedDocument(
            paths: """
                /a:
                  get:
                    parameters: [{name: the session, in: cookie, required: true, schema: {type: string}}]
                    responses: {200: {description: Fine}, \(Self.failure)}
                /b/../c: {get: {responses: {200: {description: Fine}, \(Self.failure)}}}
                """)
        #expect(document.result.endpointCount == 0)
        #expect(document.result.findings.map(\.rule).filter { $0 == "openapi-endpoint-lost" }.count == 2)
    }
}
