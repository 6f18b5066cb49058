import ErrandRuntime
import ErrandTransportConformance
import Foundation

#if canImport(TestProxy)
import TestProxy
#endif

/// A transport under trial, and how it sends.
public protocol CertifiedClient: Sendable {
    init(trusting: [TrustedAuthority], presenting: [ClientCertificate], proxies: ProxySettings) throws

    /// The kinds of keys that it refuses.
    static var unusableKeys: [TestAuthority.KeyKind] { get }

    /// Sends a request over TLS, or the handshake of another protocol, and gives the server's response to it.
    ///
    /// - Parameter body: a body to send, if requests of this transport have bodies.
    func respond(to url: String, _ pins: PublicKeyPins?, body: [UInt8]?) async -> Result<
        TransportResponse, TransportFault
    >
}

extension CertifiedClient {
    public static var unusableKeys: [TestAuthority.KeyKind] { [] }
}

/// A client whose transport carries requests over HTTP.
public protocol RequestingClient: CertifiedClient {
    var transport: any Transport { get }
}

extension RequestingClient {
    public func respond(
        to url: String, _ pins: PublicKeyPins?, body: [UInt8]?
    ) async -> Result<TransportResponse, TransportFault> {
        var request = TransportRequest(
            method: body == nil ? .get : .post, url: url, body: body, timeout: .seconds(20))
        request.pins = pins
        do throws(TransportFault) {
            return .success(try await transport.send(request))
        } catch {
            return .failure(error)
        }
    }
}

/// What a transport does with a server that asks for a client certificate, which `openssl s_server` plays.
public struct ClientCertificateTrial: Sendable, CustomStringConvertible {
    public let description: String
    private let run: @Sendable (Course) async throws -> [String]

    /// - Returns: what the transport did wrong.
    public func problems<C: CertifiedClient>(of client: C.Type) async throws -> [String] {
        try await run(try Course(C.unusableKeys) { try C(trusting: $0, presenting: $1, proxies: $2) })
    }

    /// The versions of TLS, as options of the server. With 1.3, the server looks at the certificate after the client has begun to send.
    private static let versions = ["-tls1_2", "-tls1_3"]

    public static let all: [ClientCertificateTrial] =
        versions.flatMap { version in
            [
                ClientCertificateTrial(description: "each kind of key (\(version))") {
                    try await $0.acceptsKeys(version)
                },
                ClientCertificateTrial(description: "no certificate (\(version))") {
                    try await $0.presentsNothing(version)
                },
                ClientCertificateTrial(description: "one for another host (\(version))") {
                    try await $0.presentsNothing(version, certificateFor: "dev.local")
                },
                ClientCertificateTrial(description: "an unknown authority (\(version))") {
                    try await $0.isRefused(version, byStranger: true)
                },
                ClientCertificateTrial(description: "an expired one (\(version))") {
                    try await $0.isRefused(version, days: -1)
                },
                ClientCertificateTrial(description: "a large body (\(version))") {
                    try await $0.isRefused(version, byStranger: true, body: [UInt8](repeating: 1, count: 4 << 20))
                },
                ClientCertificateTrial(description: "HTTP/2 offered (\(version))") {
                    try await $0.isRefused(version, days: -1, ["-alpn", "h2,http/1.1"])
                },
                ClientCertificateTrial(description: "pins beside it (\(version))") {
                    try await $0.worksWithPins(version)
                },
                ClientCertificateTrial(description: "a proxy (\(version))") {
                    try await $0.goesThroughProxies(version)
                },
            ]
        } + [
            ClientCertificateTrial(description: "the key of another certificate") { try await $0.findsAnotherKey() },
            ClientCertificateTrial(description: "two for one host") { try $0.refusesTwo() },
        ]
}

/// One trial, with an authority for the server and for its clients.
private struct Course: Sendable {
    let make: @Sendable ([TrustedAuthority], [ClientCertificate], ProxySettings) throws -> any CertifiedClient
    private let unusableKeys: [TestAuthority.KeyKind]
    private let authority: TestAuthority

    init(
        _ unusableKeys: [TestAuthority.KeyKind],
        _ make:
            @escaping @Sendable ([TrustedAuthority], [ClientCertificate], ProxySettings) throws -> any CertifiedClient
    ) throws {
        self.unusableKeys = unusableKeys
        self.make = make
        authority = try TestAuthority()
        _ = try authority.makeKey("server", .curve)
        try authority.issue("server")
    }

    private func client(
        _ certificates: [ClientCertificate], _ proxies: ProxySettings = .none
    ) throws -> any CertifiedClient {
        try make([TrustedAuthority(host: "localhost", certificate: authority.certificate)], certificates, proxies)
    }

    private func certificate(
        _ name: String, host: String = "localhost", of issuer: TestAuthority? = nil, key: String? = nil
    ) throws -> ClientCertificate {
        let issuer = issuer ?? authority
        return try ClientCertificate(
            host: host, certificate: issuer.text("\(name).pem"), privateKey: issuer.text(key ?? "\(name).key"))
    }

    func acceptsKeys(_ version: String) async throws -> [String] {
        let server = try DemandingServer(authority, [version, "-www"])
        var problems: [String] = []
        for (number, kind) in TestAuthority.KeyKind.allCases.enumerated() {
            let name = "client\(number)"
            _ = try authority.makeKey(name, kind)
            try authority.issue(name)
            var keys = ["\(name).key"]
            if kind != .edwards {
                try authority.writeTraditionalKey(name)
                keys.append("\(name).old.key")
            }
            if unusableKeys.contains(kind) {
                problems += try isUnusable(certificate(name)) ? [] : ["\(kind) is taken"]
                continue
            }
            for key in keys {
                let result = await server.response(to: try client([certificate(name, key: key)]))
                if try !shows(result, name) { problems.append("\(kind), \(key): \(result)") }
            }
        }
        return problems
    }

    private func isUnusable(_ certificate: ClientCertificate) throws -> Bool {
        do throws {
            _ = try client([certificate])
            return false
        } catch ClientCertificateError.unusable {
            return true
        }
    }

    /// Whether the server's page has the certificate with this name, which it got.
    private func shows(_ result: Result<TransportResponse, TransportFault>, _ name: String) throws -> Bool {
        guard case .success(let response) = result, response.status == 200 else { return false }
        return String(decoding: response.body, as: UTF8.self).contains(try authority.text("\(name).pem"))
    }

    func presentsNothing(_ version: String, certificateFor host: String? = nil) async throws -> [String] {
        let server = try DemandingServer(authority, [version])
        _ = try authority.makeKey("client", .curve)
        try authority.issue("client")
        let certificates = try host.map { [try certificate("client", host: $0)] } ?? []
        return problems(
            await server.response(to: try client(certificates)), .demanded(host: "localhost"), version, server)
    }

    func isRefused(
        _ version: String, byStranger: Bool = false, days: Int = 2, body: [UInt8]? = nil, _ options: [String] = []
    ) async throws -> [String] {
        let server = try DemandingServer(authority, [version] + options)
        let issuer = byStranger ? try TestAuthority() : authority
        _ = try issuer.makeKey("client", .curve)
        try issuer.issue("client", days: days)
        let result = await server.response(to: try client([certificate("client", of: issuer)]), body: body)
        return problems(result, .refused(host: "localhost"), version, server)
    }

    /// What is wrong with the result of a server that has refused the client.
    private func problems(
        _ result: Result<TransportResponse, TransportFault>, _ wanted: ClientCertificateError, _ version: String,
        _ server: DemandingServer
    ) -> [String] {
        guard case .failure(let fault) = result else { return ["it was answered"] }
        var problems: [String] = []
        if fault.kind != .tls || fault.category != .nonRetryable { problems.append("\(fault)") }
        if fault.evidence != .notSent, fault.evidence != .unprocessed { problems.append("\(fault)") }
        // With TLS 1.2, a server that got no certificate says only that the handshake has failed.
        if version == "-tls1_3", fault.underlying as? ClientCertificateError != wanted {
            problems.append("\(fault), and \(fault.underlying as Any)")
        }
        if !server.received.isEmpty { problems.append("the server read \(server.received)") }
        return problems
    }

    func worksWithPins(_ version: String) async throws -> [String] {
        let server = try DemandingServer(authority, [version, "-www"])
        _ = try authority.makeKey("client", .curve)
        try authority.issue("client")
        let pin = try TestAuthority.pin(ofKey: "server.key", in: authority.folder)
        let other = "sha256/" + Data(repeating: 1, count: 32).base64EncodedString()
        let client = try client([certificate("client")])
        let pinned = await server.response(to: client, PublicKeyPins([other, pin]))
        guard case .success(let response) = pinned, response.status == 200 else { return ["the pinned key: \(pinned)"] }
        let result = await server.response(to: client, PublicKeyPins([other]))
        guard case .failure(let fault) = result, fault.kind == .tls, fault.evidence == .notSent,
            fault.underlying as? PinError == .otherKey(host: "localhost", wanted: [other])
        else { return ["another key: \(result)"] }
        return []
    }

    /// The certificate goes through the connection of the proxy, which sees no more than the name of the server.
    func goesThroughProxies(_ version: String) async throws -> [String] {
        let (server, proxy) = (try DemandingServer(authority, [version, "-www"]), try TestProxy())
        _ = try authority.makeKey("client", .curve)
        try authority.issue("client")
        let result = await server.response(
            to: try client([certificate("client")], ProxySettings(https: Proxy(proxy.url()))))
        if try !shows(result, "client") { return ["\(result)"] }
        return proxy.heads.allSatisfy { $0.hasPrefix("CONNECT localhost:\(server.port) ") } && !proxy.heads.isEmpty
            ? [] : proxy.heads
    }

    /// A key of this kind doesn't include its public half, so that only the TLS library can compare it.
    func findsAnotherKey() async throws -> [String] {
        let server = try DemandingServer(authority, [])
        for name in ["client", "other"] { _ = try authority.makeKey(name, .edwards) }
        try authority.issue("client")
        let certificate = try certificate("client", key: "other.key")
        do throws {
            let result = await server.response(to: try client([certificate]))
            guard case .failure(let fault) = result, fault.evidence == .notSent, fault.category == .nonRetryable,
                fault.underlying as? ClientCertificateError == .unusable(host: "localhost")
            else { return ["\(result)"] }
            return []
        } catch ClientCertificateError.unusable {
            return []
        }
    }

    func refusesTwo() throws -> [String] {
        _ = try authority.makeKey("client", .curve)
        try authority.issue("client")
        do throws {
            _ = try client([certificate("client"), certificate("client", host: "LOCALHOST")])
            return ["it took both"]
        } catch ClientCertificateError.severalForHost("localhost") {
            return []
        }
    }
}

/// A server that demands a certificate of its authority.
private final class DemandingServer {
    let port: Int
    private let authority: TestAuthority
    private let process: Process

    init(_ authority: TestAuthority, _ options: [String]) throws {
        self.authority = authority
        // A port that was free a moment ago.
        port = try RawServer { _, _ in }.port
        process = try authority.serve(
            "server", on: port, ["-CAfile", "root.pem", "-Verify", "2", "-verify_return_error"] + options)
    }

    // The thread that starts a process may block SIGTERM, and the process then blocks it as well.
    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

    var received: String { (try? authority.text("server.received")) ?? "" }

    /// The response to a request, once the server listens.
    func response(
        to client: any CertifiedClient, _ pins: PublicKeyPins? = nil, body: [UInt8]? = nil
    ) async -> Result<TransportResponse, TransportFault> {
        while true {
            let result = await client.respond(to: "https://localhost:\(port)/", pins, body: body)
            guard case .failure(let fault) = result, fault.kind == .refused, process.isRunning else { return result }
            try? await Task.sleep(for: .milliseconds(10))
        }
    }
}
