/// The reason why a download ended although the server responded. The failure has it as its `underlying` error. The failure is
/// `malformed` if the server is at fault, and `invalidRequest` if this machine is.
public enum DownloadProblem: Error, Sendable, Hashable {
    /// The received part differs from the requested one (RFC 9110 section 14.4).
    case wrongRange
    /// More bytes came than the server had announced.
    case tooLong
    /// More bytes came than the caller allows.
    case larger(than: Int)
    /// The bytes are not those that the caller expects.
    case wrongDigest
    /// The disk has too little space for the file.
    case noRoom(needed: Int, free: Int)
    /// The server's bytes have changed, after this number of the old ones was delivered.
    case changed(after: Int)
    /// The connection was cut after this number of bytes, and the server has named no validator with which to request the rest.
    case cut(after: Int)
    /// The file was removed or replaced while it was written.
    case fileGone
    /// The system refused a call, with its error number.
    case system(call: String, code: Int)
}

extension DownloadProblem: CustomStringConvertible {
    /// Whether the server is at fault.
    var isServers: Bool {
        switch self {
        case .wrongRange, .tooLong, .wrongDigest, .changed, .cut: true
        case .larger, .noRoom, .fileGone, .system: false
        }
    }

    public var description: String {
        switch self {
        case .wrongRange: "another part came than was asked for"
        case .tooLong: "more bytes came than were announced"
        case .larger(let most): "must have at most \(most) bytes"
        case .wrongDigest: "the bytes do not have the expected digest"
        case .noRoom(let needed, let free): "needs \(needed) bytes, and \(free) are free"
        case .changed(let count): "the bytes are others by now, and \(count) of the old ones were delivered"
        case .cut(let count): "the connection was cut after \(count) bytes, and the rest cannot be asked for"
        case .fileGone: "was removed while it was written"
        case .system(let call, let code): "\(call) failed with \(code)"
        }
    }
}

extension CommandCall {
    /// How a download ends by a problem: as `malformed` if the server is at fault, or as an invalid request.
    ///
    /// - Parameter field: what of the request is invalid.
    func ending(by problem: DownloadProblem, of field: String, _ progress: CallProgress) -> Ending {
        progress.account.underlying = problem
        let failure =
            problem.isServers
            ? FailedAttempt(.builtIn(.malformed, nil), endpoint, progress.account)
            : FailedAttempt(invalid: [BrokenField(name: field, reason: problem.description)], endpoint)
        return failure.ending(progress.account)
    }
}
