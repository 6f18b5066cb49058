import Testing

/// Documents in XML.
@Suite struct XMLImportTests {
    private static let schemas = """
        schemas:
          Person:
            type: object
            required: [id, name]
            properties:
              id: {type: integer, xml: {attribute: true}}
              name: {type: string, xml: {name: fullName, namespace: urn:people}}
              tags: {type: array, xml: {wrapped: true}, items: {type: string, xml: {name: tag}}}
              mails: {type: array, items: {type: string, xml: {name: mail}}}
              friends: {type: array, items: {$ref: '#/components/schemas/Person'}}
            xml: {name: person, namespace: urn:people}
        """
    private static let failure = "404: {description: None}"
    private static let person = "{schema: {$ref: '#/components/schemas/Person'}}"

    @Test func placesBecomeWireNames() {
        let document = ImportedDocument(
            paths: """
                /people/{id}:
                  parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
                  get:
                    operationId: getPerson
                    responses: {200: {description: It, content: {application/xml: \(Self.person)}}, \(Self.failure)}
                  put:
                    operationId: putPerson
                    requestBody: {required: true, content: {text/xml: \(Self.person)}}
                    responses: {204: {description: Done}, \(Self.failure)}
                """, components: Self.schemas)
        #expect(document.problems == [] && document.findings == [], "\(document.findings)")
        let text = document.contract
        for part in [
            "response: {type: Person, encoding: xml}", "element: \"{urn:people}person\"", "contentType: text/xml",
            "id: {type: int, wire: \"@id\"}", "wire: \"{urn:people}fullName\"", "wire: tags/tag", "wire: mail",
        ] { #expect(text.contains(part), "\(part) in \(text)") }
    }

    @Test func jsonIsTakenWhereADocumentOffersBoth() {
        let document = ImportedDocument(
            paths: """
                /people:
                  get:
                    operationId: listPeople
                    responses:
                      200: {description: All, content: {application/xml: \(Self.person), application/json: \(Self.person)}}
                      \(Self.failure)
                """, components: Self.schemas)
        #expect(document.problems == [])
        #expect(!document.contract.contains("encoding: xml") && !document.contract.contains("@id"))
    }

    @Test func typesThatJSONHasWithOtherNamesStayBytes() {
        let document = ImportedDocument(
            paths: """
                /people:
                  get:
                    operationId: listPeople
                    responses: {200: {description: All, content: {application/json: \(Self.person)}}, \(Self.failure)}
                /people.xml:
                  get:
                    operationId: exportPeople
                    responses: {200: {description: All, content: {application/xml: \(Self.person)}}, \(Self.failure)}
                """, components: Self.schemas)
        #expect(document.problems == [])
        #expect(document.block("exportPeople:").contains("response: bytes"), "\(document.contract)")
        #expect(document.findings.contains { $0.contains("other names") }, "\(document.findings)")
    }

    /// Each of these would make a contract that the language refuses, or that reads another place.
    @Test(arguments: [
        (
            "body", "{type: array, xml: {name: rows}, items: {type: array, items: {type: string}}}",
            "a list inside a list"
        ),
        ("body", "{$ref: '#/components/schemas/2ndOrder'}", "`2ndOrder` is no name in XML"),
        ("body", "{$ref: '#/components/schemas/Mixed'}", "the text `.` is not one value"),
        ("body", "{$ref: '#/components/schemas/Path'}", "`a/b` is not a list"),
        ("body", "{$ref: '#/components/schemas/Pet'}", "the key of a union has another name in XML"),
        (
            "patch",
            "{type: object, xml: {name: thing}, properties: {note: {type: string, nullable: true, xml: {attribute: true}}}}",
            "`@note` cannot be null in XML"
        ),
    ])
    func whatXMLCannotExpressIsBytes(_ kind: String, _ schema: String, _ reason: String) {
        let document = ImportedDocument(
            paths: """
                /things:
                  \(kind == "patch" ? "patch" : "post"):
                    operationId: sendThing
                    requestBody: {required: true, content: {application/xml: {schema: \(schema)}}}
                    responses: {204: {description: Done}, \(Self.failure)}
                """,
            components: """
                schemas:
                  2ndOrder: {type: object, required: [id], properties: {id: {type: integer}}}
                  Mixed: {type: object, properties: {.: {type: object, properties: {a: {type: string}}}}, xml: {name: mixed}}
                  Path: {type: object, properties: {a/b: {type: string}}, xml: {name: path}}
                  Cat: {type: object, required: [kind, age], properties: {kind: {type: string, xml: {attribute: true}}, age: {type: integer}}}
                  Dog: {type: object, required: [kind, name], properties: {kind: {type: string, xml: {attribute: true}}, name: {type: string}}}
                  Pet:
                    oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}]
                    discriminator: {propertyName: kind, mapping: {cat: '#/components/schemas/Cat', dog: '#/components/schemas/Dog'}}
                    xml: {name: pet}
                """)
        #expect(document.problems == [], "\(document.contract)")
        #expect(document.findings.contains { $0.contains(reason) }, "\(document.findings)\n\(document.contract)")
        #expect(!document.contract.contains("encoding: xml"), "\(document.contract)")
    }

    /// A failure of an endpoint with XML may be XML, too, so its data has to have a form there.
    @Test(arguments: [
        (
            "400: {description: Bad, content: {application/json: {schema: {$ref: '#/components/schemas/Open'}}}}",
            "members that it does not declare"
        ),
        (
            "400: {description: Bad, content: {application/json: {schema: {$ref: '#/components/schemas/Kinds'}}}}",
            "by the kind of the JSON value"
        ),
        (
            "400: {description: Bad, content: {application/json: {schema: {$ref: '#/components/schemas/Odd'}}}}",
            "`odd name` is no name in XML"
        ),
        (
            "202: {description: Later, content: {application/json: {schema: {$ref: '#/components/schemas/Odd'}}}}, 404: {description: None}",
            "`odd name` is no name in XML"
        ),
    ])
    func dataOfFailuresThatXMLCannotExpressMakesBytes(_ failure: String, _ reason: String) {
        func document(_ failure: String) -> ImportedDocument {
            ImportedDocument(
                paths: """
                    /people:
                      get:
                        operationId: getPerson
                        responses: {200: {description: It, content: {application/xml: \(Self.person)}}, \(failure)}
                    /people/all:
                      get:
                        operationId: listPeople
                        parameters: [{name: offset, in: query, schema: {type: integer}}]
                        responses: {200: {description: All, content: {application/xml: {schema: {$ref: '#/components/schemas/Everyone'}}}}, \(failure)}
                    """,
                components: Self.schemas + """

                      Open: {type: object, properties: {code: {type: string}}, additionalProperties: {type: string}}
                      Kinds: {type: object, properties: {code: {oneOf: [{type: string}, {type: integer}]}}}
                      Odd: {type: object, properties: {odd name: {type: string}}}
                      Everyone: {type: object, required: [total, items], properties: {total: {type: integer}, items: {type: array, items: {type: string}}}}
                    """)
        }
        let refused = document(failure)
        #expect(refused.problems == [], "\(refused.contract)")
        #expect(refused.findings.contains { $0.contains(reason) }, "\(refused.findings)")
        #expect(refused.block("getPerson:").contains("response: bytes"), "\(refused.contract)")
        // Bytes have no pages.
        let pages = refused.block("listPeople:")
        #expect(pages.contains("response: bytes") && !pages.contains("paginate"), "\(refused.contract)")
        #expect(refused.result.reviews.allSatisfy { $0.subject != "endpoints/listPeople" })
        let plain = document(Self.failure)
        #expect(plain.problems == [], "\(plain.contract)")
        #expect(plain.block("getPerson:").contains("encoding: xml"))
        #expect(plain.block("listPeople:").contains("paginate"), "\(plain.contract)")
    }

    /// In XML, the key may be an attribute or have another name, so the app sends it.
    @Test func anIdempotencyKeyInXMLIsAField() {
        let document = ImportedDocument(
            paths: """
                /orders:
                  post:
                    operationId: sendOrder
                    requestBody:
                      required: true
                      content:
                        application/xml:
                          schema:
                            type: object
                            required: [idempotencyKey]
                            properties: {idempotencyKey: {type: string, xml: {attribute: true}}, count: {type: integer}}
                            xml: {name: order}
                    responses: {204: {description: Done}, \(Self.failure)}
                """)
        #expect(document.problems == [])
        #expect(document.findings.contains { $0.hasPrefix("openapi-effect-lost") }, "\(document.findings)")
        #expect(document.contract.contains("wire: \"@idempotencyKey\""), "\(document.contract)")
        #expect(!document.contract.contains("keyed"))
    }
}
