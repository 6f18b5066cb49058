import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

let api = BookshopAPI()
let address = "St James's Square 12"

func show(_ text: String) {}

struct Book: Decodable, Sendable {
    var id: Int
    var title: String
    var price: Decimal
}

struct Basket: Decodable, Sendable {
    var books: [Book]
    var total: Decimal
}

struct Order: Decodable, Sendable {
    var id: UUID
    var total: Decimal
}

enum BookshopError: Error {
    case loggedOut, noConnection, unreadable
    case refused(String)
}

/// The layer that the page moves: ten endpoints of a bookshop, written by hand.
actor BookshopAPI {
    private(set) var token: String?

    func call<Value: Decodable>(
        _ method: String, _ path: String, _ body: [String: String] = [:], attempts: Int = 3
    ) async throws -> Value {
        guard let url = URL(string: "https://api.bookshop.example/v2" + path) else { throw BookshopError.unreadable }
        var request = URLRequest(url: url, timeoutInterval: 15)
        request.httpMethod = method
        if !body.isEmpty { request.httpBody = try JSONEncoder().encode(body) }
        if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
        do {
            let (data, response) = try await URLSession.shared.data(for: request)
            if (response as? HTTPURLResponse)?.statusCode == 401 { throw BookshopError.loggedOut }
            let answer = try JSONDecoder().decode(Answer<Value>.self, from: data)
            if let problem = answer.error { throw BookshopError.refused(problem.text) }
            guard let value = answer.result else { throw BookshopError.unreadable }
            return value
        } catch is URLError where attempts > 1 {
            return try await call(method, path, body, attempts: attempts - 1)
        }
    }

    struct Answer<Value: Decodable>: Decodable {
        var result: Value?
        var error: Problem?
    }

    struct Problem: Decodable {
        var code: String
        var text: String
    }

    struct Done: Decodable {}

    func logIn(email: String, password: String) async throws {
        struct Grant: Decodable { var token: String }
        let grant: Grant = try await call("POST", "/login", ["email": email, "password": password])
        token = grant.token
    }

    func books(page: Int) async throws -> [Book] { try await call("GET", "/books?page=\(page)") }
    func search(_ text: String) async throws -> [Book] {
        let query = text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        return try await call("GET", "/books/search?q=\(query)")
    }
    func book(_ id: Int) async throws -> Book { try await call("GET", "/books/\(id)") }
    func basket() async throws -> Basket { try await call("GET", "/basket") }
    func put(_ book: Int, count: Int) async throws -> Basket {
        try await call("PUT", "/basket/\(book)", ["count": "\(count)"])
    }
    func remove(_ book: Int) async throws -> Basket { try await call("DELETE", "/basket/\(book)") }
    func placeOrder(address: String) async throws -> Order { try await call("POST", "/orders", ["address": address]) }
    func orders() async throws -> [Order] { try await call("GET", "/orders") }
    func cancel(_ order: UUID) async throws { let _: Done = try await call("DELETE", "/orders/\(order)") }
}
