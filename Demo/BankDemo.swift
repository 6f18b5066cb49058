import BankClient
import Foundation
import TestServices

/// The generated bank client at work against a bank on this machine: a session, a list, a transfer, a declared error with
/// its data, an outcome that is no error, and a server that is down for two answers.
@main
struct BankDemo {
    private let narrator = Narrator()
    private let service: BankService
    private let bank: Bank

    static func main() async throws {
        let service = try await BankService.start()
        let demo = BankDemo(service: service)
        await demo.tell()
        await service.stop()
    }

    private init(service: BankService) {
        self.service = service
        bank = Bank(.local(port: "\(service.port)"))
    }

    private func tell() async {
        narrator.title("The client of contracts/bank.contract.yaml, against a bank at http://127.0.0.1:\(service.port)/v1")
        await logIn()
        await listAccounts()
        await transfer(100)
        await transfer(900_000)
        await transfer(10_000)
        await transferWhileTheServerIsDown()
    }

    private func logIn() async {
        narrator.step(#"try await bank.logIn(user: "ada", password: "…")"#)
        do {
            _ = try await bank.logIn(user: "ada", password: "lovelace")
            narrator.success("a session, kept for every command that needs one")
        } catch {
            narrator.failure("\(error)")
        }
    }

    private func listAccounts() async {
        narrator.step("try await bank.listAccounts()")
        do {
            for account in try await bank.listAccounts() {
                narrator.success("account \(account.id): \(account.balance), \(account.status.rawValue)\(account.nickname.map { ", “\($0)”" } ?? "")")
            }
        } catch {
            narrator.failure("\(error)")
        }
    }

    private func transfer(_ amount: Decimal) async {
        narrator.step("try await bank.transferFunds(fromAccount: 1, toAccount: 5, amount: \(amount))")
        do throws(Bank.TransferFundsFailure) {
            switch try await bank.transferFunds(fromAccount: 1, toAccount: 5, amount: amount) {
            case .completed(let transfer): narrator.success("booked as \(transfer.confirmation)")
            case .needsApproval(let details): narrator.outcome("needsApproval, an outcome and no error: \(details?.approver ?? "somebody") has to agree")
            }
        } catch .insufficientFunds(let failure) {
            narrator.failure("insufficientFunds, \(failure.category): \(failure.message)")
            if let data = failure.data { narrator.remark("account \(data.fromAccount) was asked for \(data.amount)") }
        } catch {
            narrator.failure("\(error)")
        }
    }

    private func transferWhileTheServerIsDown() async {
        await service.script(.status(503), times: 2, on: "POST /transfers")
        await service.forgetRequests()
        narrator.step("try await bank.transferFunds(fromAccount: 1, toAccount: 5, amount: 250)   // the server is down for two answers")
        let start = ContinuousClock.now
        let booked = await service.bookings.count
        do {
            if case .completed(let transfer) = try await bank.transferFunds(fromAccount: 1, toAccount: 5, amount: 250) {
                narrator.success("booked as \(transfer.confirmation), after \(tenths(ContinuousClock.now - start)) s")
            }
        } catch {
            narrator.failure("\(error)")
        }
        let requests = await service.requests(on: "POST /transfers")
        let keys = Set(requests.compactMap { $0.header("Idempotency-Key") })
        narrator.remark("sent \(requests.count) times with \(keys.count == 1 ? "one idempotency key" : "\(keys.count) keys"), booked \(await service.bookings.count - booked) time; the code above has no retry")
    }

    private func tenths(_ duration: Duration) -> Double {
        let seconds = Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
        return (seconds * 10).rounded() / 10
    }
}
