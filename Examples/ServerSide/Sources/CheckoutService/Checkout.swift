public import BankClient
import ErrandAsyncHTTPClient
import ErrandObservability
import Foundation
public import Hummingbird
import Logging

/// Takes orders, and has the bank move the money.
public struct Checkout: Sendable {
    let bank: Bank

    /// - Parameters:
    ///   - bank: where the bank is.
    ///   - login: the shop's own name and password there.
    public init(bank server: Bank.Server, login: @escaping @Sendable () async -> Bank.LogIn?, logger: Logger) {
        let dispatcher = Dispatcher(
            transport: AsyncHTTPClientTransport(), interceptors: [DeadlineInterceptor()],
            observers: [Telemetry(logger: logger)])
        // One session for all requests: however many find it expired, one logs in.
        bank = Bank(server, on: dispatcher, session: Session(login: login))
    }

    public func router() -> Router<BasicRequestContext> {
        let router = Router()
        router.add(middleware: DeadlineMiddleware(usual: .seconds(10)))
        router.post("checkout") { request, context in
            let order = try await request.decode(as: Order.self, context: context)
            let (status, answer) = try await Deadline.run { try await pay(order) }
            return EditedResponse(status: status, response: answer)
        }
        return router
    }

    private struct Order: Decodable, Sendable {
        let fromAccount, toAccount: Int
        let amount: Decimal
    }

    private struct Answer: ResponseEncodable, Sendable {
        let state: String
        var confirmation: Int?
        var message: String?
    }

    /// The bank's decision, in this service's own words.
    private func pay(_ order: Order) async throws -> (HTTPResponse.Status, Answer) {
        do throws(Bank.TransferFundsFailure) {
            switch try await bank.transferFunds(
                fromAccount: order.fromAccount, toAccount: order.toAccount, amount: order.amount)
            {
            case .completed(let transfer):
                return (.created, Answer(state: "paid", confirmation: transfer.confirmation))
            case .needsApproval(let details):
                return (
                    .accepted,
                    Answer(state: "waiting", message: "\(details?.approver ?? "Somebody") has to approve it.")
                )
            }
        } catch .insufficientFunds(let failure) {
            return (HTTPResponse.Status(code: 402), Answer(state: "refused", message: failure.message))
        } catch .unconfirmed {
            // It is unknown whether the money has moved: the caller must not take this for a refusal.
            return (.badGateway, Answer(state: "unknown", message: "Ask again later, with the same order."))
        } catch {
            return (status(of: error), Answer(state: "failed", message: error.context.message))
        }
    }

    private func status(of failure: Bank.TransferFundsFailure) -> HTTPResponse.Status {
        switch failure.category {
        case .retryable: .serviceUnavailable
        // Our own login does not work: not the caller's fault.
        case .requiresLogout: .internalServerError
        case .nonRetryable: .unprocessableContent
        }
    }
}
