import BankClient
import ErrandRuntime
import ErrandTesting
import Testing

/// The most frequent mistakes of apps, on a generated server.
@Suite struct SessionExpiryTests {
    @Test(arguments: [1, 10, 1_000])
    func anyNumberOfOrdersLogInOnceAndAreNotRepeated(orders: Int) async throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try await Simulation.run(seeds: orders > 100 ? 3 : 50) { simulation in
            let server = simulation.server
            let bank = Bank(
                on: simulation.dispatcher, session: Session { Bank.LogIn(user: "ada", password: "lovelace") })
            _ = try await bank.logIn(user: "ada", password: "lovelace")
            server.expireSessions(after: .milliseconds(30))
            let booked = await withTaskGroup(of: Bool.self) { group in
                for account in 1...orders {
                    group.addTask {
                        await simulation.sleep(for: .milliseconds(account % 100))
                        let result = await bank.result(
                            of: Bank.TransferFunds(fromAccount: account, toAccount: 0, amount: 1))
                        guard case .success(.completed) = result else { return false }
                        return true
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(booked == orders, "\(simulation)")
            #expect(server.carriedOut(Bank.TransferFunds.self).count == orders, "\(simulation)")
            #expect(Set(server.carriedOut(Bank.TransferFunds.self).map(\.text)).count == orders, "\(simulation)")
            // The order may just have got through before.
            #expect((orders == 1 ? 1...2 : 2...2).contains(server.carriedOut(Bank.LogIn.self).count), "\(simulation)")
        }
    }

    /// A session of an app's own in place of `Session`. Many commands wait for one login, but a late refusal of the old token
    /// finds no login to wait for, and starts another one.
    @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *)
    private actor TokensWithoutGenerations: Interceptor {
        private let logins: Bank
        private let simulation: Simulation
        private var token = "none"
        private var login: Task<String, Never>?

        init(_ simulation: Simulation) {
            self.simulation = simulation
            logins = Bank(on: simulation.dispatcher)
        }

        nonisolated func intercept(
            _ request: TransportRequest,
            next: @Sendable (TransportRequest) async throws(TransportFault) -> TransportResponse
        ) async throws(TransportFault) -> TransportResponse {
            var request = request
            request.headers.set("Authorization", "Bearer \(await token)", isSensitive: true)
            let response = try await next(request)
            guard response.status == 401 else { return response }
            request.headers.set("Authorization", "Bearer \(await renew())", isSensitive: true)
            return try await next(request)
        }

        private func renew() async -> String {
            if let login { return await login.value }
            let login = simulation.task { [logins] in
                (try? await logins.logIn(user: "ada", password: "lovelace").token) ?? "none"
            }
            self.login = login
            token = await login.value
            self.login = nil
            return token
        }
    }

    @Test func tokensWithoutGenerationsAreFoundOut() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        let found = try (UInt64(1)...60).filter { seed in
            try Simulation.run(seed: seed) { simulation in
                // Its interceptor replaces the token.
                let bank = Bank(
                    on: simulation.makeDispatcher(interceptors: [TokensWithoutGenerations(simulation)]),
                    session: Session(tokens: SessionTokens(access: "none")))
                await withTaskGroup(of: Void.self) { group in
                    for account in 1...10 {
                        group.addTask { _ = await bank.result(of: Bank.GetAccount(accountID: account)) }
                    }
                }
                return simulation.server.carriedOut(Bank.LogIn.self).count > 1
            }
        }
        print("Tokens without generations: found with \(found.count) of 60 seeds, the first is \(found.first ?? 0)")
        #expect(!found.isEmpty)
    }

    @Test func aWrongPasswordAsksAgain() async throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try await Simulation.run(seeds: 20) { simulation in
            try simulation.server.fail(Bank.LogIn.self, with: "wrongPassword", times: 2)
            let bank = Bank(
                on: simulation.dispatcher, session: Session { Bank.LogIn(user: "ada", password: "lovelace") })
            _ = try await bank.getAccount(accountID: 1)
            #expect(simulation.server.received(Bank.LogIn.self).count == 3, "\(simulation)")
            #expect(simulation.server.received(Bank.GetAccount.self).count == 1, "\(simulation)")
        }
    }
}
