import OpenAPI
import Testing

/// Groups that are made of tags, if they are asked for.
@Suite struct TagGroupTests {
    private static let text = """
        openapi: 3.1.0
        info: {title: Sample, version: 1.0.0}
        servers: [{url: "https://api.sample.example"}]
        tags: [{name: Pull Requests, description: Proposed changes.}]
        paths:
          /pulls: {get: {operationId: listPulls, tags: [Pull Requests], responses: {200: {description: Fine}, 404: {description: None}}}}
          /search: {get: {operationId: search, tags: [search], responses: {200: {description: Fine}, 404: {description: None}}}}
          /plain: {get: {operationId: getPlain, responses: {200: {description: Fine}, 404: {description: None}}}}
        """

    @Test func tagsBecomeGroups() {
        let document = ImportedDocument(files: ["api.yaml": Self.text], hasGroups: true)
        #expect(document.problems == [])
        #expect(
            document.block("groups:")
                == "groups:\n  pullRequests: Proposed changes.\n  searchGroup: The endpoints of the tag `search`.")
        #expect(document.block("listPulls:").contains("group: pullRequests"))
        #expect(document.block("search:").contains("group: searchGroup"))
        #expect(!document.block("getPlain:").contains("group"))
    }

    @Test func withoutTheOptionTheyAreComments() {
        let document = ImportedDocument(files: ["api.yaml": Self.text])
        #expect(!document.contract.contains("group"))
        #expect(document.contract.contains("# MARK: Pull Requests"))
    }
}
