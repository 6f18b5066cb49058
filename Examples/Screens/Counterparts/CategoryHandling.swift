import BankClient
import ErrandUI
import SwiftUI

// The second document: errors have categories, a view emits them, and a handler above it shows an alert with “try again”, shows one
// with “close”, or logs the user out. A login screen below it wants something else.

@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *)
struct NotesScreen: View {
    let notes: NoteStore
    @State private var error: (any Error)?

    var body: some View {
        Button("Save") { save() }
            .emittingError($error) { save() }
    }

    private func save() {
        do { try notes.save() } catch { self.error = error }
    }
}

@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *)
struct PasswordScreen: View {
    let bank: Bank
    @State private var hint = ""

    var body: some View {
        PasswordForm(bank: bank)
            .handlingErrors { incident in
                // It shows the message itself. The handler at the root would log out.
                guard incident.category == .requiresLogout else { return .pass }
                hint = incident.message
                return .handled
            }
    }
}

@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *)
struct PasswordForm: View {
    let bank: Bank
    @Environment(\.errorReporter) private var errors

    var body: some View {
        Button("Check") {
            Task {
                do { _ = try await errors.client(bank).listAccounts() } catch { await errors.report(error) }
            }
        }
    }
}

/// Something of the app's own that fails, with a category.
struct NoteStore {
    struct DiskFull: CategorizedError {
        var category: ErrorCategory { .retryable }
    }

    func save() throws { throw DiskFull() }
}

/// The root: presentations in the app's own looks.
@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *)
struct Root: View {
    let bank: Bank

    var body: some View {
        NotesScreen(notes: NoteStore())
            .errandHost(bank)
            .errorLooks { presentation, choose in
                VStack {
                    Text(verbatim: presentation.announcement)
                    ForEach(presentation.buttons) { button in Button(button.title) { choose(button.action) } }
                }
            }
    }
}
