import BankClient
import ErrandRuntime

/// Tells the user at the terminal what the tool waits for, if that takes a while.
struct Progress: CommandObserver {
    func observe(_ event: CommandEvent) {
        switch event.kind {
        case .waiting(let wait):
            switch wait.place {
            case .connectivity: Terminal.complain("… waiting for the network")
            case .pause: Terminal.complain("… the bank did not answer well (\(wait.reason)), trying again")
            case .connection, .session, .host, .responder: return
            }
        case .attemptStarted(let attempt) where attempt.number > 1: Terminal.complain("… attempt \(attempt.number)")
        default: return
        }
    }
}
