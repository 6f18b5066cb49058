import Testing

/// What OpenAPI 3.2 has and 3.1 does not: kept, or said.
@Suite struct NewestVersionTests {
    private static let failure = "404: {description: None}"
    private static let part = "schemas: {Part: {type: object, required: [id], properties: {id: {type: string}}}}"

    private func operation(_ method: String, _ rest: String, _ components: String = part) -> ImportedDocument {
        ImportedDocument(
            paths: "/a: {\(method): {operationId: use, \(rest)}}", components: components, version: "3.2.0")
    }

    private func response(_ media: String, _ components: String = part) -> ImportedDocument {
        operation("get", "responses: {200: {description: Fine, content: {\(media)}}, \(Self.failure)}", components)
    }

    // MARK: Bodies of elements

    @Test(arguments: ["application/jsonl", "application/json-seq", "multipart/mixed"])
    func aRequestOfElementsIsBytesWithAFinding(_ type: String) {
        let body =
            "requestBody: {required: true, content: {\(type): {itemSchema: {$ref: '#/components/schemas/Part'}}}}"
        let document = operation("post", "\(body), responses: {204: {description: Done}, \(Self.failure)}")
        #expect(document.problems == [])
        #expect(document.contract.contains("body: {encoding: bytes, contentType: \(type)}"))
        #expect(document.findings.count == 1 && document.findings[0].contains("`itemSchema` of `\(type)` is left out"))
    }

    @Test(arguments: ["application/json-seq", "multipart/mixed"])
    func aResponseOfElementsThatAreNoLinesIsBytesWithAFinding(_ type: String) {
        let document = response("\(type): {itemSchema: {$ref: '#/components/schemas/Part'}}")
        #expect(document.problems == [])
        #expect(document.contract.contains("response: bytes"))
        #expect(document.findings.count == 1 && document.findings[0].contains("`itemSchema` of `\(type)` is left out"))
    }

    @Test(arguments: ["application/jsonl", "application/x-ndjson"]) func aResponseOfLinesIsAStream(_ type: String) {
        let document = response("\(type): {itemSchema: {$ref: '#/components/schemas/Part'}}")
        #expect(document.problems == [] && document.findings == [])
        #expect(document.contract.contains("delivery: {stream: lines}"))
    }

    @Test func encodingsWithoutNamesAreSaid() {
        let document = response(
            "multipart/mixed: {itemSchema: {type: string}, prefixEncoding: [{contentType: text/plain}], itemEncoding: {contentType: text/csv}}"
        )
        let lost = document.findings.filter { $0.contains("Encoding` of `multipart/mixed` is left out") }
        #expect(lost.count == 2)
        let form =
            "{schema: {type: object, properties: {a: {type: string}}}, encoding: {a: {allowReserved: true, itemEncoding: {}}}}"
        let sent = operation(
            "post",
            "requestBody: {required: true, content: {multipart/form-data: \(form)}}, responses: {204: {description: Done}, \(Self.failure)}"
        )
        #expect(sent.findings.contains { $0.contains("`itemEncoding` of the part `a`") })
        #expect(sent.findings.contains { $0.contains("although the document has `allowReserved`") })
    }

    @Test func aMediaTypeMayBeAReference() {
        let document = response(
            "application/json: {$ref: '#/components/mediaTypes/OnePart'}",
            Self.part + "\nmediaTypes: {OnePart: {schema: {$ref: '#/components/schemas/Part'}}}")
        #expect(document.problems == [] && document.findings == [])
        #expect(document.contract.contains("response: Part"))
    }

    @Test func anExampleIsItsData() {
        let document = response(
            """
            application/json: {schema: {$ref: '#/components/schemas/Part'}, examples: {one: {dataValue: {id: p1}}, two: {serializedValue: '{"id":"p2"}'}}}
            """)
        #expect(document.problems == [])
        #expect(document.contract.contains("response: {id: p1}"))
        #expect(document.findings == ["openapi-example-lost: examples of responses are left out (once)"])
    }

    // MARK: Parameters

    private func parameter(_ parameter: String, _ path: String = "/a") -> ImportedDocument {
        ImportedDocument(
            paths: """
                \(path):
                  get: {operationId: use, parameters: [\(parameter)], responses: {204: {description: Done}, \(Self.failure)}}
                  delete: {operationId: remove, parameters: [{name: id, in: path, required: true, schema: {type: string}}], responses: {204: {description: Done}, \(Self.failure)}}
                """, version: "3.2.0")
    }

    @Test func aQuerystringThatIsAFormIsItsProperties() {
        let document = parameter(
            "{name: q, in: querystring, required: true, content: {application/x-www-form-urlencoded: {schema: {type: object, required: [color], properties: {color: {type: string}, size: {type: integer}}}}}}"
        )
        #expect(document.problems == [])
        #expect(document.block("use:").contains("query:\n    color: string\n    size: int?"))
        #expect(document.findings.contains { $0.contains("the properties of the `querystring` `q`") })
    }

    @Test(arguments: [true, false]) func anotherQuerystringIsLeftOut(_ isRequired: Bool) {
        let document = parameter(
            "{name: q, in: querystring, required: \(isRequired), content: {application/json: {schema: {type: object, properties: {a: {type: string}}}}}}"
        )
        #expect(document.problems == [])
        #expect(document.block("use:").isEmpty == isRequired)
        #expect(document.findings.contains { $0.contains("the `querystring` `q` is left out") })
        #expect(document.findings.contains { $0.hasPrefix("openapi-endpoint-lost") } == isRequired)
    }

    @Test func reservedCharactersAreSaidInPathsToo() {
        let document = parameter(
            "{name: id, in: path, required: true, allowReserved: true, schema: {type: string}}", "/files/{id}")
        #expect(document.problems == [])
        #expect(document.findings.contains { $0.contains("the client percent-encodes all of `id`") })
    }

    @Test func aCookieMayHaveItsOwnStyle() {
        let document = parameter("{name: theme, in: cookie, style: cookie, schema: {type: string}}")
        #expect(document.problems == [] && !document.findings.contains { $0.contains("theme") })
        #expect(document.block("use:").contains("cookies:\n    theme: string?"))
    }

    @Test func otherMethodsAreSaidByName() {
        let document = ImportedDocument(
            paths: """
                /a:
                  additionalOperations:
                    COPY: {operationId: copy, responses: {204: {description: Done}, \(Self.failure)}}
                """, version: "3.2.0")
        #expect(document.findings.contains { $0.contains("`COPY /a` is left out") })
    }

    // MARK: The service

    @Test func namesAndSummariesAreKept() {
        let text = """
            openapi: 3.2.0
            $self: https://shop.example/api.yaml
            info: {title: Shop, version: '1', license: {name: MIT, identifier: MIT-0}}
            servers: [{url: https://a.example, name: primary}, {url: https://b.example, name: fallback, description: The sandbox.}]
            tags:
              - {name: experimental, kind: badge}
              - {name: books, summary: All books, description: Of the shop., parent: products, kind: nav}
              - {name: products}
            security: [{key: []}]
            paths:
              /books:
                get:
                  operationId: listBooks
                  tags: [experimental, books]
                  responses:
                    200: {description: Fine, content: {application/json: {schema: {$ref: 'https://shop.example/api.yaml#/components/schemas/Book'}}}}
                    409: {summary: The shelf moves, content: {application/json: {schema: {$ref: '#/components/schemas/Book'}}}}
            components:
              schemas: {Book: {type: object, properties: {title: {type: string}}}}
              securitySchemes: {key: {type: apiKey, in: header, name: X-Key, deprecated: true}}
            """
        let document = ImportedDocument(files: ["api.yaml": text], hasGroups: true)
        #expect(document.problems == [])
        for part in [
            "primary: https://a.example", "fallback: https://b.example", "# License: MIT, MIT-0", "All books.",
            "A part of the tag `products`.", "group: books", "response: Book", "doc: The shelf moves",
            "The document deprecates these credentials.",
        ] { #expect(document.contract.contains(part), "\(part) in \(document.contract)") }
        #expect(document.findings == [], "\(document.findings)")
    }

    // MARK: XML

    @Test func nodeTypesArePlaces() {
        let document = response(
            "application/xml: {schema: {$ref: '#/components/schemas/Book'}}",
            """
            schemas:
              Book:
                type: object
                properties:
                  id: {type: string, xml: {nodeType: attribute}}
                  note: {type: string, xml: {nodeType: cdata}}
                  body: {type: string, xml: {nodeType: text}}
                  authors: {type: array, xml: {nodeType: element, name: people}, items: {type: string, xml: {name: author}}}
                  words: {type: array, xml: {nodeType: element}, items: {type: string}}
                  marks: {type: array, items: {type: string}}
            """)
        #expect(document.problems == [])
        #expect(
            document.block("Book:")
                == """
                Book:
                  id: {type: string?, wire: "@id"}
                  body: {type: string?, wire: .}
                  authors: {type: "[string]?", wire: people/author}
                  words: {type: "[string]?", wire: words/words}
                  marks: "[string]?"
                """)
        #expect(document.findings.contains { $0.contains("`note` is left out, because the text of the element") })
        #expect(document.findings.contains { $0.contains("`body` also has the text of the elements") })
    }

    @Test func anObjectWithoutANodeOfItsOwnMakesBytes() {
        let document = response(
            "application/xml: {schema: {$ref: '#/components/schemas/Book'}}",
            """
            schemas:
              Book: {type: object, properties: {title: {type: object, xml: {nodeType: none}, properties: {main: {type: string}}}}}
            """)
        #expect(document.problems == [])
        #expect(document.contract.contains("response: bytes"))
        #expect(document.findings.contains { $0.contains("`title` has no node of its own (`nodeType: none`)") })
    }
}
