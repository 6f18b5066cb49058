import Testing

/// Examples that refer to other examples, as bundlers resolve them.
@Suite struct ExampleReferenceTests {
    @Test func examplesMayReferToOtherExamples() {
        let document = ImportedDocument(
            paths: """
                /a:
                  get:
                    responses:
                      200:
                        description: Fine
                        content:
                          application/json:
                            schema: {type: object, required: [owner], properties: {owner: {type: object, required: [name], properties: {name: {type: string}}}}}
                            examples: {usual: {value: {owner: {$ref: '#/components/examples/owner'}}}}
                      404: {description: None}
                """, components: "examples: {owner: {value: {name: Ada}}}")
        #expect(document.findings == [])
        #expect(document.problems == [])
        #expect(document.contract.contains("response: {owner: {name: Ada}}"))
    }

    /// Nine levels of six references are ten million examples.
    @Test(.timeLimit(.minutes(1))) func examplesThatReferToThemselvesEnd() {
        let references = [String](repeating: "{$ref: '#/components/examples/all'}", count: 6).joined(separator: ", ")
        let document = ImportedDocument(
            paths: """
                /a:
                  get:
                    responses:
                      200:
                        description: Fine
                        content:
                          application/json:
                            schema: {type: array, items: {}}
                            examples: {usual: {$ref: '#/components/examples/all'}}
                      404: {description: None}
                """, components: "examples: {all: {value: [\(references)]}}")
        #expect(document.contract.contains("response: [[["))
        #expect(document.contract.utf8.count < 16 << 20)
    }
}
