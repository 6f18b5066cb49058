import Testing

/// Bodies of forms and of multipart requests whose schema names no fields. None of them is lost in silence.
@Suite struct UndeclaredBodyTests {
    private static func document(_ content: String, required: String? = "true") -> ImportedDocument {
        let isRequired = required.map { "required: \($0), " } ?? ""
        return ImportedDocument(
            paths: """
                /a:
                  post:
                    operationId: upload
                    requestBody: {\(isRequired)content: {\(content)}}
                    responses: {204: {description: Fine}, 404: {description: No such thing.}}
                """)
    }

    private static func body(_ document: ImportedDocument) -> String {
        #expect(document.problems == [], "\(document.contract)")
        return document.block("upload:")
    }

    /// Dawarich, Halo, Kestra: the server reads a part whose name is not in the document.
    @Test(arguments: [
        ("{schema: {type: file}}", "file: file"),
        ("{schema: {type: string, format: binary}}", "file: file"),
        ("{schema: {type: string}}", "file: file"),
        ("{schema: {type: object}}", "file: file"),
        ("{schema: {}}", "file: file"),
        ("{}", "file: file"),
        ("{schema: {type: array, items: {type: string, format: binary}}}", "files: [file]"),
        ("{schema: {type: array, minItems: 1, items: {}}}", "files: {type: [file], items: 1..}"),
        (
            "{schema: {oneOf: [{type: string, format: binary}, {type: array, items: {type: string, format: binary}}]}}",
            "files: [file]"
        ),
    ])
    func aMultipartBodyWithoutNamesHasAFile(_ media: String, _ field: String) {
        let document = Self.document("multipart/form-data: \(media)")
        let text = Self.body(document)
        #expect(text.contains("encoding: multipart"), "\(text)")
        #expect(text.contains("\n      \(field)\n"), "\(text)")
        let name = String(field.prefix { $0 != ":" })
        #expect(
            text.contains("# errand:review the document does not name the parts of the body, and `\(name)` is a guess"))
        #expect(document.result.reviews.contains { $0.subject == "endpoints/upload" }, "\(document.result.reviews)")
    }

    /// The request may be without a body.
    @Test(arguments: [nil, "false"]) func anOptionalMultipartBodyHasAnOptionalFile(_ required: String?) {
        let files = "multipart/form-data: {schema: {type: array, items: {type: string, format: binary}}}"
        let document = Self.document(files, required: required)
        #expect(Self.body(document).contains("files: \"[file]?\""), "\(document.contract)")
        #expect(!document.findings.contains { $0.hasPrefix("openapi-body-lost") }, "\(document.findings)")
    }

    @Test(arguments: [
        "{schema: {type: object, additionalProperties: {type: string}}}",
        "{schema: {type: object, additionalProperties: true}}",
        "{schema: {type: array, items: {type: string}}}", "{schema: {type: string}}", "{schema: {type: object}}",
        "{schema: {oneOf: [{type: string}, {type: integer}]}}", "{}",
    ])
    func theAppWritesAFormWithoutNames(_ media: String) {
        let text = Self.body(Self.document("application/x-www-form-urlencoded: \(media)"))
        #expect(
            text.contains("body: {encoding: bytes, contentType: application/x-www-form-urlencoded}"), "\(text)")
    }

    @Test func theAppWritesAMultipartBodyWhoseNamesItChooses() {
        let document = Self.document(
            "multipart/form-data: {schema: {type: object, additionalProperties: {type: string, format: binary}}}")
        let text = Self.body(document)
        #expect(text.contains("contentType: multipart/form-data; boundary=errand-boundary-of-parts"), "\(text)")
        #expect(document.contract.contains("# errand:review the document does not name the fields of the body"))
    }

    /// Nothing says that such a form has a content. The finding names the loss.
    @Test func anOptionalFormOfNothingIsReported() {
        let document = Self.document("application/x-www-form-urlencoded: {schema: {type: object}}", required: nil)
        #expect(!Self.body(document).contains("body"))
        #expect(
            document.findings == [
                "openapi-body-lost: the body is left out, because the document declares no field of the form"
            ])
    }

    /// Stripe has such a form at every operation.
    @Test(arguments: ["application/x-www-form-urlencoded", "multipart/form-data"])
    func aFormThatIsDeclaredEmptyIsNoBody(_ type: String) {
        let document = Self.document("\(type): {schema: {type: object, properties: {}}}", required: "false")
        #expect(!Self.body(document).contains("body"))
        #expect(document.findings == [])
    }

    /// Kestra: a multipart body of any object, or a file of YAML.
    @Test func anotherFormatThatSaysMoreIsChosen() {
        let text = Self.body(
            Self.document(
                "multipart/form-data: {schema: {type: object}}, application/x-yaml: {schema: {type: string}}"))
        #expect(text.contains("body: {encoding: bytes, contentType: application/x-yaml}"), "\(text)")
    }

    /// A token endpoint whose grants each have their own fields.
    @Test func alternativesOfAFormBecomeOne() {
        let document = Self.document(
            """
            application/x-www-form-urlencoded: {schema: {required: [client_id], properties: {client_id: {type: string}}, \
            oneOf: [{required: [grant_type, code], properties: {grant_type: {const: code}, code: {type: string}, n: {type: string}}}, \
            {required: [grant_type], properties: {grant_type: {const: refresh}, token: {type: string}, n: {type: integer}}}]}}
            """)
        let text = Self.body(document)
        for field in ["clientID: {type: string, wire: client_id}", "grantType: {type: string, wire: grant_type}"] {
            #expect(text.contains(field), "\(text)")
        }
        for field in ["code: string?", "token: {type: string?, sensitive: true}", "n: string?"] {
            #expect(text.contains(field), "\(text)")
        }
        #expect(document.findings.count { $0.hasPrefix("openapi-union-lost: its 2 alternatives become one form") } == 1)
    }

    @Test func furtherFieldsOfAFormAreReported() {
        let document = Self.document(
            "application/x-www-form-urlencoded: {schema: {type: object, properties: {a: {type: string}}, additionalProperties: {type: string}}}"
        )
        #expect(Self.body(document).contains("a: string?"))
        #expect(document.findings.contains { $0.contains("further fields of the form are left out") })
    }

    /// A required field whose shape a form cannot have does not remove the operation.
    @Test func aRequiredFieldOfAnotherShapeIsAText() {
        let document = Self.document(
            "application/x-www-form-urlencoded: {schema: {type: object, required: [lines], properties: {lines: {type: array, items: {type: object, properties: {a: {type: string}}}}}}}"
        )
        let text = Self.body(document)
        #expect(text.contains("lines: string\n"), "\(text)")
        #expect(text.contains("# errand:review `lines` is a text that the app has to write"), "\(text)")
    }
}
