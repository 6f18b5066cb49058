import BankClient
import ErrandRuntime
import ErrandTesting
import ScreenModels
import Testing

@testable import ErrandUI

/// A transfer whose sheet is closed before it ends: it ends once, and the person is told once.
@Suite(.timeLimit(.minutes(1))) @MainActor struct OutlivingCommandTests {
    private let held = LockedState<[Suspension<Void>]> { [] }
    private let isDown = LockedState { false }
    private let transport: ScriptedTransport
    private let services: SampleServices
    private let transfers: OutgoingTransfers
    private let window: ErrorHostModel

    init() {
        transport = ScriptedTransport { [held, isDown] (request, _) async throws(TransportFault) in
            guard request.url.hasSuffix("/transfers"), request.method == .post else {
                return .json(#"{"data":[]}"#)
            }
            let place = Suspension<Void>()
            held.withLock { $0.append(place) }
            await place.value(ifCancelled: ())
            if isDown.withLock({ $0 }) { throw TransportFault(.refused, evidence: .notSent) }
            if String(decoding: request.body ?? [], as: UTF8.self).contains("900") {
                return .json(#"{"error":{"code":900005,"messages":"Not that much."},"data":null}"#, status: 422)
            }
            return .json(
                #"{"data":{"fromAccount":1,"toAccount":5,"amount":5,"confirmation":77,"booked":"2026-01-01T00:00:00Z"}}"#
            )
        }
        services = SampleServices { [transport] presenter in
            Dispatcher(
                transport: transport, responder: presenter, settings: DispatcherSettings(retry: RetryRule(attempts: 1)))
        }
        transfers = services.transfers
        window = ErrorHostModel(services.bank)
    }

    /// Logs in, shows a window, and runs the body.
    private func inAWindow(_ body: () async -> Void) async {
        await services.bank.binding.session.begin(SessionTokens(access: "t"))
        let running = Task { await window.run() }
        await body()
        running.cancel()
        for place in held.withLock({ $0 }) { place.end(()) }
        await end(of: running)
    }

    /// A sheet that has sent a transfer, which is on the wire.
    private func sendFromSheet(_ amount: Int) async -> TransferSheetModel {
        let sheet = TransferSheetModel()
        sheet.amount = .init(amount)
        let count = held.withLock { $0.count }
        sheet.send(with: transfers)
        sheet.send(with: transfers)
        await until { held.withLock { $0.count } > count }
        #expect(transfers.count == 1, "a second tap does nothing")
        return sheet
    }

    private func respond() { held.withLock { $0 }.last?.end(()) }

    @Test func anOpenSheetShowsTheEndItself() async {
        await inAWindow {
            let sheet = await sendFromSheet(900)
            respond()
            await becomes { sheet.step == .editing }
            #expect(sheet.hint == "There is not enough money in this account." || sheet.hint == "Not that much.")
            await becomes { transfers.count == 0 }
            #expect(window.presentation == nil && services.presenter.waitingCount == 0)
        }
    }

    @Test func aClosedSheetLeavesTheEndToThePresenter() async {
        await inAWindow {
            var sheet: TransferSheetModel? = await sendFromSheet(900)
            sheet?.isOpen = false
            weak var released: TransferSheetModel?
            released = sheet
            sheet = nil
            #expect(released == nil, "the transfer keeps its screen")
            respond()
            await becomes { window.presentation?.name == "insufficientFunds" }
            #expect(transfers.count == 0 && window.presentation?.count == 1)
            if let id = window.presentation?.id {
                window.dismiss(id)
                window.didClose(id)
            }
            #expect(window.presentation == nil && services.presenter.waitingCount == 0, "it is told twice")
        }
    }

    /// The pipeline has asked already, and the person has said no.
    @Test func whatThePipelineHasShownIsNotShownAgain() async {
        await inAWindow {
            let sheet = await sendFromSheet(5)
            sheet.isOpen = false
            isDown.withLock { $0 = true }
            respond()
            await becomes { window.presentation?.name == "unreachable" }
            if let id = window.presentation?.id {
                window.dismiss(id)
                window.didClose(id)
            }
            await becomes { transfers.count == 0 }
            // A report would have come by now: it is made in the step that has counted the end.
            for _ in 1...20 { await Task.yield() }
            #expect(window.presentation == nil && services.presenter.waitingCount == 0, "it is told twice")
        }
    }

    @Test func otherScreensHearOfItsSuccess() async {
        await inAWindow {
            let accounts = AccountsModel(bank: services.bank)
            let following = Task { await accounts.followTransfers() }
            for _ in 1...20 { await Task.yield() }
            let sheet = await sendFromSheet(5)
            sheet.isOpen = false
            respond()
            await becomes { accounts.accounts.state.value != nil }
            #expect(transport.requests(of: "Bank.listAccounts").count == 1)
            #expect(transport.requests(of: "Bank.transferFunds").count == 1)
            #expect(sheet.step == .sending, "a closed sheet is not changed")
            following.cancel()
            await end(of: following)
        }
    }

    /// The transfer belongs to the user who has sent it.
    @Test func aLogoutEndsItWithoutAWord() async {
        await inAWindow {
            let sheet = await sendFromSheet(5)
            sheet.isOpen = false
            await services.bank.binding.session.end()
            respond()
            await becomes { transfers.count == 0 }
            for _ in 1...20 { await Task.yield() }
            #expect(window.presentation == nil && services.presenter.waitingCount == 0)
        }
    }
}
