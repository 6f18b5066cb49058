import ErrandTesting
import Foundation

/// `Books` and `Readers` are nowhere in this package: the build makes them from the contracts beside this file.
@main
struct Library {
    static func main() async {
        let server = ScriptedTransport { request, _ in
            switch request.endpoint {
            case "Readers.getReader": .json(#"{"number": 7, "name": "Ada"}"#)
            case "Books.listBooks":
                .json(#"[{"isbn": "978-0", "title": "Emma"}, {"isbn": "978-1", "title": "Persuasion"}]"#)
            default: .json(#"{"by": {"number": 9, "name": "Grace"}, "until": "2026-12-24"}"#, status: 409)
            }
        }
        let dispatcher = Dispatcher(transport: server)
        do {
            let reader = try await Readers(on: dispatcher).getReader(number: 7)
            let books = Books(on: dispatcher)
            let titles = try await books.listBooks().map(\.title)
            print("\(reader.name) may choose among \(titles.joined(separator: ", "))")
            try check(titles == ["Emma", "Persuasion"])
            try await lend("978-0", to: reader, by: books)
            try check(server.requests.count == 3)
        } catch {
            print("failed: \(error)")
            exit(1)
        }
    }

    /// A type of one contract is an input of what the other contract fails with.
    private static func lend(_ isbn: String, to reader: Readers.ReaderCard, by books: Books) async throws {
        do throws(Books.LendBookFailure) {
            _ = try await books.lendBook(isbn: isbn, reader: reader.number)
        } catch .alreadyLent(let failure) {
            print("\(failure.message) It is \(failure.data?.by.name ?? "nobody")'s.")
            return try check(failure.data?.by.name == "Grace")
        } catch {
            throw error  // whatever is not this screen's
        }
        throw Unexpected()  // the same book to two readers
    }

    private static func check(_ isSo: Bool) throws {
        if !isSo { throw Unexpected() }
    }

    struct Unexpected: Error {}
}
