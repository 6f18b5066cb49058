import Testing

@testable import RecordedTraffic

/// Forms are checked with all of their values, and findings have none of these.
@Suite struct FormTests {
    private static let contract = """
        errand: 1
        service: Shop
        servers: {main: https://shop.example/v1}
        types:
          Item: {price: {type: int, range: 1..9}, kind: Kind, note: string?}
          Kind: {enum: [book, toy], closed: true}
        endpoints:
          pay:
            post: /pay
            effect: once
            body: {encoding: form, fields: {items: "[Item]", metadata: "[string: int]", ids: "[int]", kinds: "[Kind]?", total: Item?}}
            response: none
          send:
            post: /send
            effect: once
            body: {encoding: multipart, fields: {item: Item, title: string}}
            response: none
        """

    private static func found(
        _ path: String, _ body: String, _ type: String = "application/x-www-form-urlencoded"
    ) throws -> [String] {
        let entry = Recordings.entry(
            "POST", "https://shop.example/v1" + path, 204, sent: body, headers: ["Content-Type": type])
        return Recordings.judge(Recordings.har([entry]), by: [try Recordings.contract(contract)]).lines
    }

    @Test(arguments: [
        "items[0][price]=5&items[0][kind]=book&items[1][price]=1&items[1][kind]=toy&items[1][note]=x&metadata[a]=1&ids=1&ids=2",
        "items%5B0%5D%5Bprice%5D=5&items%5B0%5D%5Bkind%5D=book&ids[]=1&ids[]=2&kinds[0]=toy&total[price]=3&total[kind]=toy",
        "",
    ]) func aFormThatFitsHasNoFinding(_ body: String) throws {
        #expect(try Self.found("/pay", body) == [])
    }

    @Test(arguments: [
        ("items[0][price]=secret7&items[0][kind]=book", "`body.items[].price` must be an integer"),
        ("items[0][price]=77&items[0][kind]=book", "`body.items[].price`"),
        ("items[0][kind]=book", "`body.items[].price` is missing"),
        ("items[0][price]=7&items[0][kind]=secret7", "`body.items[].kind` must be one of `book`, `toy`"),
        ("metadata[secret7]=secret7", "`body.metadata.*` must be an integer"),
        ("ids[1]=secret7", "`body.ids"), ("kinds=secret7", "`body.kinds"),
        ("total=secret7", "`body.total` must have members in brackets"),
        ("total[price][secret7]=1&total[kind]=toy", "`body.total.price` must be one text"),
        (
            "total[price]=1&total[kind]=toy&total[colour]=secret7",
            "`body.total.colour`, which the contract does not declare"
        ),
        ("colour[x]=secret7", "`body.colour`, which the contract does not declare"),
    ]) func whatDoesNotFitIsFound(_ body: String, _ problem: String) throws {
        let lines = try Self.found("/pay", body)
        #expect(lines.count == 1 && lines[0].contains(problem), "\(lines)")
        #expect(!lines.joined().contains("secret7"))
    }

    @Test(arguments: [
        (#"{"price":5,"kind":"toy"}"#, nil), (#"{"price":true,"kind":"toy"}"#, "`body.item.price` must be"),
        ("no JSON", "`body.item` is not JSON"),
    ]) func aPartWithJSONIsRead(_ item: String, _ problem: String?) throws {
        func part(_ name: String, _ text: String) -> String {
            "--mark\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(text)\r\n"
        }
        let body = part("item", item) + part("title", "a") + "--mark--\r\n"
        let lines = try Self.found("/send", body, "multipart/form-data; boundary=mark")
        #expect(lines.count == (problem == nil ? 0 : 1), "\(lines)")
        if let problem { #expect(lines.first?.contains(problem) == true, "\(lines)") }
    }
}
