/// Carries the attempts of one command in the place of the dispatcher's transport, where an attempt outlasts the process.
protocol CommandCarrier: Transport, AnyObject {
    /// The attempt that the next `send` takes up instead of making one; nil where the next one is new.
    var earlier: EarlierAttempt? { get }
    /// Why the next attempt cannot be handed over; nil where it can.
    var problem: BrokenField? { get }
    /// Notes what the next attempt is sent with.
    func prepare(_ facts: AttemptFacts)
    /// Ends the attempt under way.
    func cancel()
}

/// An attempt that an earlier process has made.
struct EarlierAttempt: Sendable {
    /// How many attempts were made, this one included.
    var attempts = 1
    /// The idempotency key, and how long ago it was first used.
    var key: (text: String, age: Duration)?
    /// Whether an attempt before it may have been carried out.
    var isOpen = false
    /// Whether the command can be sent again: its inputs are known, and its idempotency key where it has one.
    var mayRepeat = false
    /// Where it went, as it may be printed.
    var url = ""
}

/// What of a command's progress the next process has to know.
struct AttemptFacts: Sendable {
    /// The idempotency key.
    var key: String?
    /// The name of the login that it belongs to; nil where it belongs to none.
    var login: String?
    /// How many attempts were made, the next one included.
    var attempts = 1
    /// Whether an earlier one may have been carried out.
    var isOpen = false
}
