import BankClient
import ErrandTesting
import Foundation
import Testing

@testable import ErrandRuntime

/// `Deprecation` and `Sunset`: what observers hear of them, and how often.
@Suite(.overSocketsToo) struct DeprecationNoticeTests {
    private final class Notices: CommandObserver {
        private let state = LockedState<[DeprecationNotice]> { [] }
        var all: [DeprecationNotice] { state.withLock { $0 } }
        func observe(_ event: CommandEvent) {}
        func observe(_ notice: DeprecationNotice) { state.withLock { $0.append(notice) } }
    }

    private func bank(_ notices: Notices, _ headers: HTTPHeaders) -> Bank {
        let transport = ScriptedTransport.scripted { request, _ throws(TransportFault) in
            request.method == .get ? .json(200, noAccounts, headers) : .json(200, transferred, headers)
        }
        let environment = DispatcherEnvironment(clock: InstantClock(), generator: SeededGenerator(seed: 7))
        let dispatcher = Dispatcher(transport: transport, observers: [notices], environment: environment)
        return Bank(on: dispatcher, session: Session())
    }

    @Test func anEndpointIsReportedOnce() async throws {
        let notices = Notices()
        let bank = bank(
            notices, ["Deprecation": "@1688169599", "Sunset": "Sun, 06 Nov 2044 08:49:37 GMT"])
        await bank.binding.session.begin(SessionTokens(access: "token"))
        for _ in 1...3 { _ = try await bank.listAccounts() }
        _ = try await bank.transferFunds(fromAccount: 1, toAccount: 5, amount: 500)
        #expect(notices.all.map(\.endpoint) == ["listAccounts", "transferFunds"])
        let first = try #require(notices.all.first)
        #expect(first.deprecation == Date(timeIntervalSince1970: 1_688_169_599))
        #expect(first.sunset == Date(timeIntervalSince1970: 2_362_034_977))
        #expect(
            first.description
                == "Bank.listAccounts is deprecated (2023-06-30T23:59:59Z), and may stop responding on 2044-11-06T08:49:37Z"
        )
    }

    /// A server may send anything.
    @Test(
        .inMemoryOnly("only reads headers"),
        arguments: [
            ("@1688169599", nil, true, true), ("@-62135596800;a=1", nil, true, true), ("true", nil, true, false),
            ("Sun, 06 Nov 1994 08:49:37 GMT", nil, true, true), (nil, "Sun, 06 Nov 1994 08:49:37 GMT", false, false),
            ("yesterday", "Sun, 06 Nov 1994 08:49:37 GMT", false, false), ("true", "2091-09-01", true, false),
            ("2024-01-15", "2091-09-01T00:00:00+02:00", true, true),
        ] as [(String?, String?, Bool, Bool)])
    func whatHeadersSay(_ deprecation: String?, _ sunset: String?, _ isDeprecated: Bool, _ hasDate: Bool) throws {
        let notice = try #require(makeNotice(deprecation, sunset))
        #expect(notice.isDeprecated == isDeprecated)
        #expect((notice.deprecation != nil) == hasDate)
        #expect((notice.sunset != nil) == (sunset != nil))
    }

    @Test(
        .inMemoryOnly("only reads headers"),
        arguments: [
            (nil, nil), ("", ""), ("false", "soon"), ("@", nil), ("@+5", nil), ("@1e9", nil),
            ("@999999999999999999999", nil),
            ("@253402300800", nil), ("1688169599", "1688169599"), (nil, "2091-02-30"), (nil, "2091-9-1"),
            (String(repeating: "@", count: 100_000), nil),
        ] as [(String?, String?)])
    func whatSaysNothingIsNotReported(_ deprecation: String?, _ sunset: String?) {
        #expect(makeNotice(deprecation, sunset) == nil)
    }

    private func makeNotice(_ deprecation: String?, _ sunset: String?) -> DeprecationNotice? {
        var headers: HTTPHeaders = ["Content-Type": "application/json"]
        if let deprecation { headers.append("deprecation", deprecation) }
        if let sunset { headers.append("sunset", sunset) }
        return DeprecationNotice(
            headers, of: CommandIdentity(id: 1, Bank.ListAccounts.endpoint),
            now: { Date(timeIntervalSince1970: 1_000_000_000) })
    }
}
