/// The time in which a responder decides. The commands that it sends must not join the incident that it is to decide: both
/// would wait for each other.
enum ResponderScope {
    /// The innermost scope that the task runs in.
    @TaskLocal private static var current: CallbackScope?

    static func run<Value: Sendable>(_ body: @Sendable () async -> Value) async -> Value {
        await CallbackScope.run($current, body)
    }

    static func inheriting(
        _ start: @escaping DispatcherEnvironment.TaskStarter
    ) -> DispatcherEnvironment.TaskStarter {
        CallbackScope.inheriting($current, start)
    }

    /// Whether the task runs within a responder.
    static var isOpen: Bool { CallbackScope.innermost($current) != nil }
}
