/// How a command ended.
public struct Completion<C: Command>: Sendable {
    public let command: C
    public let result: Result<Reply<C.Response>, C.Failure>
    /// The number of completions that were dropped immediately before this one because the reader was too slow. Usually 0.
    public internal(set) var dropped = 0
}

/// The followers of a command type's endings.
final class CompletionFollowers: Sendable {
    /// One object per command type, an `EventFollowers<Completion<C>>`.
    private let types = LockedState<[ObjectIdentifier: any Sendable]> { [:] }

    func stream<C: Command>(of type: C.Type) -> AsyncStream<Completion<C>> {
        let followers = types.withLock { types -> EventFollowers<Completion<C>> in
            if let known = types[ObjectIdentifier(type)] as? EventFollowers<Completion<C>> { return known }
            let made = EventFollowers<Completion<C>> { count, next in
                var next = next
                next.dropped = count
                return [next]
            }
            types[ObjectIdentifier(type)] = made
            return made
        }
        return followers.stream()
    }

    /// Whether a stream was ever asked for. Looked at for each command, so it is cheap.
    var areFollowed: Bool { types.withLock { !$0.isEmpty } }

    func tell<C: Command>(_ command: C, _ result: Result<Reply<C.Response>, C.Failure>) {
        let followers = types.withLock { $0[ObjectIdentifier(C.self)] as? EventFollowers<Completion<C>> }
        followers?.tell(Completion(command: command, result: result))
    }
}
