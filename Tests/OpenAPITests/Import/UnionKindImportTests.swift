import Testing

/// Alternatives of several JSON kinds, discriminators that are numbers, and unions of unions.
@Suite struct UnionKindImportTests {
    @Test func anExpandableFieldIsATextOrAnObject() {
        let document = ImportedDocument(
            schemas: """
                Charge:
                  type: object
                  required: [customer]
                  properties:
                    customer: {anyOf: [{type: 'null'}, {type: string, maxLength: 50}, {$ref: '#/components/schemas/Customer'}, {$ref: '#/components/schemas/DeletedCustomer'}]}
                Customer: {type: object, required: [id, created], properties: {id: {type: string}, created: {type: integer}}}
                DeletedCustomer: {type: object, required: [id, deleted], properties: {id: {type: string}, deleted: {type: boolean, enum: [true]}}}
                """)
        #expect(document.problems == [])
        #expect(document.block("Charge:") == "Charge:\n  customer: ChargeCustomer?")
        #expect(
            document.block("ChargeCustomer:")
                == "ChargeCustomer:\n  union:\n    kinds:\n      string: string\n      object: ChargeCustomerObject")
        #expect(
            document.block("ChargeCustomerObject:")
                == "ChargeCustomerObject:\n  union:\n    keys:\n      created: Customer\n      deleted: DeletedCustomer"
        )
        // A constant as a default would not tell whether the key is there.
        #expect(document.block("DeletedCustomer:").contains("deleted: {type: bool, doc: Always `true`.}"))
    }

    @Test func eachKindIsACase() {
        let document = ImportedDocument(
            schemas: """
                Stop: {oneOf: [{type: [string, 'null']}, {type: array, items: {type: string}}]}
                Input:
                  anyOf:
                    - {type: string}
                    - {type: array, items: {type: string}}
                    - {type: array, items: {type: integer}}
                Choice:
                  oneOf:
                    - {type: string, enum: [none, auto]}
                    - {type: string, enum: [required]}
                    - {type: object, required: [name], properties: {name: {type: string}}}
                Amount: {anyOf: [{type: integer}, {type: number}, {type: boolean}]}
                Nested: {anyOf: [{$ref: '#/components/schemas/Stop'}, {type: integer}]}
                """)
        #expect(document.problems == [])
        #expect(
            document.block("Stop:") == "Stop:\n  union:\n    kinds:\n      string: string\n      array: [string]")
        #expect(document.block("Input:").contains("array: [InputArray]"))
        #expect(
            document.block("Choice:")
                == "Choice:\n  union:\n    kinds:\n      string: ChoiceString\n      object: ChoiceObject"
        )
        #expect(document.block("ChoiceString:") == "ChoiceString:\n  enum: [none, auto, required]")
        #expect(document.block("Amount:") == "Amount:\n  union:\n    kinds:\n      number: double\n      bool: bool")
        #expect(
            document.block("Nested:")
                == "Nested:\n  union:\n    kinds:\n      string: string\n      integer: int\n      array: [string]")
    }

    @Test func severalTypesAreKinds() {
        let document = ImportedDocument(
            schemas: """
                A:
                  type: object
                  properties:
                    value: {type: [string, object, array, 'null'], maxLength: 3, items: {type: integer}, properties: {a: {type: string}}}
                """)
        #expect(document.problems == [])
        #expect(document.block("A:") == "A:\n  value: AValue?")
        #expect(
            document.block("AValue:")
                == "AValue:\n  union:\n    kinds:\n      string: string\n      array: [int]\n      object: AValueObject"
        )
        #expect(document.block("AValueObject:") == "AValueObject:\n  a: string?")
    }

    @Test func aDiscriminatorCanBeANumber() {
        let document = ImportedDocument(
            schemas: """
                Component:
                  oneOf:
                    - {type: object, required: [type], properties: {type: {type: integer, enum: [1]}, label: {type: string}}}
                    - {type: object, required: [type], properties: {type: {type: integer, enum: [2, 3]}, style: {type: integer}}}
                Event:
                  oneOf: [{$ref: '#/components/schemas/Started'}, {$ref: '#/components/schemas/Ended'}]
                  discriminator: {propertyName: op, mapping: {'0': '#/components/schemas/Started', '10': '#/components/schemas/Ended'}}
                Started: {type: object, required: [op], properties: {op: {type: integer}, at: {type: string}}}
                Ended: {type: object, required: [op], properties: {op: {type: integer}}}
                """)
        #expect(document.problems == [])
        #expect(
            document.block("Event:")
                == "Event:\n  union:\n    by: op\n    type: int\n    cases:\n      \"0\": Started\n      \"10\": Ended")
        #expect(document.block("Component:").contains("by: type\n    type: int"))
        #expect(document.block("Started:") == "Started:\n  op: int = 0\n  at: string?")
    }

    /// A union that is a case of another one, as in Okta's document.
    @Test func aCaseCanBeAUnion() {
        let document = ImportedDocument(
            schemas: """
                Transaction:
                  type: object
                  properties: {result: {type: string}}
                  discriminator: {propertyName: result, mapping: {WAITING: '#/components/schemas/Waiting', PUSH: '#/components/schemas/Push'}}
                Waiting: {allOf: [{$ref: '#/components/schemas/Transaction'}, {type: object, properties: {a: {type: string}}}]}
                Push:
                  allOf: [{$ref: '#/components/schemas/Transaction'}, {type: object, properties: {kind: {type: string}}}]
                  discriminator: {propertyName: kind, mapping: {x: '#/components/schemas/PushX'}}
                PushX: {allOf: [{$ref: '#/components/schemas/Push'}, {type: object, properties: {b: {type: string}}}]}
                """)
        #expect(document.problems == [])
        #expect(
            document.block("Transaction:")
                == "Transaction:\n  union:\n    by: result\n    cases:\n      WAITING: Waiting\n      PUSH: Push")
        #expect(document.block("Push:") == "Push:\n  union:\n    by: kind\n    cases:\n      x: PushX")
        #expect(document.block("PushX:").contains("result: string = PUSH"))
    }

    /// Each schema is looked at once, however many ways lead to it: there are 60⁴ here.
    @Test(.timeLimit(.minutes(2))) func alternativesOfAlternativesCountOnce() {
        func level(_ number: Int) -> String {
            let next = "{$ref: '#/components/schemas/L\(number + 1)'}"
            return
                "L\(number): {anyOf: [\(Array(repeating: next, count: 60).joined(separator: ", ")), {type: integer}]}"
        }
        let document = ImportedDocument(
            schemas: (1...3).map(level).joined(separator: "\n")
                + "\nL4: {type: string}\nUser: {type: object, properties: {value: {$ref: '#/components/schemas/L1'}}}")
        #expect(document.problems == [])
        #expect(document.block("L1:").contains("kinds:"), "\(document.contract)")
    }

    @Test func aTypeThatStandsTwiceIsOne() {
        let document = ImportedDocument(schemas: "User: {type: object, properties: {name: {type: [string, string]}}}")
        #expect(document.problems == [])
        #expect(document.block("User:") == "User:\n  name: string?")
    }

    @Test func aUnionThatIsItsOwnCaseEnds() {
        let document = ImportedDocument(
            schemas: """
                Loop: {oneOf: [{type: string}, {$ref: '#/components/schemas/Inner'}]}
                Inner:
                  oneOf: [{$ref: '#/components/schemas/Part'}, {$ref: '#/components/schemas/Inner'}]
                  discriminator: {propertyName: kind}
                Part: {type: object, required: [kind], properties: {kind: {type: string}, loop: {$ref: '#/components/schemas/Loop'}}}
                """)
        #expect(document.problems == [])
        #expect(!document.block("Inner:").contains("Inner: Inner"))
    }
}
