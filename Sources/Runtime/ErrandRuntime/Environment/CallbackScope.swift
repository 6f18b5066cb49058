/// The time in which a closure or a responder of the app runs, for all tasks that it starts. Commands sent in it must not wait for
/// its end.
final class CallbackScope: Sendable {
    /// The object for which the app was called; nil if that does not matter.
    private let owner: ObjectIdentifier?
    /// The number of the login for which the app was called; nil without one.
    let epoch: Int?
    private let outer: CallbackScope?
    /// Tasks that the app started may go on after the scope has ended, and are like others then.
    private let isOpen = LockedState<Bool> { true }

    private init(_ owner: ObjectIdentifier?, _ epoch: Int?, in outer: CallbackScope?) {
        self.owner = owner
        self.epoch = epoch
        self.outer = outer
    }

    /// Runs a closure in a scope of its own.
    static func run<Value: Sendable>(
        _ current: TaskLocal<CallbackScope?>, for owner: ObjectIdentifier? = nil, epoch: Int? = nil,
        _ body: @Sendable () async -> Value
    ) async -> Value {
        let scope = CallbackScope(owner, epoch, in: current.get())
        let value = await current.withValue(scope) { await body() }
        scope.isOpen.withLock { $0 = false }
        return value
    }

    /// Starts tasks that run in the scopes of the caller, even where they take over none of its task-local values.
    static func inheriting(
        _ current: TaskLocal<CallbackScope?>, _ start: @escaping DispatcherEnvironment.TaskStarter
    ) -> DispatcherEnvironment.TaskStarter {
        guard let scope = current.get() else { return start }
        return { work in start { await current.withValue(scope) { await work() } } }
    }

    /// The innermost open scope of this owner that the task runs in.
    static func innermost(_ current: TaskLocal<CallbackScope?>, for owner: ObjectIdentifier? = nil) -> CallbackScope? {
        var scope = current.get()
        while let found = scope {
            if found.owner == owner, found.isOpen.withLock({ $0 }) { return found }
            scope = found.outer
        }
        return nil
    }
}
