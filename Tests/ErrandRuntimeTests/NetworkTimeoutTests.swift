import BankClient
import ErrandTesting
import Testing

@testable import ErrandRuntime

/// Timeouts that depend on the network.
@Suite struct NetworkTimeoutTests {
    private static let endpoint = EndpointDescription(
        Shop.service, "test", .get, effect: .read, timeout: .seconds(20), constrainedTimeout: .seconds(60))

    private static let paths: [NetworkPath] = [
        .satisfied, NetworkPath(isSatisfied: true, kind: .cellular), NetworkPath(isSatisfied: true, isExpensive: true),
        NetworkPath(isSatisfied: true, isConstrained: true),
    ]

    @Test(
        arguments: [
            (nil, nil, 20, 60), (5, nil, 5, 5), (nil, 40, 20, 40), (5, 40, 5, 40),
        ] as [(Int?, Int?, Int, Int)])
    func aCallersTimeoutsWin(_ any: Int?, _ constrained: Int?, _ usual: Int, _ slow: Int) {
        var options = CommandOptions()
        options.timeout = any.map { .seconds($0) }
        options.constrainedTimeout = constrained.map { .seconds($0) }
        let limits = CommandLimits(Self.endpoint, options)
        #expect(
            Self.paths.map { limits.timeout(isConstrained: !$0.isUnmetered) }
                == [usual, usual, slow, slow].map { .seconds($0) })
    }

    @Test func withoutOneOfItsOwnAConstrainedNetworkIsAsOthers() {
        let limits = CommandLimits(EncoderTests.endpoint(.get), CommandOptions())
        #expect(
            Set(Self.paths.map { limits.timeout(isConstrained: !$0.isUnmetered) }) == [
                EncoderTests.endpoint(.get).timeout
            ])
    }

    private struct FixedPath: PathMonitor {
        let current: NetworkPath
        func paths() -> AsyncStream<NetworkPath> {
            AsyncStream { continuation in
                continuation.yield(current)
                continuation.finish()
            }
        }
    }

    @Test(arguments: paths) func theTransportIsTold(_ path: NetworkPath) async throws {
        let transport = ScriptedTransport.scripted { _, _ in .json(200, transferred) }
        let dispatcher = Dispatcher(transport: transport, network: FixedPath(current: path))
        let bank = Bank(.production, on: dispatcher, session: .begun).with { options in
            options.timeout = .seconds(5)
            options.constrainedTimeout = .seconds(9)
        }
        await bank.session.begin(SessionTokens(access: "t0ken"))
        _ = try await bank.transferFunds(fromAccount: 1, toAccount: 5, amount: 500)
        let wanted: Duration = path.isExpensive || path.isConstrained ? .seconds(9) : .seconds(5)
        #expect(transport.requests.first?.timeout == wanted)
    }
}
