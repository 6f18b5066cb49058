import ErrandTesting
import Foundation
import Testing

@testable import ErrandRuntime

/// A redirect to the same path with or without a slash at its end: the server has not acted on the path before.
@Suite(.overSocketsToo, .timeLimit(.minutes(2))) struct TrailingSlashTests {
    private static func redirect(_ status: Int, to url: String) -> TransportResponse {
        .json(status, "", ["Location": url])
    }

    @Test(
        arguments: [
            ("https://a.example/b", "https://a.example/b/", TrailingSlashError.missing),
            ("https://a.example/b/", "https://a.example/b", .unexpected),
            ("https://a.example/b?c=d", "https://a.example/b/?c=d", .missing),
            ("https://a.example/b", "http://A.example/b/", .missing),
            ("http://a.example:80/b", "https://a.example/b/", .missing),
            ("http://a.example:8080/b", "https://a.example:8080/b/", .missing),
            // Servers write a path anew.
            ("https://a.example/%C3%BC%2d,$", "https://a.example/%c3%bc-%2C%24/", .missing),
            ("https://a.example/b%2Fc", "https://a.example/b%2fc/", nil),
            ("https://a.example/b", "https://a.example/b%2F", nil),
            ("https://a.example/b", "https://a.example/b//", nil), ("https://a.example/b", "https://a.example/c/", nil),
            ("https://a.example/b", "https://a.example/b", nil),
            ("https://a.example/b?c=d", "https://a.example/b/", nil),
            ("https://a.example/b", "https://a.example/b/?c=d", nil),
            ("https://a.example/b?c=d", "https://a.example/b/?c=e", nil),
            ("https://a.example/b", "https://other.example/b/", nil),
            ("https://a.example/b", "https://a.example:444/b/", nil),
            ("http://a.example:8080/b", "https://a.example/b/", nil), ("https://a.example", "https://a.example/", nil),
            ("https://a.example/B", "https://a.example/b/", nil), ("https://a.example/b", "ftp://a.example/b/", nil),
            ("https://a.example/%", "https://a.example/%/", .missing), ("https://a.example/b", "/b/", nil),
        ] as [(String, String, TrailingSlashError?)])
    func nothingElseMayChange(from url: String, to target: String, wanted: TrailingSlashError?) {
        #expect(TrailingSlashError(from: url, to: target) == wanted, "\(url) \(target)")
    }

    /// A POST does not follow 301 and 302, and one that would leave TLS or its origin follows none.
    @Test(arguments: [
        (301, "/v1/once/"), (301, "https://home.example/v1/once/"), (307, "http://home.example/v1/once/"),
        (308, "http://home.example/v1/once/"),
    ])
    func theResponseSaysWhatToWrite(status: Int, target: String) async throws {
        let transport = ScriptedTransport.scripted { _, _ in Self.redirect(status, to: target) }
        let result = await Relay(transport).result(of: Relay.Once())
        guard case .failure(.fault(let fault)) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(fault.kind == .malformed && fault.context.applied == .never)
        #expect(fault.context.underlying as? TrailingSlashError == .missing)
        #expect(fault.description.contains("write the path with `/`"), "\(fault.description)")
        #expect(transport.requests.count == 1)
    }

    /// As before: something else may have happened first.
    @Test(arguments: [
        (301, "/v1/other/"), (301, "/v1/once/?a=b"), (303, "/v1/once/"), (301, "https://other.example/v1/once/"),
    ])
    func anotherRedirectLeavesItOpen(status: Int, target: String) async throws {
        let transport = ScriptedTransport.scripted { _, _ in Self.redirect(status, to: target) }
        let result = await Relay(transport).result(of: Relay.Once())
        guard case .failure(let failure) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(failure.context.name == "unconfirmed" && failure.context.applied == .maybe, "\(failure)")
        #expect(transport.requests.count == 1)
    }

    /// 307 and 308 are followed, and the other path responds as if it had been asked at once.
    @Test(arguments: [307, 308]) func theOtherPathSpeaksForItself(status: Int) async throws {
        for answer in [409, 503] {
            let transport = ScriptedTransport.scripted { request, _ in
                request.url.hasSuffix("/") ? .json(answer, "") : Self.redirect(status, to: "/v1/once/")
            }
            let result = await Relay(transport).result(of: Relay.Once())
            guard case .failure(.named(let name, let context)) = result else {
                Issue.record("\(result)")
                return
            }
            #expect(name == (answer == 409 ? "full" : "busy") && context.applied == .never, "\(result)")
            // The contract says that 503 means never, so the command was sent again.
            #expect(transport.requests.count == (answer == 409 ? 2 : 6))
        }
    }

    /// A connection that could not be made to the other place shows that nothing was done at any.
    @Test(arguments: [TransportFault.Kind.refused, .timeout])
    func aFaultOfTheOtherPathCountsForItself(kind: TransportFault.Kind) async throws {
        let transport = ScriptedTransport.scripted { request, _ throws(TransportFault) in
            guard request.url.hasSuffix("/") else { return Self.redirect(307, to: "/v1/once/") }
            throw TransportFault(kind, evidence: kind == .refused ? .notSent : .sent)
        }
        let result = await Relay(transport).result(of: Relay.Once())
        guard case .failure(let failure) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(failure.context.applied == (kind == .refused ? .never : .maybe), "\(failure)")
        #expect(transport.requests.count == (kind == .refused ? 6 : 2))
    }

    /// One redirect that leaves open what its place did is enough.
    @Test func aRedirectElsewhereInBetweenLeavesItOpen() async throws {
        for targets in [["/v1/once/", "/v1/elsewhere"], ["/v1/elsewhere", "/v1/elsewhere/"]] {
            let transport = ScriptedTransport.scripted { _, number in
                number <= 2 ? Self.redirect(307, to: targets[number - 1]) : .json(409, "")
            }
            let result = await Relay(transport).result(of: Relay.Once())
            guard case .failure(let failure) = result else {
                Issue.record("\(result)")
                return
            }
            #expect(failure.context.name == "unconfirmed" && failure.context.applied == .maybe, "\(failure)")
            #expect(transport.requests.count == 3)
        }
    }
}
