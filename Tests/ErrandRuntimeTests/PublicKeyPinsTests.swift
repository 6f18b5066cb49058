import ErrandTesting
import Foundation
import TestCertificates
import TestDigests
import Testing

@testable import BankClient
@testable import ErrandRuntime

/// What pins are, which request has them, and what becomes of one whose server has another key.
@Suite(.timeLimit(.minutes(2))) struct PublicKeyPinsTests {
    private static let first = "sha256/" + Data(repeating: 1, count: 32).base64EncodedString()
    private static let second = "sha256/" + Data(repeating: 2, count: 32).base64EncodedString()

    // MARK: Pins

    @Test func theirTextsAreRead() {
        let pins = PublicKeyPins([Self.first, Self.second], until: "2027-06-01")
        #expect(pins.problem == nil && pins.hashes.count == 2)
        // The first moment of the first of June, 2027, in UTC.
        let end = Date(timeIntervalSince1970: 1_811_808_000)
        #expect(pins.expiry == end)
        #expect(pins.apply(at: end - 0.001) && !pins.apply(at: end))
        #expect(PublicKeyPins([Self.first]).apply(at: .distantFuture))
        #expect("\(pins)" == "\(Self.first), \(Self.second)")
    }

    @Test(
        arguments: [
            ([], nil), (["sha256/AAAA"], nil), (["sha1/AAAAAAAAAAAAAAAAAAAAAAAAAAA="], nil), ([""], nil),
            (["sha256/!!!!AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="], nil), ([first, "second"], nil),
            ([first], "2027-6-1"), ([first], "2027-02-29"), ([first], "2027-06-31"), ([first], ""),
            ([first], "tomorrow"),
            ([first], "+027-06-01"),
        ] as [([String], String?)])
    func whatCannotBeReadSendsNothing(pins: [String], day: String?) async throws {
        let transport = ScriptedTransport { _, _ in .json("{}") }
        let failure = await Self.failure(of: Self.bank(transport, PublicKeyPins(pins, until: day)))
        #expect(failure?.name == "invalidRequest" && failure?.brokenFields.map(\.name) == ["pins"])
        #expect(transport.requests.isEmpty)
    }

    // MARK: Requests

    @Test func aRequestHasThePinsUntilTheyEnd() async throws {
        for (day, isPinned) in [("1970-01-12", false), ("1970-01-13", true)] {
            let transport = ScriptedTransport { _, _ in TransportResponse(status: 404) }
            // The bank's clock shows the evening of the 12th of January.
            _ = await Self.failure(of: Self.bank(transport, PublicKeyPins([Self.first], until: day)))
            #expect(transport.requests.map { $0.pins != nil } == [isPinned])
        }
    }

    @Test func anotherOriginHasOtherKeys() async throws {
        let transport = ScriptedTransport { request, number in
            number < 3
                ? TransportResponse(
                    status: 307,
                    headers: ["Location": number == 1 ? "https://bank.example/there" : "https://other.example/"])
                : TransportResponse(status: 404)
        }
        var request = TransportRequest(method: .get, url: "https://bank.example/here")
        request.pins = PublicKeyPins([Self.first])
        _ = try await request.sent(over: transport)
        #expect(transport.requests.map { $0.pins != nil } == [true, true, false])
    }

    @Test func anotherKeyIsInsecureAndNotTriedAgain() async throws {
        let transport = ScriptedTransport { request, _ throws(TransportFault) in
            throw TransportFault(PinError.otherKey(host: "bank.example", wanted: request.pins?.pins ?? []))
        }
        let failure = await Self.failure(of: Self.bank(transport, PublicKeyPins([Self.first, Self.second])))
        #expect(failure?.name == "insecure" && failure?.category == .nonRetryable && failure?.applied == .never)
        #expect(transport.requests.count == 1)
        let text = "\(failure?.underlying as? TransportFault as Any)"
        #expect(text.contains("bank.example has another key than \(Self.first) or \(Self.second)"))
    }

    @Test func aTransportThatCannotCompareGetsNothing() async throws {
        let transport = Unpinning()
        let failure = await Self.failure(of: Self.bank(transport, PublicKeyPins([Self.first])))
        #expect(failure?.name == "invalidRequest" && failure?.brokenFields.map(\.name) == ["pins"])
        #expect(transport.isUsed.withLock { !$0 })
        let fault = "\(failure?.underlying as? TransportFault as Any)"
        #expect(fault.contains("Unpinning cannot compare"))
        // Without pins, it is used.
        _ = await Self.failure(of: Self.bank(transport, nil))
        #expect(transport.isUsed.withLock { $0 })
    }

    /// An interceptor around the transport does not hide what it can.
    @Test func interceptorsChangeNothing() async throws {
        let transport = ScriptedTransport { _, _ in TransportResponse(status: 404) }
        let pins = PublicKeyPins([Self.first])
        _ = await Self.failure(of: Self.bank(transport, pins, [Forgetful()]))
        #expect(transport.requests.map(\.pins) == [pins])
        let unable = Unpinning()
        _ = await Self.failure(of: Self.bank(unable, pins, [Forgetful()]))
        #expect(unable.isUsed.withLock { !$0 })
    }

    @Test func aServerWithoutTLSHasNoKey() async throws {
        let transport = ScriptedTransport { _, _ in .json("{}") }
        let failure = await Self.failure(
            of: Self.bank(transport, PublicKeyPins([Self.first]), server: "http://bank.example"))
        #expect(failure?.name == "invalidRequest" && transport.requests.isEmpty)
    }

    // MARK: Keys

    @Test(
        .enabled(if: TestAuthority.isAvailable, "there is no openssl command here"),
        arguments: TestAuthority.KeyKind.allCases)
    func theHashIsThatOfOpenSSL(_ kind: TestAuthority.KeyKind) throws {
        let authority = try TestAuthority()
        let pin = try authority.makeKey("server", kind)
        try authority.issue("server")
        let certificate = try authority.der("server")
        func verify(_ pins: [String]) throws(PinError) {
            try PublicKeyPins(pins).verify(certificate, of: "localhost") { SHA256.digest(Array($0)) }
        }
        try verify([Self.first, pin])
        let problem = PinError.otherKey(host: "localhost", wanted: [Self.first])
        #expect(throws: problem) { try verify([Self.first]) }
        // A certificate that is cut has no key, or the same one if only its signature is cut.
        let key = CertificateKey.info(in: certificate[...])
        for count in certificate.indices {
            let cut = CertificateKey.info(in: certificate[..<count])
            #expect(cut == nil || cut == key)
        }
        let seed = UInt64.random(in: 0 ... .max)
        print("The seed of the changed certificates is \(seed).")
        var chance = SeededGenerator(seed: seed)
        for _ in 0..<2_000 {
            var changed = certificate
            for _ in 0..<3 {
                changed[Int.random(in: changed.indices, using: &chance)] = UInt8.random(in: 0...255, using: &chance)
            }
            // Bytes of anyone end nothing.
            _ = CertificateKey.info(in: changed[...])
        }
    }

    @Test func withoutACertificateThereIsNoKey() {
        let pins = PublicKeyPins([Self.first])
        for certificate in [nil, []] as [[UInt8]?] {
            #expect(throws: PinError.self) {
                try pins.verify(certificate, of: "localhost") { _ in [UInt8](repeating: 1, count: 32) }
            }
        }
    }

    // MARK: The bank

    private static func bank(
        _ transport: any Transport, _ pins: PublicKeyPins?, _ interceptors: [any Interceptor] = [],
        server: String = "https://bank.example"
    ) -> Bank {
        let environment = DispatcherEnvironment(
            clock: InstantClock(), wallTime: { Date(timeIntervalSince1970: 1_036_799) },
            generator: SeededGenerator(seed: 7))
        var bank = Bank()
        bank.binding = ServiceBinding(
            Bank.service, server: server, pins: pins,
            on: Dispatcher(transport: transport, interceptors: interceptors, environment: environment),
            session: Session())
        return bank
    }

    private static func failure(of bank: Bank) async -> FailureContext? {
        do throws(Bank.LogInFailure) {
            _ = try await bank.logIn(user: "ada", password: "secret")
            return nil
        } catch {
            return error.context
        }
    }
}

/// A transport that knows nothing of pins.
private final class Unpinning: Transport {
    let isUsed = LockedState<Bool> { false }

    func send(_ request: TransportRequest) async throws(TransportFault) -> TransportResponse {
        isUsed.withLock { $0 = true }
        return TransportResponse(status: 404)
    }
}

/// Makes a request of its own in place of the one that it gets.
private struct Forgetful: Interceptor {
    func intercept(
        _ request: TransportRequest,
        next: @Sendable (TransportRequest) async throws(TransportFault) -> TransportResponse
    ) async throws(TransportFault) -> TransportResponse {
        try await next(TransportRequest(method: request.method, url: request.url, body: request.body))
    }
}
