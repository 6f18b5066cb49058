import BankClient
@_spi(Measuring) import ErrandRuntime
import ErrandURLSession
import Foundation
import InstantBank

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The code of an app without a dispatcher: a request made by hand, URLSession, a check of the status, and the same parsing of
/// the response. It has no retries, session or table of errors.
struct PlainCall {
    private let session: URLSession

    init() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [InstantProtocol.self]
        session = URLSession(configuration: configuration)
    }

    func transfer() async throws -> Int {
        guard let url = URL(string: "https://api.bank.example/v1/transfers") else { throw URLError(.badURL) }
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        request.setValue("Bearer token", forHTTPHeaderField: "Authorization")
        request.setValue(UUID().uuidString, forHTTPHeaderField: "Idempotency-Key")
        request.httpBody = try JSONEncoder().encode(Body(fromAccount: 1, toAccount: 5, amount: 500))
        let (data, response) = try await session.data(for: request)
        guard (response as? HTTPURLResponse)?.statusCode == 200 else { throw URLError(.badServerResponse) }
        guard case .completed(let transfer)? = try Bank.TransferFunds.response(readFrom: Array(data)) else { return 0 }
        return transfer.confirmation
    }

    private struct Body: Encodable {
        let fromAccount: Int
        let toAccount: Int
        let amount: Decimal
    }
}

/// A network inside URLSession that already has the response.
final class InstantProtocol: URLProtocol {
    /// The bank over URLSession, and over this network.
    static func makeBank() async -> Bank {
        await InstantBank.make(URLSessionTransport { $0.protocolClasses = [InstantProtocol.self] })
    }

    override class func canInit(with request: URLRequest) -> Bool { true }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
    override func stopLoading() {}

    override func startLoading() {
        guard let url = request.url,
            let response = HTTPURLResponse(url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: nil)
        else { return }
        client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
        client?.urlProtocol(self, didLoad: Data(InstantBank.answer.utf8))
        client?.urlProtocolDidFinishLoading(self)
    }
}
