import Diagnostics
import Testing

/// Mistakes in `paginate`, each with its finding, its place and the way to fix it.
@Suite struct PaginationMistakeTests {
    @Test(arguments: pages + wrappedPages)
    func isFoundAtItsPlace(_ fixture: ContractFixture) { expectIsFound(fixture, among: 2) }

    static let pages: [ContractFixture] = [
        ContractFixture(
            "page-parameter-missing", saying: "add it under `query`", endpoint: "get: /a\npaginate: {page: «page»}"),
        ContractFixture(
            "page-parameter-missing", saying: "did you mean `page`?",
            endpoint: "get: /a\nquery: {page: int}\nresponse: [int]\npaginate: {page: «pgae»}"),
        ContractFixture(
            "page-type-mismatch", saying: "must be an integer",
            endpoint: "get: /a\nquery: {page: string}\nresponse: [int]\npaginate: {page: «page»}"),
        ContractFixture(
            "page-type-mismatch", saying: "a cursor must be",
            endpoint:
                "get: /a\nquery: {after: bool?}\nresponse: {a: [int], b: string}\npaginate: {cursor: «after», next: b, items: a}"
        ),
        ContractFixture(
            "page-type-mismatch", saying: "the next cursor is a `string`",
            endpoint:
                "get: /a\nquery: {after: string?}\nresponse: {a: [int], b: int}\npaginate: {cursor: after, next: «b», items: a}"
        ),
        ContractFixture(
            "unknown-path", saying: "did you mean `more`?",
            endpoint:
                "get: /a\nquery: {after: string?}\nresponse: {a: [int], more: string}\npaginate: {cursor: after, next: «mroe», items: a}"
        ),
        ContractFixture(
            "page-type-mismatch", saying: "remove `cursor: after`, and the client follows the URL",
            endpoint:
                "get: /a\nquery: {after: string?}\nresponse: {a: [int], b: url?}\npaginate: {cursor: after, next: «b», items: a}"
        ),
        ContractFixture(
            "page-type-mismatch", saying: "write `url?`",
            endpoint: "get: /a\nresponse: {a: [int], b: url}\npaginate: {next: «b», items: a}"),
        ContractFixture(
            "page-type-mismatch", saying: "status 401 does not say that a list has ended",
            endpoint: "get: /a\nresponse: {a: [int], b: url?}\npaginate: «{next: b, items: a, past: 401}»"),
        ContractFixture(
            "page-type-mismatch", saying: "the next URL is a `string` or a `url`",
            endpoint: "get: /a\nresponse: {a: [int], b: int?}\npaginate: {next: «b», items: a}"),
        ContractFixture(
            "conflicting-keys", saying: "`last` is only valid with `cursor`",
            endpoint: "get: /a\nquery: {page: int}\nresponse: [int]\npaginate: {page: page, «last»: id}"),
        ContractFixture(
            "missing-key", saying: "need `next` or `last`",
            endpoint: "get: /a\nquery: {after: int?}\nresponse: [int]\npaginate: {«cursor»: after}"),
        ContractFixture(
            "conflicting-keys", saying: "`last` is not valid with `next`",
            endpoint:
                "get: /a\nquery: {after: int?}\nresponse: {a: [int], b: int}\npaginate: {cursor: after, next: b, «last»: id, items: a}"
        ),
        ContractFixture(
            "conflicting-keys", saying: "`more` is only valid with `cursor`",
            endpoint: "get: /a\nquery: {page: int}\nresponse: [int]\npaginate: {page: page, «more»: b}"),
        ContractFixture(
            "page-type-mismatch", saying: "the flag is a `bool`",
            endpoint:
                "get: /a\nquery: {after: int?}\nresponse: {a: [json], b: int}\npaginate: {cursor: after, last: id, more: «b», items: a}"
        ),
        ContractFixture(
            "page-type-mismatch", saying: "an element of `ask` is a `int`, so it has no field `id`",
            endpoint: "get: /a\nquery: {after: int?}\nresponse: [int]\npaginate: {cursor: after, last: «id»}"),
        ContractFixture(
            "page-type-mismatch", saying: "the cursor in the last element is a `int`",
            endpoint: "get: /a\nquery: {after: int?}\nresponse: [Mark]\npaginate: {cursor: after, last: «id»}",
            more: "types: {Mark: {id: string}}\n"),
        ContractFixture(
            "unknown-path", saying: "did you mean `id`?",
            endpoint: "get: /a\nquery: {after: string?}\nresponse: [Mark]\npaginate: {cursor: after, last: «ids»}",
            more: "types: {Mark: {id: string}}\n"),
        ContractFixture(
            "unknown-path", saying: "for the list",
            endpoint: "get: /a\nresponse: {a: [int]}\npaginate: {link: next, items: «elsewhere»}"),
        ContractFixture(
            "page-type-mismatch", saying: "`items: a`",
            endpoint: "get: /a\nresponse: {a: [int]}\npaginate: «{link: next}»"),
        ContractFixture(
            "page-type-mismatch", saying: "the elements must be a list",
            endpoint: "get: /a\nresponse: {a: int}\npaginate: {link: next, items: «a»}"),
        ContractFixture(
            "pages-not-walkable", saying: "effect: read",
            endpoint: "post: /a\nquery: {page: int}\nresponse: [int]\npaginate: «{page: page}»"),
        ContractFixture(
            "pages-not-walkable", saying: "remove `paginate` or `delivery`",
            endpoint: "get: /a\nquery: {page: int}\nresponse: int\ndelivery: stream\npaginate: «{page: page}»"),
        ContractFixture(
            "pages-not-walkable", saying: "only with a GET",
            endpoint: "put: /a\nresponse: [int]\npaginate: «{link: next}»"),
        ContractFixture(
            "pages-not-walkable", saying: "make it an error",
            endpoint:
                "get: /a\nquery: {page: int}\nresponse: [int]\noutcomes: {none: {when: {status: 204}}}\npaginate: «{page: page}»"
        ),
        ContractFixture(
            "conflicting-keys", saying: "`foreign` is not valid",
            endpoint: "get: /a\nquery: {page: int}\nresponse: [int]\npaginate: {page: page, «foreign»: refused}"),
    ]

    private static let wrapped = "envelopes: {standard: {data: data, error: error, code: error.code}}\n"

    /// Paths without the keys of the envelope, and through the mark of a failure.
    static let wrappedPages: [ContractFixture] = [
        ContractFixture(
            "unknown-path", saying: "`data.next`",
            endpoint:
                "get: /a\nenvelope: standard\nquery: {after: string?}\nresponse: {a: [int], next: string?}\npaginate: {cursor: after, next: «next», items: data.a}",
            more: wrapped),
        ContractFixture(
            "unknown-path", saying: "`data.pages`",
            endpoint:
                "get: /a\nenvelope: standard\nquery: {page: int}\nresponse: {a: [int], pages: int}\npaginate: {page: page, total: «pages», items: data.a}",
            more: wrapped),
        ContractFixture(
            "unknown-path", saying: "`data.a`",
            endpoint:
                "get: /a\nenvelope: standard\nquery: {page: int}\nresponse: {a: [int], pages: int}\npaginate: {page: page, total: data.pages, items: «a»}",
            more: wrapped),
        ContractFixture(
            "unknown-path", saying: "is a failure",
            endpoint:
                "get: /a\nenvelope: standard\nquery: {after: string?}\nresponse: {a: [int], next: string?}\npaginate: {cursor: after, next: «error.next», items: data.a}",
            more: wrapped),
        ContractFixture(
            "invalid-value", saying: "write `data.next`",
            endpoint:
                "get: /a\nenvelope: standard\nquery: {after: string?}\nresponse: {a: [int], next: string?}\npaginate: {cursor: after, next: «$.data.next», items: data.a}",
            more: wrapped),
        ContractFixture(
            "invalid-value", saying: "write `data.next`",
            endpoint:
                "get: /a\nenvelope: standard\nquery: {after: string?}\nresponse: {a: [int], next: string?}\npaginate: {cursor: after, next: «/data/next», items: data.a}",
            more: wrapped),
    ]

    /// A list that is the payload is where the envelope has lists, and nowhere else.
    @Test func theElementsOfAListAreWhereTheEnvelopeHasLists() {
        func resolved(_ items: String) -> [Diagnostic] {
            resolve(
                ContractFixture.head + "envelopes: {standard: {data: data, list: data.list}}\n"
                    + "endpoints: {list: {get: /a, envelope: standard, query: {page: int}, response: [int], paginate: {page: page, items: \(items)}}}\n"
            ).diagnostics
        }
        #expect(resolved("data.list").isEmpty)
        let found = resolved("data")
        #expect(found.count == 1 && found[0].message.contains("is itself the list, so `items: data` leads nowhere"))
    }

    /// A member beside the payload, which no type describes, may be a part of `paginate`.
    @Test func aMemberBesideThePayloadIsNoMistake() {
        let result = resolve(
            ContractFixture.head + Self.wrapped
                + "endpoints:\n  list: {get: /a, envelope: standard, query: {page: int}, response: [int], paginate: {page: page, total: pages}}\n"
                + "  find: {get: /b, envelope: standard, query: {page: int}, response: {a: [int]}, paginate: {page: page, total: pages, items: data.a}}\n"
        )
        #expect(result.diagnostics.isEmpty, "\(listing(result.diagnostics))")
    }
}
