public import BankClient
public import ErrandUI
public import Foundation
public import Observation

/// A transfer, as a screen needs it: what only a transfer can meet is handled here, and nothing else.
@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *)
@MainActor @Observable public final class TransferModel {
    /// The state of the transfer.
    public enum Step: Sendable, Equatable {
        case editing
        case sending
        case booked(confirmation: Int)
        case waitingForApproval(approver: String?)
    }

    public var amount: Decimal = 0
    public private(set) var step = Step.editing
    /// The text below the amount.
    public private(set) var hint: String?

    @ObservationIgnored private let bank: Bank

    public nonisolated init(bank: Bank) { self.bank = bank }

    /// Sends the transfer. A second tap while it is under way does nothing.
    public func send(errors: ErrorReporter) async {
        guard step != .sending else { return }
        step = .sending
        hint = nil
        do throws(Bank.TransferFundsFailure) {
            switch try await errors.client(bank).transferFunds(fromAccount: 1, toAccount: 5, amount: amount) {
            case .completed(let transfer): step = .booked(confirmation: transfer.confirmation)
            case .needsApproval(let details): step = .waitingForApproval(approver: details?.approver)
            }
        } catch .insufficientFunds(let failure) {
            step = .editing
            hint = failure.message
        } catch {
            step = .editing
            await errors.report(error)
        }
    }
}
