import Testing

/// Swagger 2.0 becomes the same as OpenAPI 3.
@Suite struct SwaggerTests {
    @Test func aWholeDocument() {
        let document = ImportedDocument(files: [
            "api.yaml": """
            swagger: '2.0'
            info: {title: Pet Store API, version: 1.0.0}
            host: pets.example
            basePath: /v2
            schemes: [https]
            consumes: [application/json]
            produces: [application/json]
            securityDefinitions: {key: {type: apiKey, in: header, name: api_key}}
            paths:
              /pets:
                get:
                  operationId: listPets
                  security: [{key: []}]
                  parameters:
                    - {name: tags, in: query, type: array, items: {type: string}, collectionFormat: multi}
                    - {name: limit, in: query, type: integer, format: int32, maximum: 100}
                  responses:
                    200: {description: Fine, schema: {type: array, items: {$ref: '#/definitions/Pet'}}}
                    404: {description: None}
                post:
                  operationId: addPet
                  parameters: [{name: body, in: body, required: true, schema: {$ref: '#/definitions/Pet'}}]
                  responses: {405: {description: Bad}}
              /pets/{petId}/photo:
                post:
                  operationId: upload
                  consumes: [multipart/form-data]
                  parameters:
                    - {name: petId, in: path, required: true, type: integer, format: int64}
                    - {name: file, in: formData, type: file, required: true}
                    - {name: note, in: formData, type: string}
                  responses: {200: {description: Fine}}
            definitions:
              Pet: {type: object, required: [name], properties: {id: {type: integer, format: int64}, name: {type: string}}}
            """
        ])
        #expect(document.findings == [])
        #expect(document.problems == [])
        #expect(document.contract.contains("service: PetStore\n"))
        #expect(document.contract.contains("production: https://pets.example/v2\n"))
        #expect(document.block("session:").contains("header: api_key"))
        #expect(document.block("listPets:").contains("tags: \"[string]?\"\n    limit: {type: int32?, range: ..100}"))
        #expect(document.block("listPets:").contains("response: [Pet]"))
        #expect(document.block("addPet:").contains("body: Pet"))
        #expect(document.block("upload:").contains("file: file\n      note: string?"))
    }

    /// As Docker's: the app passes the server, and has to know that there is a path.
    @Test func aPathWithoutAHostIsReported() {
        func findings(_ line: String) -> [String] {
            ImportedDocument(files: [
                "api.yaml": """
                swagger: '2.0'
                info: {title: Engine, version: '1'}
                \(line)
                paths: {/ping: {get: {operationId: ping, responses: {200: {description: Fine}, 404: {description: None}}}}}
                """
            ]).findings
        }
        #expect(
            findings("basePath: /v1.56") == [
                "openapi-server-lost: `/v1.56` is not a base URL with a host, so the app has to pass the server"
            ])
        #expect(findings("basePath: /") == [])
        #expect(findings("schemes: [https]") == [])
    }

    /// Docker and Kubernetes have lists in one text, each with its own mark.
    @Test(arguments: [("csv", "commas"), ("ssv", "spaces"), ("tsv", "tabs"), ("pipes", "pipes")])
    func aListIsOneTextWithItsMark(_ format: String, _ mark: String) {
        let list = "{name: LIST, in: PLACE, type: array, items: {type: string}, collectionFormat: \(format)}"
        let parameters = [("labels", "query"), ("notes", "formData")].map { name, place in
            list.replacing("LIST", with: name).replacing("PLACE", with: place)
        }
        let document = ImportedDocument(files: [
            "api.yaml": """
            swagger: '2.0'
            info: {title: Sample, version: 1.0.0}
            host: sample.example
            schemes: [https]
            paths:
              /pods: {post: {operationId: list, parameters: [\(parameters.joined(separator: ", "))], responses: {200: {description: Fine}, 404: {description: None}}}}
            """
        ])
        #expect(document.problems == [])
        let isLost = format == "tsv"
        #expect(
            document.findings
                == (isLost ? ["labels", "notes"] : []).map { name in
                    "openapi-style-lost: the list `\(name)` is one text with \(mark) between its values, which the app has to join"
                })
        let doc =
            isLost
            ? "{type: string?, doc: Write \(mark) between several values.}" : "{type: \"[string]?\", joined: \(mark)}"
        #expect(document.block("query:").contains("labels: \(doc)"))
        #expect(document.block("fields:").contains("notes: \(doc)"))
    }
}
