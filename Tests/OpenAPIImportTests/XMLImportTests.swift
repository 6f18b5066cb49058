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
}
