public import ErrandRuntime

/// A command that an outbox can keep (`durable` in the contract). Generated code conforms to this.
public protocol DurableCommand: Command {
    /// What the contract says about keeping the command.
    static var durability: Durability { get }
}

/// A client whose contract has durable commands. Generated code conforms to this.
public protocol DurableClient: ServiceClient {
    /// The durable commands of the contract.
    static var durableCommands: [any DurableCommand.Type] { get }
}

/// What a contract says about keeping a command.
public struct Durability: Sendable, Hashable {
    /// Identifies the form of the command's inputs: one hash of all of it, or that hash, the hash of what each command has, and a hash
    /// for each input that may be left out. A command that was kept in another form is only sent if nothing but such inputs was added.
    public let fingerprint: String
    /// How long after its submission the command may be sent.
    public let lifetime: Duration
    /// The commands of a lane are sent in order, one at a time. Nil for a command that waits for no other.
    public let lane: String?

    /// - Parameter lifetime: seven days if the contract doesn't say.
    public init(fingerprint: String, lifetime: Duration = CommandDefaults.durableLifetime, lane: String? = nil) {
        self.fingerprint = fingerprint
        self.lifetime = lifetime
        self.lane = lane
    }
}
