import BooksClient
import ErrandTesting
import Foundation

/// An app that imports a client from the folder `generated/` of its own repository.
@main
struct Library {
    static func main() async {
        let server = ScriptedTransport { request, _ in
            request.endpoint == "Books.listBooks"
                ? .json(#"[{"isbn": "978-0", "title": "Emma", "isLent": true}]"#)
                : .json(#"{"until": "2026-12-24"}"#, status: 409)
        }
        let books = Books(on: Dispatcher(transport: server))
        do {
            for book in try await books.listBooks() {
                print("\(book.title) is \(book.isLent ? "lent" : "there")")
            }
            _ = try await books.lendBook(isbn: "978-0", reader: 7)
            print("the server lent a book twice")
            exit(1)
        } catch let failure as Books.LendBookFailure {
            guard case .alreadyLent(let lent) = failure, lent.data?.until.day == 24 else {
                print("failed: \(failure)")
                exit(1)
            }
            print(lent.message)
        } catch {
            print("failed: \(error)")
            exit(1)
        }
    }
}
