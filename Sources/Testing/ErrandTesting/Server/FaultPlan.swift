/// The faults between a client and a simulated server, and their frequency. Each request has at most one fault, chosen by
/// the seed.
///
/// A frame of a request and the opening of a connection are requests in this sense. Each fault has the nearest meaning there: what
/// refuses a request over HTTP with a status, refuses an opening with it, and closes an open connection with the close code that means
/// the same. Such a close hits all commands on the connection.
public struct FaultPlan: Sendable {
    /// One thing that can go wrong.
    public enum Fault: String, Sendable, CaseIterable {
        /// No connection is made. Nothing was sent. An open connection turns out to be gone before anything of a frame was sent.
        case refused
        /// The server refuses the stream (HTTP/2): it has read the request, and has not processed it. It goes away (close code
        /// 1001) instead of reading a frame.
        case refusedStream
        /// The kept connection of the request turns out to be dead before the response begins; half of these requests the server
        /// has carried out. A request that needs a new connection does not meet it.
        case staleConnection
        /// The connection ends before the request has reached the server.
        case cutBefore
        /// It ends while the request is under way; half of these the server has read far enough to carry out.
        case cutDuring
        /// The connection ends after the server has carried the request out, before the response.
        case cutAfter
        /// The connection ends in the middle of the response.
        case cutReply
        /// The response takes up to a minute, which may be longer than the client waits.
        case delayed
        /// The network delivers a request that a network may repeat a second time. It also delivers the second response, which
        /// the caller no longer waits for. Over a connection, the reply to a frame arrives twice.
        case duplicated
        /// The server has forgotten the session of this request: 401, or what the contract says instead.
        case unauthorized
        /// 429, with `Retry-After` or the fields of a rate limit, or close code 1013. Nothing was carried out.
        case throttled
        /// 500, or close code 1011. Half of these were carried out.
        case serverError
        /// 502 of something in between, or close code 1014. Half of these were carried out.
        case badGateway
        /// 503 of something in between, which half of these requests have been carried out before, unless the contract says that a 503
        /// means the opposite. Or close code 1012, and nothing was carried out.
        case unavailable
        /// 504 of something in between, or a frame without a reply. Half of these were carried out.
        case gatewayTimeout
        /// A page of HTML with status 200, as of a hotel's login page. Nothing was carried out. In place of the reply to a frame that
        /// was carried out: text that is not JSON, bytes, an unknown id or none, a message that is too long or breaks off.
        case garbage
        /// The response breaks off, and the transport does not notice. The request was carried out. The same for a reply.
        case truncated
        /// The network goes for up to half a minute.
        case networkLoss
        /// A 307 or a 308 to another place, which carries nothing out: it refuses the request with 401, 425, 429 or 503, or
        /// loses the connection. Half of these requests the server itself has carried out before. The reply to a frame, which was
        /// carried out, has a kind of another one.
        case moved
    }

    /// How often each fault happens, from 0 to 1 of the requests. All of them together count up to 1 at most.
    public var rates: [Fault: Double]

    /// Certain faults, each with a rate of its own.
    public init(_ rates: [Fault: Double] = [:]) { self.rates = rates }

    /// Any of these faults, equally often.
    ///
    /// - Parameter rate: how many of the requests meet one, from 0 to 1.
    public init(rate: Double, of faults: [Fault] = Fault.allCases) {
        rates = Dictionary(faults.map { ($0, rate / Double(max(1, faults.count))) }) { first, _ in first }
    }

    /// Everything goes well.
    public static let none = FaultPlan()

    /// The fault for a number that is at least 0 and below 1.
    func fault(at number: Double) -> Fault? {
        var sum = 0.0
        for fault in Fault.allCases {
            sum += rates[fault] ?? 0
            if number < sum { return fault }
        }
        return nil
    }
}
