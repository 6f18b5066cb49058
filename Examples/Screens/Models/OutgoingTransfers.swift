public import BankClient
import ErrandUI
public import Foundation
public import Observation

/// Transfers that go on when their screen is closed. The app has one, beside its clients.
@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *)
@MainActor @Observable public final class OutgoingTransfers {
    /// How many transfers are under way. A logout would end them, so its button can ask first.
    public private(set) var count = 0

    @ObservationIgnored private let bank: Bank

    public nonisolated init(bank: Bank) { self.bank = bank }

    /// Sends a transfer in a task of its own, which no screen can cancel.
    public func send(_ transfer: Bank.TransferFunds, for screen: TransferSheetModel) {
        count += 1
        Task { [weak screen] in
            let result = await bank.result(of: transfer)
            count -= 1
            // What the screen does not show, the presenter does: in the window that is in use.
            if screen?.show(result) == true { return }
            if case .failure(let failure) = result { await ErrorReporter(bank).report(failure) }
        }
    }
}

/// A transfer on a sheet, which may be closed before the transfer ends.
@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *)
@MainActor @Observable public final class TransferSheetModel {
    public var amount: Decimal = 0
    public private(set) var step = TransferModel.Step.editing
    /// The text below the amount.
    public private(set) var hint: String?
    /// Whether a person sees the sheet. The view sets it when it appears and when it disappears.
    @ObservationIgnored public var isOpen = true

    public nonisolated init() {}

    /// Sends the transfer. A second tap while it is under way does nothing.
    public func send(with transfers: OutgoingTransfers) {
        guard step != .sending else { return }
        step = .sending
        hint = nil
        transfers.send(Bank.TransferFunds(fromAccount: 1, toAccount: 5, amount: amount), for: self)
    }

    /// Shows how the transfer has ended.
    ///
    /// - Returns: false if the sheet is closed, or if the failure is not the sheet's own.
    func show(_ result: Result<Bank.TransferFunds.Response, Bank.TransferFundsFailure>) -> Bool {
        guard isOpen else { return false }
        switch result {
        case .success(.completed(let transfer)): step = .booked(confirmation: transfer.confirmation)
        case .success(.needsApproval(let details)): step = .waitingForApproval(approver: details?.approver)
        case .failure(.insufficientFunds(let failure)):
            step = .editing
            hint = failure.message
        case .failure:
            step = .editing
            return false
        }
        return true
    }
}
