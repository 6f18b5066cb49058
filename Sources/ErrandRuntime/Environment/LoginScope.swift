/// The time in which an app's login closure runs. Commands that the closure sends, for instance to list the available logins,
/// must not wait at the session gate: they would wait for the closure itself.
enum LoginScope {
    /// The innermost scope that the task runs in.
    @TaskLocal private static var current: CallbackScope?

    static func run<Value: Sendable>(
        for session: some AnyObject & Sendable, _ login: @Sendable () async -> Value
    ) async -> Value {
        await CallbackScope.run($current, for: ObjectIdentifier(session), login)
    }

    static func inheriting(
        _ start: @escaping DispatcherEnvironment.TaskStarter
    ) -> DispatcherEnvironment.TaskStarter {
        CallbackScope.inheriting($current, start)
    }

    /// Whether the task runs in a login closure of this session.
    static func isOpen(for session: AnyObject) -> Bool {
        CallbackScope.isOpen($current, for: ObjectIdentifier(session))
    }
}
