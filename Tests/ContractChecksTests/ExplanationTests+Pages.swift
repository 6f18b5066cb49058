import ContractModel
import Testing

@testable import ContractChecks

// How `errand explain` says the pages of a list.
extension ExplanationTests {
    @Test(arguments: [
        ("{page: page, total: pages, items: items}", "the next number in `page`", "the page whose number is `pages`"),
        ("{page: page, items: items}", "the next number in `page`", "is an empty page"),
        ("{offset: start, total: count, items: items}", "elements so far in `start`", "element number `count`"),
        ("{cursor: after, next: next, items: items}", "the value of `next` in `after`", "a page without this value"),
        (
            "{cursor: last, last: id, more: more, items: items}", "the `id` of the last element in `last`",
            "a page without elements or with a false `more`"
        ),
        ("{link: next, items: items}", "the link `next` in the header", "a link to another origin fails"),
    ])
    func theNextPageAndTheLastOneAreNamed(_ paginate: String, _ next: String, _ last: String) throws {
        let contract = try #require(
            examine(
                """
                errand: 1
                service: Sample
                types: {Item: {id: int}}
                endpoints:
                  list:
                    get: /a
                    query: {page: int = 1, start: int = 0, after: string?, last: int?}
                    response: {items: [Item], pages: int, count: int, next: string?, more: bool}
                    paginate: \(paginate)
                  other: {get: /b, response: string}
                """
            ).resolved)
        let pages = try #require(EndpointExplanation("list", in: contract)).pages
        #expect(pages?.contains(next) == true && pages?.contains(last) == true, "\(pages ?? "")")
        #expect(EndpointExplanation("other", in: contract)?.pages == nil)
    }
}
