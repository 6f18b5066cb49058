import Testing

/// Lists that come in parts.
@Suite struct PageTests {
    /// A GET with query parameters, and an object with these properties as its response.
    private func imported(_ parameters: String, _ properties: String, response: String = "") -> ImportedDocument {
        let parameters = parameters.split(separator: ";").map { parameter in
            let parts = parameter.split(separator: "=", maxSplits: 1)
            return "{name: \(parts[0]), in: query, schema: {\(parts[1])}}"
        }
        let schema = properties.hasPrefix("type:") ? properties : "type: object, properties: {\(properties)}"
        return ImportedDocument(
            paths:
                "/a: {get: {operationId: list, parameters: [\(parameters.joined(separator: ", "))], responses: {200: "
                + "{description: Yes, \(response)content: {application/json: {schema: {\(schema)}}}}, 404: {description: None}}}}"
        )
    }

    private static let items = "items: {type: array, items: {type: object, properties: {id: {type: string}}}}"
    private static let link = "headers: {Link: {schema: {type: string}, example: '<https://a>; rel=\"next\"'}}, "

    private func pages(_ document: ImportedDocument) -> String {
        #expect(document.problems == [])
        let line = document.block("list:").split(separator: "\n").first { $0.contains("paginate") }
        #expect((line == nil) == document.result.reviews.allSatisfy { $0.subject != "endpoints/list" })
        return line.map { String($0.trimmingPrefix("  paginate: ")) } ?? ""
    }

    /// GitHub.
    @Test func linksAreFollowed() {
        let document = imported("page=type: integer", "type: array, items: {type: string}", response: Self.link)
        #expect(pages(document) == "{link: next}")
        #expect(document.findings == [])
        #expect(
            pages(imported("per_page=type: integer", Self.items, response: Self.link)) == "{link: next, items: items}")
        let without = imported("q=type: string", "type: array, items: {type: string}", response: Self.link)
        #expect(pages(without) == "")
        // An app reads it with `reply.link`.
        #expect(without.findings == [])
    }

    /// Django REST framework, JSON:API, fastapi-pagination and django-ninja.
    @Test(arguments: [
        (
            "page=type: integer", "count: {type: integer}, next: {type: string, nullable: true, format: uri}",
            "{next: next, items: items}"
        ),
        (
            "q=type: string", "links: {type: object, properties: {next: {type: string, format: uri}}}",
            "{next: links.next, items: items}"
        ),
        ("q=type: string", "next: {type: string}", ""),
        (
            "page=type: integer", "total: {type: integer}, pages: {type: integer}",
            "{page: page, total: pages, items: items}"
        ),
        (
            "cursor=type: string", "next_page: {type: string, nullable: true}",
            "{cursor: cursor, next: next_page, items: items}"
        ),
        (
            "limit=type: integer;offset=type: integer, default: 0", "count: {type: integer}",
            "{offset: offset, size: limit, total: count, items: items}"
        ),
        ("limit=type: integer;offset=type: integer, default: 0", "count: {type: integer}, at: {type: string}", ""),
    ])
    func listsOfFrameworksAreWalked(_ parameters: String, _ properties: String, _ wanted: String) {
        #expect(pages(imported(parameters, "\(Self.items), \(properties)")) == wanted)
    }

    /// flask-smorest and GitLab. The number of pages is in a header, and the empty page after the last one ends the list.
    @Test(arguments: [
        ("X-Pagination", "page=type: integer, default: 1, minimum: 1", "{page: page}"),
        ("x-total-pages", "page=type: integer", "{page: page}"),
        ("X-Next-Page", "q=type: string", ""),
        ("X-Total", "page=type: integer", ""),
    ])
    func pagesAreCountedByAHeader(_ header: String, _ parameters: String, _ wanted: String) {
        let response = "headers: {\(header): {schema: {type: object}}}, "
        #expect(pages(imported(parameters, "type: array, items: {type: string}", response: response)) == wanted)
    }

    /// Slack, Google, Notion, Zoom, Asana, Kubernetes and Stripe.
    @Test(arguments: [
        (
            "cursor=type: string", "response_metadata: {type: object, properties: {next_cursor: {type: string}}}",
            "{cursor: cursor, next: response_metadata.next_cursor, items: items}"
        ),
        (
            "pageToken=type: string", "nextPageToken: {type: string}",
            "{cursor: pageToken, next: nextPageToken, items: items}"
        ),
        (
            "start_cursor=type: string", "next_cursor: {type: string, nullable: true}",
            "{cursor: start_cursor, next: next_cursor, items: items}"
        ),
        (
            "next_page_token=type: string", "next_page_token: {type: string}",
            "{cursor: next_page_token, next: next_page_token, items: items}"
        ),
        (
            "offset=type: string", "next_page: {type: object, properties: {offset: {type: string}}}",
            "{cursor: offset, next: next_page.offset, items: items}"
        ),
        ("cursor=type: integer", "next_cursor: {type: string}", ""),
        ("cursor=type: string", "cursor: {type: string}", ""),
        (
            "starting_after=type: string", "has_more: {type: boolean}",
            "{cursor: starting_after, last: id, more: has_more, items: items}"
        ),
        (
            "starting-after=type: string", "has-more: {type: boolean}",
            "{cursor: starting-after, last: id, more: has-more, items: items}"
        ),
        ("starting_after=type: integer", "has_more: {type: boolean}", ""),
        ("starting_after=type: string", "has_more: {type: string}", ""),
        ("starting_after=type: string", "more: {type: boolean}", ""),
    ])
    func cursorsAreFollowed(_ parameter: String, _ property: String, _ wanted: String) {
        #expect(pages(imported(parameter, "\(Self.items), \(property)")) == wanted)
    }

    /// The flag, the cursor and the `id` may each be a schema with a name of its own.
    @Test func aFlagBehindAnAliasIsAFlag() {
        let parameter = "{name: starting_after, in: query, schema: {$ref: '#/components/schemas/Key'}}"
        let properties =
            "items: {type: array, items: {type: object, properties: {id: {$ref: '#/components/schemas/Key'}}}}, "
            + "has_more: {$ref: '#/components/schemas/Flag'}"
        let document = ImportedDocument(
            paths:
                "/a: {get: {operationId: list, parameters: [\(parameter)], responses: {200: {description: Yes, content: "
                + "{application/json: {schema: {type: object, properties: {\(properties)}}}}}, 404: {description: None}}}}",
            components:
                "schemas:\n  Key: {type: string, minLength: 3}\n  Flag: {type: boolean, description: Whether more follow.}"
        )
        #expect(pages(document) == "{cursor: starting_after, last: id, more: has_more, items: items}")
    }

    /// Spotify, and services that count pages.
    @Test(arguments: [
        (
            "page=type: integer, default: 1", "total_pages: {type: integer}",
            "{page: page, total: total_pages, items: items}"
        ),
        ("page=type: integer, minimum: 0", "total_pages: {type: integer}", ""),
        ("page=type: integer", "total: {type: integer}", ""),
        (
            "page=type: integer", "meta: {type: object, properties: {totalPages: {type: integer}}}",
            "{page: page, total: meta.totalPages, items: items}"
        ),
        (
            "offset=type: integer, default: 0;limit=type: integer", "total: {type: integer}",
            "{offset: offset, size: limit, total: total, items: items}"
        ),
        ("offset=type: integer, default: 5", "total: {type: integer}", ""),
        ("offset=type: integer", "count: {type: integer}", ""),
    ])
    func pagesAndElementsAreCounted(_ parameters: String, _ property: String, _ wanted: String) {
        #expect(pages(imported(parameters, "\(Self.items), \(property)")) == wanted)
    }

    /// With two lists, it is unknown which one comes in parts.
    @Test func twoListsAreNoPages() {
        let properties = "\(Self.items), others: {type: array, items: {type: string}}, nextPageToken: {type: string}"
        #expect(pages(imported("pageToken=type: string", properties)) == "")
    }
}
