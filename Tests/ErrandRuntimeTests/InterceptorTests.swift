import BankClient
import ErrandTesting
import Foundation
import Testing

@testable import ErrandRuntime

/// A failure's report about a request that an interceptor has changed.
@Suite(.overSocketsToo) struct InterceptorTests {
    /// Sends something else than it was given.
    private struct Change: Interceptor {
        let change: @Sendable (inout TransportRequest) -> Void
        func intercept(
            _ request: TransportRequest,
            next: @Sendable (TransportRequest) async throws(TransportFault) -> TransportResponse
        ) async throws(TransportFault) -> TransportResponse {
            var request = request
            change(&request)
            return try await next(request)
        }
    }

    /// Answers by itself.
    private struct Cache: Interceptor {
        func intercept(
            _ request: TransportRequest,
            next: @Sendable (TransportRequest) async throws(TransportFault) -> TransportResponse
        ) async throws(TransportFault) -> TransportResponse { .json(404, "") }
    }

    private func failure(_ interceptors: [any Interceptor]) async throws -> FailureContext {
        let dispatcher = Dispatcher(
            transport: ScriptedTransport { _, _ in .json(404, "") }, interceptors: interceptors,
            environment: DispatcherEnvironment(clock: InstantClock()))
        guard
            case .failure(let failure) = await Bank(on: dispatcher, session: .begun).result(
                of: Bank.ListAccounts(page: 3))
        else {
            Issue.record("it succeeded")
            throw CancellationError()
        }
        return failure.context
    }

    /// Another server is named; what else was added may be a secret.
    private static let changes: [(url: String, printed: String)] = [
        ("https://api.bank.example/v1/accounts?page=3", "https://api.bank.example/v1/accounts?page=3"),
        ("http://mirror.example:81/v1/accounts?page=3", "http://mirror.example:81/v1/accounts?page=3"),
        ("https://api.bank.example/v1/accounts?page=3&key=s3cret", "https://api.bank.example/v1/accounts?page=3•••"),
        ("https://gateway.example/s3cret/v1/accounts?page=3", "https://gateway.example/•••/v1/accounts?page=3"),
        ("https://gateway.example/s3cret", "https://gateway.example/•••"),
        ("https://ada:s3cret@gateway.example/v1/accounts?page=3", "•••"),
    ]

    @Test(arguments: changes) func aFailureNamesTheURLThatWasSent(url: String, printed: String) async throws {
        let context = try await failure([Change { $0.url = url }])
        #expect(context.url == printed)
        #expect(!"\(context)".contains("s3cret"))
    }

    @Test func theMethodIsTheOneThatWasSent() async throws {
        #expect(try await failure([Change { $0.method = .post }]).method == .post)
        // One that makes a request of its own, after another.
        let own = Change { $0 = TransportRequest(method: .put, url: "https://mirror.example/v1/accounts?page=3") }
        let context = try await failure([Change { $0.method = .post }, own])
        #expect(context.method == .put)
        #expect(context.url == "https://mirror.example/v1/accounts?page=3")
    }

    @Test func whatWasNotSentIsNamedAsItWasMeant() async throws {
        let context = try await failure([Cache(), Change { $0.url = "https://mirror.example/" }])
        #expect(context.url == "https://api.bank.example/v1/accounts?page=3")
        #expect(context.method == .get)
    }
}
