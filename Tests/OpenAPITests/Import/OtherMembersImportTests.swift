import Testing

/// `additionalProperties` with a schema beside `properties`.
@Suite struct OtherMembersImportTests {
    @Test func aStructureKeepsFurtherMembers() {
        let document = ImportedDocument(
            schemas: """
                Thing:
                  type: object
                  required: [id]
                  properties: {id: {type: integer}, shape: {$ref: '#/components/schemas/Shape'}}
                  additionalProperties: {type: string, maxLength: 5}
                Shape:
                  oneOf: [{$ref: '#/components/schemas/Circle'}, {$ref: '#/components/schemas/Square'}]
                  discriminator:
                    propertyName: kind
                    mapping: {circle: '#/components/schemas/Circle', square: '#/components/schemas/Square'}
                Circle:
                  type: object
                  required: [kind, radius]
                  properties: {kind: {type: string}, radius: {type: number}}
                  additionalProperties: {type: boolean}
                Square:
                  type: object
                  required: [side]
                  properties: {side: {type: number}}
                  additionalProperties: {type: integer}
                Loose: {type: object, properties: {id: {type: integer}}, additionalProperties: {}}
                """)
        #expect(document.problems == [])
        #expect(
            document.block("Thing:")
                == "Thing:\n  fields:\n    id: int\n    shape: Shape?\n  additionalProperties: ThingOtherMember")
        #expect(document.block("ThingOtherMember:") == "ThingOtherMember:\n  alias: string\n  length: ..5")
        #expect(document.block("Circle:").contains("additionalProperties: bool"))
        // It would include the key that tells the cases apart.
        #expect(document.block("Square:") == "Square:\n  side: double")
        #expect(document.block("Loose:") == "Loose:\n  id: int?")
        #expect(document.findings.count { $0.contains("`additionalProperties` beside `properties`") } == 1)
    }
}
