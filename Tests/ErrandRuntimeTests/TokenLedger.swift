import BankClient
import ErrandTesting
import Foundation

@testable import ErrandRuntime

/// A server that writes down with which token each request came.
struct TokenLedger: Sendable {
    private let entries = LockedState<[(path: String, token: String)]> { [] }

    /// The tokens with which a path was asked for, `DELETE /v1/sessions` for instance.
    func tokens(on path: String) -> [String] { entries.withLock { $0 }.filter { $0.path == path }.map(\.token) }

    /// A transport that records the requests, and responds from a script.
    func transport(_ answer: @escaping ScriptedTransport.Answer) -> ScriptedTransport {
        ScriptedTransport.scripted { request, number throws(TransportFault) in
            note(request)
            return try await answer(request, number)
        }
    }

    private func note(_ request: TransportRequest) {
        let bearer = request.headers["Authorization"].map { $0.replacingOccurrences(of: "Bearer ", with: "") }
        let parameter = URLComponents(string: request.url)?.queryItems?.first { $0.name == "token" }?.value
        let path = "\(request.method.rawValue) \(URL(string: request.url)?.path ?? "")"
        entries.withLock { $0.append((path, bearer ?? parameter ?? "")) }
    }
}

extension Result where Failure: CommandFailure {
    /// Whether the command ended because its session did.
    var isSessionEnded: Bool {
        if case .failure(let failure) = self { failure.context.name == "sessionEnded" } else { false }
    }

    var applied: Applied? {
        if case .failure(let failure) = self { failure.context.applied } else { nil }
    }
}

extension Dispatcher {
    /// Waits until a command waits at a place.
    func waits(at place: WaitReason, _ count: Int = 1) async {
        await until { waiting.count { $0.place == place } == count }
    }
}

/// The bank's login, where the contract names the user.
struct IdentifiedLogIn: LoginCommand {
    var token: String
    var identity: String?
    typealias Service = Bank
    typealias Failure = CommandFault
    typealias Response = SessionTokens
    static let endpoint = EndpointDescription(
        Bank.service, "identifiedLogIn", .post, effect: .idempotent)
    func encode(into request: inout RequestEncoder) {
        request.path("/identified")
        request.query("as", token + ":" + (identity ?? "nil"))
    }
    static func load(from reader: inout JSONReader) -> SessionTokens? {
        let parts = reader.readString().split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else { return nil }
        return SessionTokens(access: parts[0], identity: parts[1] == "nil" ? nil : parts[1])
    }
    static func tokens(from response: SessionTokens) -> SessionTokens { response }

    /// A server's response to it.
    static func answer(to request: TransportRequest) -> TransportResponse? {
        guard let url = URLComponents(string: request.url), url.path.hasSuffix("/identified") else { return nil }
        return .json(200, "\"\(url.queryItems?.first?.value ?? "")\"")
    }
}
