/// The time in which an app's login closure runs. What it sends itself, to find out which logins there
/// are for instance, must not wait at the session gate: it would wait for itself.
final class LoginScope: Sendable {
    /// The innermost scope that the task runs in.
    @TaskLocal private static var current: LoginScope?

    private let session: ObjectIdentifier
    private let outer: LoginScope?
    /// Tasks that the closure started may go on when it is over, and wait like others then.
    private let isOpen = LockedState<Bool> { true }

    private init(_ session: AnyObject) {
        self.session = ObjectIdentifier(session)
        outer = Self.current
    }

    static func run<Value: Sendable>(
        for session: some AnyObject & Sendable, _ login: @Sendable () async -> Value
    ) async -> Value {
        let scope = LoginScope(session)
        let value = await $current.withValue(scope) { await login() }
        scope.isOpen.withLock { $0 = false }
        return value
    }

    /// Starts tasks that run within the login closures that the caller runs in, even where they take over none of its
    /// task-local values.
    static func inheriting(
        _ start: @escaping DispatcherEnvironment.TaskStarter
    ) -> DispatcherEnvironment.TaskStarter {
        guard let scope = current else { return start }
        return { work in start { await $current.withValue(scope) { await work() } } }
    }

    /// Whether the task runs in a login closure of this session.
    static func isOpen(for session: AnyObject) -> Bool {
        var scope = current
        while let found = scope {
            if found.session == ObjectIdentifier(session), found.isOpen.withLock({ $0 }) { return true }
            scope = found.outer
        }
        return false
    }
}
