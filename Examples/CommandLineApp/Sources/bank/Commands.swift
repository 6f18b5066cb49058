import ArgumentParser
import BankClient
import Foundation

struct SignIn: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Sign in. The password is asked for, or read from standard input.")
    @OptionGroup var options: BankOptions
    @Argument var user: String

    func run() async throws {
        let password = Terminal.password(prompt: "Password for \(user): ")
        let user = user
        try await options.work { bank in
            _ = try await bank.logIn(user: user, password: password)
            print("Welcome, \(user).")
        }
    }
}

struct SignOut: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Sign out, here and at the bank.")
    @OptionGroup var options: BankOptions

    func run() async throws {
        try await options.work { bank in
            try await bank.logOut()
            print("Signed out.")
        }
    }
}

struct Accounts: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List your accounts.")
    @OptionGroup var options: BankOptions

    func run() async throws {
        try await options.work { bank in
            for account in try await bank.listAccounts() {
                let mark = account.status == .active ? "" : "  (\(Terminal.shown(account.status.rawValue)))"
                print("\(account.id)  \(Terminal.shown(account.nickname ?? "–"))  \(account.balance)\(mark)")
            }
        }
    }
}

struct Transfers: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List what was booked on an account.")
    @OptionGroup var options: BankOptions
    @Argument var account: Int

    func run() async throws {
        let account = account
        try await options.work { bank in
            for transfer in try await bank.listTransfers(accountID: account) {
                print("\(transfer.confirmation)  \(transfer.fromAccount) → \(transfer.toAccount)  \(transfer.amount)")
            }
        }
    }
}

struct Transfer: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Move money between two accounts.")
    @OptionGroup var options: BankOptions
    @Argument var from: Int
    @Argument var to: Int
    @Argument(transform: { text in
        guard let amount = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")) else {
            throw ValidationError("`\(text)` is no amount.")
        }
        return amount
    })
    var amount: Decimal

    func run() async throws {
        let (from, to, amount) = (from, to, amount)
        try await options.work { bank in
            // The failures of this command beside those of all commands: the compiler knows them, and so does the reader.
            do throws(Bank.TransferFundsFailure) {
                let answer = try await bank.transferFunds(fromAccount: from, toAccount: to, amount: amount)
                switch answer {
                case .completed(let transfer): print("Done. The bank's number for it is \(transfer.confirmation).")
                case .needsApproval(let details):
                    print("\(Terminal.shown(details?.approver ?? "Somebody")) has to approve this first.")
                }
            } catch .insufficientFunds(let failure) {
                throw Refusal(
                    "Account \(failure.data?.fromAccount ?? from) has less than \(failure.data?.amount ?? amount).")
            } catch .accountFrozen(let failure) {
                throw Refusal(
                    "Account \(failure.data?.account ?? from) is frozen\(failure.data.map { " since \($0.since)" } ?? "")."
                )
            } catch {
                // Said once for all commands, in `work`. (Without this clause, compilers before Swift 6.4 crash: swiftlang/swift#89787.)
                throw error
            }
        }
    }
}
