import BankClient
import Foundation

/// The bank client against a server that runs already, such as `errand mock contracts/bank.contract.yaml`. It says how each
/// command ended: what the server plays is not known here.
struct AnotherServer {
    private let narrator: Narrator
    private let bank: Bank

    /// - Parameter url: the base URL of the service: `http://127.0.0.1:8080/v1`.
    init(_ url: String, _ narrator: Narrator) {
        self.narrator = narrator
        bank = Bank(Bank.Server(url: url), session: Session { Bank.LogIn(user: "ada", password: "lovelace") })
    }

    func visit() async {
        await listAccounts()
        for amount in [20, 900_000] as [Decimal] { await transfer(amount) }
    }

    private func listAccounts() async {
        narrator.step("try await bank.listAccounts()")
        do throws(Bank.Failure) {
            let accounts = try await bank.listAccounts()
            narrator.claim(true, "\(accounts.count) accounts")
            for account in accounts.prefix(3) {
                narrator.remark("account \(account.id): \(account.balance), \(account.owner)")
            }
        } catch {
            narrator.contradict("\(error.context.name): \(error.context.message)")
        }
    }

    private func transfer(_ amount: Decimal) async {
        narrator.step("try await bank.transferFunds(fromAccount: 1, toAccount: 5, amount: \(amount))")
        do throws(Bank.TransferFundsFailure) {
            switch try await bank.transferFunds(fromAccount: 1, toAccount: 5, amount: amount) {
            case .completed(let transfer): narrator.claim(true, "booked as \(transfer.confirmation)")
            case .needsApproval(let details):
                narrator.claim(true, "needsApproval: \(details?.approver ?? "somebody") has to agree")
            }
        } catch .insufficientFunds(let failure) {
            narrator.claim(true, "insufficientFunds: \(failure.message)")
            if let data = failure.data { narrator.remark("account \(data.fromAccount) was asked for \(data.amount)") }
        } catch .unconfirmed(let receipt) {
            narrator.contradict(
                "unconfirmed: the money may have moved, and the client does not send it twice (\(receipt))")
        } catch {
            narrator.contradict("\(error.context.name): \(error.context.message)")
        }
    }
}
