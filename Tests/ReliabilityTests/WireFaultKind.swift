/// A `WireBank`'s action for one request.
enum WireFaultKind: String, CaseIterable {
    // MARK: Before the request is there whole: nothing can have been carried out

    case closedOnAccept, resetOnAccept, closedMidRequest, resetMidRequest

    // MARK: After it is: carried out or not, the client learns nothing of it

    case closed, reset, cutBody, resetBody, cutChunks, onlyAnnounced
    /// An end inside of the status line, and a reset inside of the header. An end there would end the whole process
    /// where `URLSession` is FoundationNetworking (see `URLSessionTransport`), and is left out for that.
    case cutStatusLine, resetHeader
    /// More was announced than comes, and the connection stays.
    case stalledBody
    /// Less was announced than comes.
    case excessBody
    /// Nothing at all until the client gives up.
    case stalled
    /// The same, and what was asked for is done after that.
    case late
    /// A byte at a time, slower or faster than the client waits.
    case dribbled
    case internalError, badGateway, gatewayTimeout, garbage, webPage, halfJSON, wrongJSON
    /// Sent on by a 307 or a 308 to a place that refuses it, or does not respond. What that place says is not about the first
    /// one.
    case movedAndThrottled, movedAndTooEarly, movedAndUnauthorized, movedAndRefused, movedAndUnavailable, movedAndClosed

    // MARK: Answers

    case answered
    /// Answered, and the connection is closed although nothing says so.
    case answeredAndDropped
    /// A proxy may send it after it has passed the request on.
    case unavailable
    /// The contract says that these were not carried out.
    case throttled, refused

    /// What happens before a request can be told from another.
    static let onAccept: [WireFaultKind] = [.closedOnAccept, .resetOnAccept]
    /// The faults after which the reported state of a command is true.
    static let plain: [WireFaultKind] = [.answered, .answeredAndDropped, .throttled, .refused]
    /// The faults that leave open whether a command was carried out, although the bank knows it.
    static let ambiguous = allCases.filter { !onAccept.contains($0) && !plain.contains($0) }

    /// The response to a request that another place has sent on with this fault; nil if there is none.
    var endOfMove: (status: String, header: String, body: String)? {
        switch self {
        case .movedAndThrottled: ("429 Too Many Requests", "Retry-After: 0\r\n", "")
        case .movedAndTooEarly: ("425 Too Early", "", "")
        case .movedAndUnauthorized: ("401 Unauthorized", "", "")
        case .movedAndRefused: ("404 Not Found", "", #"{"error":{"code":900004,"messages":"No."}}"#)
        case .movedAndUnavailable: ("503 Service Unavailable", "", "")
        default: nil
        }
    }

    var isAmbiguous: Bool { !Self.plain.contains(self) }

    /// Whether the request is carried out at all, as far as it is not a matter of chance.
    var isCarriedOut: Bool? {
        switch self {
        case .closedOnAccept, .resetOnAccept, .closedMidRequest, .resetMidRequest: false
        case .unavailable, .throttled, .refused: false
        // Well-formed JSON with the status of a success says that the order was carried out, whatever its payload is.
        case .answered, .answeredAndDropped, .late, .dribbled, .wrongJSON: true
        default: nil
        }
    }
}
