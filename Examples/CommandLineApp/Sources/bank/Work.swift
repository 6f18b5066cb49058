import ArgumentParser
import BankClient

/// A refusal by the bank, in words for the person at the terminal.
struct Refusal: Error {
    let text: String
    init(_ text: String) { self.text = text }
}

extension BankOptions {
    /// Runs one command of this program against the bank. Every failure that the command itself has not put into words is
    /// put into words here, once for all commands.
    func work(_ body: (Bank) async throws -> Void) async throws {
        let dispatcher = Dispatcher(observers: quiet ? [] : [Progress()])
        let bank = Bank(Bank.Server(url: server), on: dispatcher, session: Session(store: .file(session)))
        do {
            try await body(bank)
        } catch let refusal as Refusal {
            throw Self.end(refusal.text, status: 1)
        } catch let failure as any CommandFailure {
            let context = failure.context
            throw Self.end(Self.text(of: context), status: Self.status(of: context))
        }
    }

    private static func text(of failure: FailureContext) -> String {
        switch CommandFault.Kind(rawValue: failure.name) {
        case .unconfirmed:
            "The bank did not say whether this was done. Look with `bank transfers` before you do it again."
        case .invalidRequest: failure.brokenFields.map(\.description).joined(separator: ", ") + "."
        case .unauthenticated: notSignedIn
        default: failure.name == "sessionExpired" ? notSignedIn : failure.message
        }
    }

    private static let notSignedIn = "You are not signed in. `bank sign-in USER` does that."

    /// The exit status, from which a script can tell what to do next after any error.
    private static func status(of failure: FailureContext) -> Int32 {
        if CommandFault.Kind(rawValue: failure.name) == .unconfirmed { return 3 }
        return switch failure.category {
        case .requiresLogout: 4
        case .retryable: 5
        case .nonRetryable: 1
        }
    }

    private static func end(_ text: String, status: Int32) -> ExitCode {
        Terminal.complain(text)
        return ExitCode(status)
    }
}
