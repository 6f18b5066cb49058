import ErrandRuntime
import ErrandTransportConformance
import Foundation

/// What a transport does with a server of one version of TLS alone, which `openssl s_server` plays.
public struct TLSVersionTrial: Sendable {
    private let authority: TestAuthority

    public init() throws {
        authority = try TestAuthority()
        _ = try authority.makeKey("server")
        try authority.issue("server")
    }

    /// - Returns: what the transport did wrong.
    public func problems<C: CertifiedClient>(of client: C.Type) async throws -> [String] {
        let client = try C(trusting: [trusted], presenting: [], proxies: .none)
        var problems: [String] = []
        for version in ["-tls1", "-tls1_1"] {
            let result = try await response(of: version) { await client.respond(to: $0, nil, body: nil) }
            guard case .failure(let fault) = result, fault.kind == .tls, fault.evidence == .notSent else {
                problems.append("\(version): \(result)")
                continue
            }
        }
        for version in ["-tls1_2", "-tls1_3"] {
            let result = try await response(of: version) { await client.respond(to: $0, nil, body: nil) }
            if (try? result.get().status) != 200 { problems.append("\(version): \(result)") }
        }
        return problems
    }

    /// The authority that vouches for the servers.
    public var trusted: TrustedAuthority {
        get throws { try TrustedAuthority(host: "localhost", certificate: authority.certificate) }
    }

    /// The result of a request to a server of a version, once it listens.
    public func response(
        of version: String, _ send: (_ url: String) async -> Result<TransportResponse, TransportFault>
    ) async throws -> Result<TransportResponse, TransportFault> {
        // A port that was free a moment ago.
        let port = try RawServer { _, _ in }.port
        // OpenSSL allows signatures of the old versions at its lowest level only.
        let server = try authority.serve("server", on: port, [version, "-cipher", "DEFAULT:@SECLEVEL=0", "-www"])
        // The thread that starts a process may block SIGTERM, and the process then blocks it as well.
        defer { if server.isRunning { kill(server.processIdentifier, SIGKILL) } }
        while true {
            let result = await send("https://localhost:\(port)/")
            guard case .failure(let fault) = result, fault.kind == .refused, server.isRunning else { return result }
            try await Task.sleep(for: .milliseconds(10))
        }
    }
}
