import JSONTree
import Testing

@testable import MockServer

/// The status of a success: that of the contract, or the usual one.
@Suite struct StatusTests {
    private static let endpoints = """
        makeBook: {post: /books, body: {title: string}, response: Book, status: 201}
        readBook: {get: "/books/{id:int}", response: Book}
        importBooks: {post: /imports, body: {title: string}, response: {number: int}, status: 202}
        orderBook: {post: /orders, body: {title: string}, response: {number: int}}
        forget: {delete: /history, response: none}
        forgetLater: {delete: /searches, response: none, status: 202}
        look: {head: /cover, response: none}
        load: {get: /cover, response: bytes, status: 203}
        watch: {get: /changes, response: {number: int}, delivery: stream, status: 203}
        """

    @Test(arguments: [
        ("POST", "/books", 201), ("POST", "/imports", 202), ("POST", "/orders", 200), ("DELETE", "/history", 204),
        ("DELETE", "/searches", 202), ("HEAD", "/cover", 200), ("GET", "/cover", 203), ("GET", "/changes", 203),
    ])
    func aSuccessHasIt(_ method: String, _ path: String, _ status: Int) throws {
        var client = try MockFixture.client(Self.endpoints, types: "Book: {id: int, title: string}", "")
        let sent = method == "POST" ? #"{"title":"Dune"}"# : nil
        #expect(try client.send(method, path, sent).status == status)
    }

    /// What POST has made is there, whatever the status is.
    @Test func aCreationIsKept() throws {
        var client = try MockFixture.client(Self.endpoints, types: "Book: {id: int, title: string}", "")
        let made = try client.send("POST", "/books", #"{"title":"Dune"}"#)
        let number = try #require(made.json["id"]?.scalarText)
        #expect(try client.send("GET", "/books/\(number)").json == made.json)
    }

    /// An outcome has the usual status, so the success has the next one.
    @Test func aTakenStatusIsNotThatOfASuccess() throws {
        var client = try MockFixture.client(
            "order: {post: /orders, body: {title: string}, response: {number: int}, outcomes: {late: {when: {status: 200}}}}",
            types: "Book: {id: int}", "")
        #expect(try client.send("POST", "/orders", #"{"title":"Dune"}"#).status == 201)
    }
}
