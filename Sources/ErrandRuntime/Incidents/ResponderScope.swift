/// The time in which a responder decides. The commands that it sends must not join the incident that it is to decide: both
/// would wait for each other.
final class ResponderScope: Sendable {
    @TaskLocal private static var current: ResponderScope?

    /// Tasks that the responder started may go on when it has answered, and are like others then.
    private let isOpen = LockedState<Bool> { true }
    private let outer: ResponderScope?

    private init() { outer = Self.current }

    static func run<Value: Sendable>(_ body: @Sendable () async -> Value) async -> Value {
        let scope = ResponderScope()
        let value = await $current.withValue(scope) { await body() }
        scope.isOpen.withLock { $0 = false }
        return value
    }

    /// Whether the task runs within a responder.
    static var isOpen: Bool {
        var scope = current
        while let found = scope {
            if found.isOpen.withLock({ $0 }) { return true }
            scope = found.outer
        }
        return false
    }
}
