import BankClient
import ErrandUI
import ScreenModels
import SwiftUI
import VideoClient

/// A feed behind a login, and a transfer. No screen contains code for sessions, networks or unavailable servers.
@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *)
struct SampleApp: App {
    private let services = SampleServices()

    var body: some Scene {
        WindowGroup {
            HomeScreen(services: services)
                .errandHost(services.video) { video in LoginScreen(video: video) }
        }
    }
}

@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *)
struct HomeScreen: View {
    let services: SampleServices
    @State private var isTransferring = false

    var body: some View {
        VStack {
            FeedScreen(video: services.video)
            AccountsScreen(bank: services.bank)
            TransferScreen(bank: services.bank)
            Button("Transfer on a sheet") { isTransferring = true }
        }
        .sheet(isPresented: $isTransferring) {
            TransferSheet(transfers: services.transfers).errandHost(services.bank)
        }
    }
}

@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *)
struct FeedScreen: View {
    @Loading private var feed: LoadState<Video.FeedPage>

    init(video: Video) { _feed = Loading { try await video.getFeed(feedID: "popular") } }

    var body: some View {
        LoadView($feed) { page in
            List(page.entries, id: \.id) { entry in Text(verbatim: entry.title) }
        }
    }
}

@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *)
struct LoginScreen: View {
    @State private var model: LoginModel
    @Environment(\.errorReporter) private var errors

    init(video: Video) { _model = State(wrappedValue: LoginModel(video: video)) }

    var body: some View {
        @Bindable var model = model
        Form {
            TextField("Address", text: $model.email)
            SecureField("Password", text: $model.password)
            if let hint = model.hint { Text(verbatim: hint) }
            Button("Log In") { Task { await model.logIn(errors: errors) } }.disabled(model.isSending)
        }
    }
}

@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *)
struct TransferScreen: View {
    @State private var model: TransferModel
    @State private var network: NetworkStatusModel
    @State private var host: HostStatusModel
    @Environment(\.errorReporter) private var errors

    init(bank: Bank) {
        _model = State(wrappedValue: TransferModel(bank: bank))
        _network = State(wrappedValue: NetworkStatusModel(bank))
        _host = State(wrappedValue: HostStatusModel(bank))
    }

    var body: some View {
        Form {
            switch model.step {
            case .booked(let confirmation): Text(verbatim: "Booked as \(confirmation)")
            case .waitingForApproval(let approver):
                Text(verbatim: "\(approver ?? "Another person") has to approve this")
            case .editing, .sending:
                if let hint = model.hint { Text(verbatim: hint) }
                if network.path.isConstrained { Text(verbatim: "Data is being saved.") }
                Button("Send") { Task { await model.send(errors: errors) } }
                    .disabled(!network.isAvailable || !host.isAvailable(for: Bank.TransferFunds.self))
                    .disabled(model.step == .sending)
            }
        }
    }
}

/// A transfer that goes on if its sheet is closed.
@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *)
struct TransferSheet: View {
    let transfers: OutgoingTransfers
    @State private var model = TransferSheetModel()

    var body: some View {
        Form {
            switch model.step {
            case .booked(let confirmation): Text(verbatim: "Booked as \(confirmation)")
            case .waitingForApproval(let approver):
                Text(verbatim: "\(approver ?? "Another person") has to approve this")
            case .editing, .sending:
                if let hint = model.hint { Text(verbatim: hint) }
                Button("Send") { model.send(with: transfers) }.disabled(model.step == .sending)
            }
        }
        .onAppear { model.isOpen = true }
        .onDisappear { model.isOpen = false }
    }
}

/// The accounts, which follow the transfers of all screens.
@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *)
struct AccountsScreen: View {
    @State private var model: AccountsModel

    init(bank: Bank) { _model = State(wrappedValue: AccountsModel(bank: bank)) }

    var body: some View {
        LoadView(model.accounts) { accounts in
            List(accounts, id: \.id) { account in Text(verbatim: account.owner) }
        }
        .task { await model.followTransfers() }
    }
}
