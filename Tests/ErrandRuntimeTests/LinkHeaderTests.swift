import Foundation
import Testing

@testable import ErrandRuntime

@Suite struct LinkHeaderTests {
    private static func links(_ values: String...) -> [LinkHeader.Link] {
        LinkHeader(HTTPHeaders(values.map { HTTPHeaders.Field("link", $0) })).links
    }

    @Test(arguments: [
        (#"<https://a.example/b?page=2>; rel="next""#, "https://a.example/b?page=2"),
        ("<https://a.example/b>;rel=next", "https://a.example/b"),
        (#"</b?c=d,e;f>; title="a, \"<x>\"; rel=prev"; REL="prev Next last""#, "/b?c=d,e;f"),
        (
            #"<https://a.example/1>; rel="prev", <https://a.example/3>; rel="next", <https://a.example/9>; rel="last""#,
            "https://a.example/3"
        ),
        (#" , ,<?page=2> ; rel = next ; rel="other""#, "?page=2"),
        (#"<a>; rel=first; foo, <b>; rel=next"#, "b"),
    ])
    func findsTheNextOne(_ value: String, _ target: String) {
        #expect(LinkHeader([.init("Link", value)].asHeaders).target(of: "next") == target)
    }

    @Test(arguments: [
        "", "<", "<>", "next", #"<a> rel=next"#, #"<a; rel="next""#, #"<a>; rel="ne xt""#, #"<a>; title="rel=next"#,
        #"<a>; rel=prev; rel=next"#, #"<a>; rel=next; anchor="https://other.example""#, "<a>; nextrel=next",
    ])
    func findsNone(_ value: String) {
        #expect(LinkHeader([.init("Link", value)].asHeaders).target(of: "next") == nil)
    }

    @Test func severalFieldsAreOneList() {
        #expect(Self.links("<a>; rel=prev", "<b>; rel=next").map(\.target) == ["a", "b"])
    }

    @Test func aFieldOfAnyLengthIsBounded() {
        let many = String(repeating: "<a>; rel=x, ", count: 100_000) + "<b>; rel=next"
        #expect(Self.links(many).count <= LinkHeader.maximumCount)
        let start = ContinuousClock.now
        for hostile in [
            String(repeating: "<", count: 1 << 20), "<a>" + String(repeating: ";", count: 1 << 20),
            "<a>; rel=\"" + String(repeating: "\\\"", count: 1 << 19),
            "<a>; " + String(repeating: "x=\"", count: 1 << 19),
        ] {
            _ = Self.links(hostile)
        }
        #expect(ContinuousClock.now - start < .seconds(10))
    }

    @Test(arguments: [
        ("?page=2", "https://a.example/v1/b?page=2"), ("/c", "https://a.example/c"),
        ("c/d#e", "https://a.example/v1/c/d"),
        ("../c", "https://a.example/c"), ("//b.example/c", "https://b.example/c"),
        ("HTTPS://B.example/c", "HTTPS://B.example/c"),
    ])
    func resolves(_ target: String, _ wanted: String) {
        #expect(LinkHeader.resolve(target, against: "https://a.example/v1/b?page=1") == wanted)
    }

    @Test(arguments: ["mailto:a@b.example", "javascript:alert(1)", "https://u:p@a.example/", "https://", "http://a b/"])
    func resolvesNothingElse(_ target: String) {
        let found = LinkHeader.resolve(target, against: "https://a.example/")
        #expect(found.map { Origin($0) != nil } ?? true, "\(found ?? "")")
    }
}

extension [HTTPHeaders.Field] {
    fileprivate var asHeaders: HTTPHeaders { HTTPHeaders(self) }
}
