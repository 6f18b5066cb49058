/// How far a transfer or a stream has come since its attempts last began anew, over all of its responses. A connection that is cut
/// early and often brings it forward too.
struct TransferAdvance: Sendable {
    /// How many bytes came that no earlier response had brought.
    var bytes = 0
    /// How long responses of a stream were open, from the first one on that has brought elements.
    var time = Duration.zero
    /// How many tokens of the budget paid for attempts that have brought something new.
    var tokens = 0
    /// Whether the last response was enough for the attempts to begin anew.
    var hasRenewed = false

    /// How many new bytes show that the server of a download works.
    static let provenBytes = 256 << 10
    /// How long a stream is open until its pauses begin anew. Elements alone don't show that its server works: one that ends each
    /// connection after an element would be asked several times a second.
    static let provenTime = Duration.seconds(60)

    var isProven: Bool { bytes >= Self.provenBytes || time >= Self.provenTime }
}
