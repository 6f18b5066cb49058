import BankClient
import Foundation
import TestServices

/// The daily work of a screen: a session, a list, a transfer, a declared error with its data, an outcome that isn't an error,
/// and a server that is busy for two requests.
extension BankDemo {
    func logIn() async {
        narrator.step(#"try await bank.logIn(user: "ada", password: "…")"#)
        do {
            _ = try await bank.logIn(user: "ada", password: "lovelace")
            narrator.claim(await service.logins == 1, "a session, kept for every command that needs one")
        } catch {
            narrator.contradict("\(error)")
        }
    }

    func listAccounts() async {
        narrator.step("try await bank.listAccounts()")
        do {
            for account in try await bank.listAccounts() {
                let balance = await service.balance(of: account.id)
                let nickname = account.nickname.map { ", “\($0)”" } ?? ""
                narrator.claim(
                    account.balance == balance,
                    "account \(account.id): \(account.balance), \(account.status.rawValue)\(nickname)")
            }
        } catch {
            narrator.contradict("\(error)")
        }
    }

    /// The possible endings of a transfer that the bank has responded to.
    enum TransferEnding { case booking, approval, insufficientFunds }

    func transfer(_ amount: Decimal, wanted: TransferEnding) async {
        narrator.step("try await bank.transferFunds(fromAccount: 1, toAccount: 5, amount: \(amount))")
        do throws(Bank.TransferFundsFailure) {
            switch try await bank.transferFunds(fromAccount: 1, toAccount: 5, amount: amount) {
            case .completed(let transfer):
                let isBooked = await service.bookings.last?.confirmation == transfer.confirmation
                narrator.claim(wanted == .booking && isBooked, "booked as \(transfer.confirmation)")
            case .needsApproval(let details):
                let approver = details?.approver ?? "somebody"
                narrator.claim(wanted == .approval, "needsApproval, an outcome and no error: \(approver) has to agree")
            }
        } catch .insufficientFunds(let failure) {
            narrator.claim(wanted == .insufficientFunds, "insufficientFunds, \(failure.category): \(failure.message)")
            if let data = failure.data { narrator.remark("account \(data.fromAccount) was asked for \(data.amount)") }
        } catch {
            narrator.contradict("\(error)")
        }
    }

    func transferWhileTheServerIsDown() async {
        await service.script(.status(503), times: 2, on: "POST /transfers")
        await service.forgetRequests()
        narrator.step(
            "try await bank.transferFunds(fromAccount: 1, toAccount: 5, amount: 250)   // the bank answers 503 twice")
        let start = ContinuousClock.now
        let bookings = await service.bookings.count
        do {
            if case .completed(let transfer) = try await bank.transferFunds(fromAccount: 1, toAccount: 5, amount: 250) {
                narrator.claim(
                    true, "booked as \(transfer.confirmation), after \(seconds(ContinuousClock.now - start))")
            }
        } catch {
            narrator.contradict("\(error)")
        }
        let requests = await service.requests(on: "POST /transfers")
        let keys = Set(requests.map { $0.header("Idempotency-Key") })
        let booked = await service.bookings.count - bookings
        narrator.claim(
            requests.count == 3 && keys.count == 1 && booked == 1,
            "\(requests.count) requests with \(keys.count) idempotency key, \(booked) booking; the code above has no retry"
        )
    }

    /// A time to the tenth, for reading.
    func seconds(_ duration: Duration) -> String {
        let seconds = Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
        return "\((seconds * 10).rounded() / 10) s"
    }
}
