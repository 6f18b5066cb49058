/// What holds for a command whose contract says nothing else. `RetryRule` has the defaults of retries.
@usableFromInline package enum CommandDefaults {
    /// How long one attempt may take.
    @usableFromInline package static var timeout: Duration { .seconds(30) }
    /// How long all attempts and the pauses between them may take together.
    @usableFromInline package static var deadline: Duration { .seconds(90) }
    /// How long after its submission a durable command may be sent: seven days.
    @usableFromInline package static var durableLifetime: Duration { .seconds(7 * 86_400) }
}
