import Diagnostics
import Testing

/// A file that is not an OpenAPI document is named, with the next step.
@Suite struct OtherFormatTests {
    @Test(arguments: [
        (
            "api.yaml", "arazzo: 1.0.1\nsourceDescriptions: [{name: a, url: ./shop.yaml, type: openapi}]\n",
            "a document of Arazzo 1.0.1, which describes workflows", "`./shop.yaml`"
        ),
        ("api.yaml", "asyncapi: 3.0.0\n", "a document of AsyncAPI 3.0.0, which describes messages", "OpenAPI document"),
        ("o.yaml", "overlay: 1.0.0\n", "an overlay (1.0.0), which changes a document", "--overlay o.yaml"),
        ("a.json", "{\"info\": {\"_postman_id\": \"1\"}, \"item\": []}", "a Postman collection", "convert"),
        ("a.yaml", "swaggerVersion: '1.2'\n", "a document of Swagger 1.2", "convert"),
        ("a.har", "{\"log\": {\"entries\": []}}", "recorded traffic", "errand replay"),
        ("a.yaml", "errand: 1\nservice: Shop\n", "a contract (`errand: 1`)", "errand lint"),
        ("api.raml", "#%RAML 1.0\ntitle: Shop\n", "a document of RAML", "convert"),
        ("api.raml", "#%RAML 1.0\n", "a document of RAML", "convert"),
        ("api.md", "FORMAT: 1A\n\n# Shop\n", "an API Blueprint", "convert"),
        (
            "a.wsdl", "<?xml version=\"1.0\"?>\n<definitions xmlns=\"http://schemas.xmlsoap.org/wsdl/\">\n",
            "a WSDL document", "convert"
        ),
        ("a.html", "<!doctype html>\n<html>\n", "XML or HTML", "save the document"),
        ("a.graphql", "type Query {\n  a: Int\n}\n", "a schema of GraphQL", "contract"),
        ("a.proto", "// Shop\nsyntax = \"proto3\";\nmessage A {}\n", "a file of Protocol Buffers", "convert"),
    ])
    func theFormatIsNamed(_ file: String, _ text: String, _ name: String, _ step: String) {
        let findings = ImportedDocument(files: [file: text], main: file).result.findings
        #expect(findings.map(\.message) == ["`\(file)` is not an OpenAPI document, but \(name)"])
        #expect(findings.first?.rule == "openapi-unreadable" && findings.first?.help?.contains(step) == true)
    }

    /// A file that is none of them is reported as before.
    @Test func anUnknownFileIsSaid() {
        let document = ImportedDocument(files: ["a.yaml": "title: Books\n"], main: "a.yaml")
        #expect(document.findings.first?.contains("is not a document of OpenAPI 3.0") == true)
        let broken = ImportedDocument(files: ["a.yaml": "openapi: [3.1.0\n"], main: "a.yaml")
        #expect(broken.findings.first?.hasPrefix("yaml-") == true, "\(broken.findings)")
    }
}
