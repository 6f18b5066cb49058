/// Carries out the commands of one type in place of a server.
package protocol CommandStub: Sendable {
    /// - Returns: nil for a command of another type.
    func carryOut(_ command: any Command) async -> StubResult?
}

/// The result of a stub.
package enum StubResult: Sendable {
    case response(any Sendable)
    case failure(any CommandFailure)
}
