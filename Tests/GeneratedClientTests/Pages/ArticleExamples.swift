import BankClient
import ErrandRuntime
import ErrandTesting
import ErrandURLSession
import Foundation
import Testing

// The examples of the articles in `Sources/Runtime/ErrandRuntime/Documentation.docc` that are run, with what they take for granted around
// them. `scripts/check pages` compares them with the articles.

/// A network layer that an app may have had before.
struct HouseNetwork: Sendable {
    enum Problem: Error { case noConnection, other }
    var token = "t"
    var answers: [String: String] = [:]

    func perform(
        _ method: String, _ url: String, _ headers: [(String, String)], _ body: [UInt8]?
    ) async throws -> (status: Int, body: [UInt8]) {
        guard let answer = answers["\(method) \(URL(string: url)?.path ?? "")"] else { throw Problem.noConnection }
        return (200, Array(answer.utf8))
    }
}

/// Sends over the network layer that the app has always had.
struct HouseTransport: Transport {
    let house: HouseNetwork

    func send(_ request: TransportRequest) async throws(TransportFault) -> TransportResponse {
        do {
            let fields = request.headers.fields.map { ($0.name, $0.value) }
            let answer = try await house.perform(request.method.rawValue, request.url, fields, request.body)
            return TransportResponse(status: answer.status, body: answer.body)
        } catch HouseNetwork.Problem.noConnection {
            // Not a byte was sent: whatever it was, it may be sent again.
            throw TransportFault(.refused, evidence: .notSent, underlying: HouseNetwork.Problem.noConnection)
        } catch {
            throw TransportFault(Task.isCancelled ? .cancelled : .lost, evidence: .sent)
        }
    }
}

/// Something of an app that fails without any server.
actor Notes {
    private(set) var attempts = 0
    func save() throws {
        attempts += 1
        if attempts == 1 { throw CocoaError(.fileWriteOutOfSpace) }
    }
}

struct Banner: Responder {
    let ask: @Sendable (_ text: String) async -> Bool

    func respond(to incident: Incident) async -> IncidentAnswer {
        switch incident.category {
        case .retryable: await ask(incident.message) ? .retry : .fail
        case .requiresLogout, .nonRetryable: .fail
        }
    }
}

enum ArticleLines {
    static func transfer(
        _ bank: Bank, _ amount: Decimal, offer: (Decimal?) -> Void, showPending: () -> Void, show: (String) -> Void
    ) async {
        do throws(Bank.TransferFundsFailure) {
            _ = try await bank.transferFunds(fromAccount: 1, toAccount: 5, amount: amount)
        } catch .insufficientFunds(let failure) {
            offer(failure.data?.amount)
        } catch .unconfirmed {
            // The money may have moved, and nothing sends it twice.
            showPending()
        } catch {
            show(error.context.message)
        }
    }

    static func banner(_ session: Session, _ ask: @escaping @Sendable (String) async -> Bool) -> Bank {
        let dispatcher = Dispatcher(responder: Banner(ask: ask))
        let bank = Bank(on: dispatcher, session: session)
        return bank
    }

    static func raised(_ bank: Bank, _ notes: Notes) async {
        do {
            try await notes.save()
        } catch {
            await bank.raise(error) { try? await notes.save() }
        }
    }

    static func session(_ path: String, _ askForPassword: @escaping @Sendable () async -> Bank.LogIn?) -> Session {
        let session = Session(store: .file(path)) { await askForPassword() }
        return session
    }

    static func house(_ house: HouseNetwork) async -> Bank {
        let dispatcher = Dispatcher(transport: HouseTransport(house: house))
        let bank = Bank(on: dispatcher)
        await bank.binding.session.begin(SessionTokens(access: house.token))
        return bank
    }

    static func categories(_ error: any Error) -> ErrorCategory? {
        let categories = ErrorCategories.urlSession.adding(HouseNetwork.Problem.self) { problem in
            problem == .noConnection ? .retryable : .nonRetryable
        }
        let category = ErrorCategory(of: error, using: categories)
        return category
    }
}

/// The articles' examples are run.
@Suite struct ArticleTests {
    @Test func aHouseOfOnesOwnCarriesCommands() async throws {
        let bank = await ArticleLines.house(HouseNetwork(answers: ["GET /v1/accounts": #"{"data":[]}"#]))
        #expect(try await bank.listAccounts().isEmpty)
        #expect(ArticleLines.categories(HouseNetwork.Problem.noConnection) == .retryable)
        #expect(ArticleLines.categories(HouseNetwork.Problem.other) == .nonRetryable)
    }

    @Test func whatOnlyATransferMeetsIsTheScreens() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        let offered = try Simulation.run(seed: 3) { simulation in
            let bank = Bank(
                on: simulation.dispatcher, session: Session { Bank.LogIn(user: "ada", password: "lovelace") })
            try simulation.server.fail(Bank.TransferFunds.self, with: "insufficientFunds", times: 1)
            var offers = 0
            await ArticleLines.transfer(bank, 5, offer: { _ in offers += 1 }, showPending: {}, show: { _ in })
            return offers
        }
        #expect(offered == 1)
    }

    @Test func anErrorOfTheAppsOwnIsRaised() async {
        let notes = Notes()
        let bank = ArticleLines.banner(Session()) { _ in true }
        await ArticleLines.raised(bank.responding(with: Eager()), notes)
        #expect(await notes.attempts == 2)
    }

    private struct Eager: Responder {
        func respond(to incident: Incident) async -> IncidentAnswer { incident.scope == .raised ? .retry : .pass }
    }

    @Test func theAppAnswersOnce() async throws {
        let bank = ArticleLines.banner(ArticleLines.session(NSTemporaryDirectory() + "/none/session.json") { nil }) {
            _ in false
        }
        await #expect(throws: (any Error).self) { try await bank.listAccounts() }
    }
}
