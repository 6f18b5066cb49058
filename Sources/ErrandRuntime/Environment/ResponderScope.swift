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

    /// Starts tasks that run within the responder that the caller runs in, even where they take over none of its task-local
    /// values.
    static func inheriting(
        _ start: @escaping DispatcherEnvironment.TaskStarter
    ) -> DispatcherEnvironment.TaskStarter {
        guard let scope = current else { return start }
        return { work in start { await $current.withValue(scope) { await work() } } }
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
