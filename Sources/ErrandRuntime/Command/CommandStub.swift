/// What carries out the commands of one type in place of a server.
package protocol CommandStub: Sendable {
    /// - Returns: nil for a command of another type.
    func carryOut(_ command: any Command) async -> StubResult?
}

/// What a stub has made of a command.
package enum StubResult: Sendable {
    case response(any Sendable)
    case failure(any CommandFailure)
}
