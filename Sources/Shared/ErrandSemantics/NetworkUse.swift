/// Over which networks a command may go.
public enum NetworkUse: String, Sendable, CaseIterable {
    case any
    /// Only if traffic isn't billed by volume.
    case unmetered
}
