import ContractModel

/// The runtime's action after a failed attempt. It is the choice of the runtime's `decide` with enough time and budget left; a
/// test compares the two.
enum Consequence: Hashable {
    case isSentAgain
    case isSentAgainAfterLogin
    /// It ends with the failure.
    case ends
    /// It ends, and its effect on the server is unknown.
    case endsUnconfirmed

    /// The facts that decide the consequence.
    struct Failure {
        var category: ErrorCategory
        var applied: Applied
        /// Whether the endpoint itself lists the error.
        var isOwn: Bool
        /// Whether a response arrived; otherwise the transport failed.
        var isAnswered: Bool
        /// Whether it may start a login if it asks for one.
        var renews = true
    }

    init(_ failure: Failure, effect: Effect, attempts: Int, canLogIn: Bool) {
        let isRepeatable = effect != .once || failure.applied == .never
        switch failure.category {
        case .retryable where isRepeatable && attempts > 1: self = .isSentAgain
        case .requiresLogout where isRepeatable && canLogIn && failure.renews: self = .isSentAgainAfterLogin
        default: self = Self.conclusion(failure, effect)
        }
    }

    private static func conclusion(_ failure: Failure, _ effect: Effect) -> Consequence {
        guard effect == .keyed || effect == .once, failure.applied == .maybe else { return .ends }
        let settles = failure.isAnswered && failure.category == .nonRetryable && failure.isOwn
        return settles ? .ends : .endsUnconfirmed
    }

    static let ending = "ends with it"
    static let unconfirmed = "ends as `unconfirmed`"

    func text(effect: Effect, attempts: Int) -> String {
        switch self {
        case .isSentAgain: "sent again\(effect == .keyed ? " with the same key" : ""), \(attempts) attempts in total"
        case .isSentAgainAfterLogin: "a login, then sent again"
        case .ends: Self.ending
        case .endsUnconfirmed: Self.unconfirmed
        }
    }
}
