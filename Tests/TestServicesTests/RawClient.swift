import Foundation
import TestServices

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// URLSession by hand, so that the services are trusted before a generated client meets them.
struct RawClient: Sendable {
    struct Answer {
        var status: Int
        var body: [UInt8]
        var headers: [String: String]
        var json: WireJSON? { WireJSON(parsing: body) }
    }

    private let session: URLSession = {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 10
        return URLSession(configuration: configuration)
    }()

    var base: String
    var headers: [String: String] = [:]

    func send(
        _ method: String, _ path: String, _ extra: [String: String] = [:], body: [UInt8]? = nil
    ) async throws -> Answer {
        guard let url = URL(string: base + path) else { throw URLError(.badURL) }
        var request = URLRequest(url: url)
        request.httpMethod = method
        request.httpBody = body.map { Data($0) }
        for (name, value) in headers.merging(extra, uniquingKeysWith: { $1 }) {
            request.setValue(value, forHTTPHeaderField: name)
        }
        let (data, response) = try await session.data(for: request)
        guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
        var headers: [String: String] = [:]
        for (name, value) in response.allHeaderFields { headers["\(name)".lowercased()] = "\(value)" }
        return Answer(status: response.statusCode, body: Array(data), headers: headers)
    }

    func json(_ method: String, _ path: String, _ extra: [String: String] = [:], _ body: WireJSON) async throws
        -> Answer
    {
        let extra = extra.merging(["Content-Type": "application/json"], uniquingKeysWith: { $1 })
        return try await send(method, path, extra, body: Array(body.description.utf8))
    }

    func form(
        _ method: String, _ path: String, _ extra: [String: String] = [:], _ fields: [(name: String, value: String)]
    ) async throws -> Answer {
        let extra = extra.merging(["Content-Type": "application/x-www-form-urlencoded"], uniquingKeysWith: { $1 })
        return try await send(method, path, extra, body: Array(Self.encoded(fields).utf8))
    }

    static func encoded(_ fields: [(name: String, value: String)]) -> String {
        fields.map { field in
            let value = field.value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            return "\(field.name)=\(value)"
        }.joined(separator: "&")
    }
}
