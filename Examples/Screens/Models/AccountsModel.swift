public import BankClient
public import ErrandUI
public import Observation

/// The accounts, which are loaded again after each transfer of any screen.
@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *)
@MainActor @Observable public final class AccountsModel {
    public let accounts: LoadModel<[Bank.Account]>

    @ObservationIgnored private let bank: Bank

    public nonisolated init(bank: Bank) {
        self.bank = bank
        accounts = LoadModel { try await bank.listAccounts() }
    }

    /// Follows the transfers until the task is cancelled.
    public func followTransfers() async {
        for await completion in bank.binding.dispatcher.completions(of: Bank.TransferFunds.self) {
            if case .success = completion.result { await accounts.refresh() }
        }
    }
}
