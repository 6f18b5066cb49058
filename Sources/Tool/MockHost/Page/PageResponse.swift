/// A response of the host itself, and not of the service that it plays.
struct PageResponse: Sendable {
    var status: Int
    var headers: [(name: String, value: String)] = []
    var body: [UInt8] = []
    /// The texts of server-sent events, as long as the client listens.
    var events: AsyncStream<[UInt8]>?
}
