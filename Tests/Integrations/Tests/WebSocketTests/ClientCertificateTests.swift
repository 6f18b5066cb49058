import ErrandRuntime
import ErrandWebSocket
import Testing

/// Client certificates over WebSocket. A server that is no server of WebSocket refuses the handshake with a response, which shows that it
/// got the handshake.
@Suite(
    .serialized, .timeLimit(.minutes(2)),
    .enabled(if: TestAuthority.isAvailable, "there is no openssl command here"))
struct ClientCertificateTests {
    private struct Client: CertifiedClient {
        let transport: WebSocketTransport

        init(trusting: [TrustedAuthority], presenting: [ClientCertificate], proxies: ProxySettings) throws {
            transport = try WebSocketTransport(trusting: trusting, presenting: presenting, proxies: proxies)
        }

        func respond(
            to url: String, _ pins: PublicKeyPins?, body: [UInt8]?
        ) async -> Result<TransportResponse, TransportFault> {
            var opening = ConnectionOpening(url: "wss" + url.dropFirst("https".count), timeout: .seconds(20))
            opening.pins = pins
            do throws(OpeningFault) {
                await (try transport.open(opening)).close(.normal)
                return .failure(TransportFault(.unreadable, evidence: .responded))
            } catch {
                switch error {
                case .refused(let response): return .success(response)
                case .failed(let fault): return .failure(fault)
                }
            }
        }
    }

    /// RFC 8996 deprecates TLS 1.0 and 1.1.
    @Test func versionsBeforeTLS1_2AreRefused() async throws {
        for problem in try await TLSVersionTrial().problems(of: Client.self) { Issue.record("\(problem)") }
    }

    @Test(arguments: ClientCertificateTrial.all) func theTrialIsPassed(_ trial: ClientCertificateTrial) async throws {
        for problem in try await trial.problems(of: Client.self) { Issue.record("\(problem)") }
    }
}
