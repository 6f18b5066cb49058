import ErrandSemantics
import Testing

@testable import ErrandService

@Suite struct ListPageTests {
    @Test func aPageBeginsWhereTheRequestSays() {
        let far = "9223372036854775807"
        let table: [(ListPage.Place, String?, size: String?, Range<Int>, next: Int?)] = [
            (.page(first: 1), nil, nil, 0..<10, 10), (.page(first: 1), "3", nil, 20..<25, nil),
            (.page(first: 0), "1", "7", 7..<14, 14), (.page(first: 1), "0", nil, 0..<10, 10),
            (.page(first: 1), "99", nil, 25..<25, nil), (.page(first: 1), far, "10", 25..<25, nil),
            (.page(first: -1), far, "10", 25..<25, nil), (.page(first: 1), "x", nil, 0..<10, 10),
            (.offset(first: 0), "20", "4", 20..<24, 24), (.offset(first: 1), "1", far, 0..<25, nil),
            (.offset(first: 0), "1", far, 1..<25, nil), (.offset(first: 0), "-5", "0", 0..<1, 1),
            (.offset(first: -9), far, nil, 25..<25, nil), (.offset(first: 0), "2", "-3", 2..<3, 3),
            (.cursor, nil, nil, 0..<10, 10), (.cursor, "", nil, 0..<10, 10), (.cursor, "12", nil, 12..<22, 22),
            (.cursor, ListPage.cursor(12), nil, 12..<22, 22), (.cursor, ListPage.uuid(18), nil, 18..<25, nil),
            (.cursor, "of another list", nil, 0..<10, 10), (.cursor, "-4", nil, 0..<10, 10),
            (.lastElement, nil, nil, 0..<10, 10), (.lastElement, "9", nil, 10..<20, 20),
            (.lastElement, ListPage.uuid(19), nil, 20..<25, nil), (.lastElement, far, nil, 25..<25, nil),
        ]
        for (place, text, size, elements, next) in table {
            let page = ListPage(place, text, size: size, of: 25)
            #expect(page.elements == elements && page.next == next, "\(place) \(text ?? "-") \(size ?? "-")")
        }
        #expect(ListPage(.offset(first: 0), nil, size: "50", most: 20, of: 100).elements == 0..<20)
    }

    /// In each style, the next page begins where the one before ends.
    @Test func aWalkMeetsEachElementOnce() {
        let styles: [(ListPage.Place, (ListPage, _ next: Int) -> String)] = [
            (.page(first: 1), { page, next in String(next / page.size + 1) }),
            (.offset(first: 1), { _, next in String(next + 1) }), (.cursor, { _, next in ListPage.cursor(next) }),
            (.cursor, { _, next in ListPage.uuid(next) }), (.cursor, { _, next in String(next) }),
            (.lastElement, { _, next in ListPage.uuid(next - 1) }),
        ]
        for (place, text) in styles {
            for (length, size) in [(0, 3), (1, 3), (3, 3), (4, 3), (100, 7), (100, 1), (5, 1_000)] {
                var page = ListPage(place, nil, size: "\(size)", of: length)
                var (elements, pages) = (Array(page.elements), length == 0 ? 0 : 1)
                while let next = page.next, pages <= length {
                    page = ListPage(place, text(page, next), size: "\(size)", of: length)
                    elements += page.elements
                    pages += 1
                }
                #expect(elements == Array(0..<length) && pages == page.count, "\(place), \(length) by \(size)")
            }
        }
    }

    @Test func aLinkKeepsTheRestOfTheQuery() {
        let table = [
            ("/a", "/a?errand-start=7"), ("/a?", "/a?errand-start=7"),
            ("/a?b=1&errand-start=3&errand-starts=2", "/a?b=1&errand-starts=2&errand-start=7"),
            ("http://h/a?b=?", "http://h/a?b=?&errand-start=7"), ("", "?errand-start=7"),
        ]
        for (url, link) in table { #expect(ListPage.link(to: 7, from: url) == link) }
    }

    @Test func aCloseCodeSaysAStatus() {
        let table: [(status: Int, code: UInt16, otherwise: UInt16)] = [
            (401, 3000, 3000), (403, 3003, 1008), (504, 3008, 3008), (502, 1014, 1013), (503, 1013, 1012),
            (429, 1013, 1012), (500, 1011, 1011), (404, 1008, 1007),
        ]
        for (status, code, otherwise) in table {
            #expect(CloseCode.saying(status, in: DecisionTable([])).rawValue == code, "\(status)")
            let own = DecisionTable([.error("own", applied: .never, close: [.code(Int(code))])])
            #expect(CloseCode.saying(status, in: own).rawValue == otherwise, "\(status)")
        }
    }
}
