import Testing

/// One type for what is one, wherever a document has it.
@Suite struct EqualTypeTests {
    private static let failure = "404: {description: None}"

    private static func types(_ document: ImportedDocument) -> [String] {
        document.contract.split(separator: "\n").filter { line in
            line.hasPrefix("  ") && line.dropFirst(2).first?.isUppercase == true && line.hasSuffix(":")
        }.map { String($0.dropFirst(2).dropLast()) }
    }

    @Test func enumsOfEqualPartsAreOne() {
        func get(_ name: String, _ values: String) -> String {
            "/\(name): {get: {operationId: get_\(name), parameters: [{name: tax_behavior, in: query, schema: {type: string, enum: [\(values)]}}], responses: {204: {description: Done}, \(Self.failure)}}}"
        }
        let document = ImportedDocument(
            paths: [get("a", "open, paid"), get("b", "paid, open"), get("c", "open, paid, late")].joined(
                separator: "\n"))
        #expect(document.problems == [])
        #expect(Self.types(document) == ["TaxBehavior", "GetCTaxBehavior"])
        #expect(document.block("getB:").contains("taxBehavior: TaxBehavior?"))
    }

    /// A word that several types have is no name: both `Status` would be `Status`.
    @Test func aWordOfSeveralTypesIsNoName() {
        let document = ImportedDocument(
            schemas: """
                Order: {type: object, properties: {status: {type: string, enum: [open, paid]}}}
                Bill: {type: object, properties: {status: {type: string, enum: [open, paid]}}}
                Parcel: {type: object, properties: {status: {type: string, enum: [sent, lost]}}}
                """)
        #expect(document.problems == [])
        #expect(Self.types(document) == ["Order", "OrderStatus", "Bill", "Parcel", "ParcelStatus"])
        #expect(document.block("Bill:").contains("status: OrderStatus?"))
    }

    /// What a schema is called decides, and not its content alone.
    @Test func schemasWithNamesStayApart() {
        let document = ImportedDocument(
            schemas: """
                Cat: {type: object, properties: {name: {type: string}}}
                Dog: {type: object, properties: {name: {type: string}}}
                Owner: {type: object, properties: {cat: {type: object, properties: {name: {type: string}}}, dog: {$ref: '#/components/schemas/Dog'}}}
                """)
        #expect(document.problems == [])
        #expect(Self.types(document) == ["Cat", "Dog", "Owner"])
        #expect(document.block("Owner:").contains("cat: Cat?") && document.block("Owner:").contains("dog: Dog?"))
    }

    /// A tool that bundles files copies a schema with everything in it, and adds numbers.
    @Test(arguments: ["..", ", maxLength: 9"])
    func copiesWithNumbersAreOne(_ bound: String) {
        let length = bound == ".." ? "" : bound
        let document = ImportedDocument(
            schemas: """
                Money: {type: object, required: [code], properties: {code: {$ref: '#/components/schemas/Code'}, next: {$ref: '#/components/schemas/Money'}}}
                Money-2: {type: object, required: [code], properties: {code: {$ref: '#/components/schemas/Code-2'}, next: {$ref: '#/components/schemas/Money-2'}}}
                Code: {type: string, pattern: '^[A-Z]{3}$'}
                Code-2: {type: string, pattern: '^[A-Z]{3}$'\(length)}
                """)
        #expect(document.problems == [])
        #expect(Self.types(document) == (length.isEmpty ? ["Money", "Code"] : ["Money", "Money2", "Code", "Code2"]))
    }

    /// The details of errors are one type, although the errors differ.
    @Test func equalDetailsOfErrorsAreOneType() {
        func get(_ name: String, _ doc: String, _ more: String = "") -> String {
            "/\(name): {get: {operationId: get_\(name), responses: {204: {description: Done}, 400: {description: Bad, content: {application/json: {schema: {type: object, properties: {\(more)details: {type: array, items: {type: object, properties: {issue: {type: string, description: \(doc)}}}}}}}}}}}}"
        }
        let document = ImportedDocument(
            paths: [
                get("a", "Why."), get("b", "Why.", "code: {type: string}, "), get("c", "What.", "id: {type: string}, "),
            ]
            .joined(separator: "\n"))
        #expect(document.problems == [])
        #expect(document.result.errorCount == 3)
        // What a field means is a part of its type.
        #expect(Self.types(document).count { $0.hasSuffix("Detail") } == 2, "\(Self.types(document))")
    }

    /// The enum of a key that a union writes is no type of the contract.
    @Test func nothingIsLeftBesideTheCasesOfAUnion() {
        let document = ImportedDocument(
            schemas: """
                Shape: {oneOf: [{$ref: '#/components/schemas/Circle'}, {$ref: '#/components/schemas/Square'}], discriminator: {propertyName: kind, mapping: {circle: '#/components/schemas/Circle', oval: '#/components/schemas/Circle', square: '#/components/schemas/Square'}}}
                Circle: {type: object, required: [kind], properties: {kind: {type: string, enum: [circle, oval]}, radius: {type: number}}}
                Square: {type: object, required: [kind], properties: {kind: {type: string, enum: [square]}, side: {type: number}}}
                """)
        #expect(document.problems == [])
        #expect(Self.types(document) == ["Shape", "Circle", "Square"])
    }

    /// `ConfigurationEndpointForbidden` tells less than the data that the failure has.
    @Test func errorsOfAStatusAreNamedAfterTheirData() {
        func get(_ name: String, _ schema: String) -> String {
            "/\(name): {get: {operationId: list_\(name)_of_the_enterprise, responses: {204: {description: Done}, 403: {description: No, content: {application/json: {schema: {$ref: '#/components/schemas/\(schema)'}}}}}}}"
        }
        let document = ImportedDocument(
            paths: get("users", "BasicError") + "\n" + get("identities", "ScimError"),
            components: """
                schemas:
                  BasicError: {type: object, properties: {message: {type: string}}}
                  ScimError: {type: object, properties: {detail: {type: string}}}
                """)
        #expect(document.problems == [])
        #expect(
            document.contract.contains("\n  forbidden:\n") && document.contract.contains("\n  forbiddenScimError:\n"))
    }
}
