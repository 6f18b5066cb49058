/// The time in which an app's login closure runs. Commands that the closure sends, for instance to list the available logins,
/// must not wait at the session gate: they would wait for the closure itself.
enum LoginScope {
    /// The innermost scope that the task runs in.
    @TaskLocal private static var current: CallbackScope?

    /// - Parameter epoch: the number of the login that the closure is asked to continue; nil without one.
    static func run<Value: Sendable>(
        for session: some AnyObject & Sendable, epoch: Int?, _ login: @Sendable () async -> Value
    ) async -> Value {
        await CallbackScope.run($current, for: ObjectIdentifier(session), epoch: epoch, login)
    }

    static func inheriting(
        _ start: @escaping DispatcherEnvironment.TaskStarter
    ) -> DispatcherEnvironment.TaskStarter {
        CallbackScope.inheriting($current, start)
    }

    /// Whether the task runs in a login closure of this session.
    static func isOpen(for session: AnyObject) -> Bool {
        CallbackScope.innermost($current, for: ObjectIdentifier(session)) != nil
    }

    /// The number of the login that the closure in which the task runs is asked to continue.
    static func epoch(for session: AnyObject) -> Int? {
        CallbackScope.innermost($current, for: ObjectIdentifier(session))?.epoch
    }
}
