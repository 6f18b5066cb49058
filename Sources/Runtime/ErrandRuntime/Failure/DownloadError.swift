/// The reason why a download ended although the server responded. The failure has it as its `underlying` error. The failure is
/// `malformed` if the server's bytes are at fault, `localStorageFull` if this device has no room for them, and `localFault` if it
/// couldn't write them.
public enum DownloadError: Error, Sendable, Hashable {
    /// The received part differs from the requested one (RFC 9110 section 14.4).
    case wrongRange
    /// More bytes came than the server had announced.
    case tooLong
    /// More bytes came than the caller allows.
    case larger(than: Int)
    /// The bytes do not have the checksum that the caller expects, or that the response states.
    case wrongDigest
    /// The response has no checksum that can be read, and the contract names one.
    case noDigest
    /// The disk has too little space for the file.
    case noRoom(needed: Int, free: Int)
    /// The server's bytes have changed, or the response doesn't show that they are the same, after this number of them was delivered
    /// (RFC 9110 section 13.1.5).
    case changed(after: Int)
    /// The connection was cut after this number of bytes, and the server has named no validator with which to request the rest.
    case cut(after: Int)
    /// The file was removed or replaced while it was written.
    case fileGone
    /// The system refused a call, with its error number.
    case system(call: String, code: Int)
}

extension DownloadError: CustomStringConvertible {
    /// The built-in error for it.
    var builtIn: CommandFault.Kind {
        switch self {
        case .wrongRange, .tooLong, .larger, .wrongDigest, .noDigest, .changed, .cut: .malformed
        case .noRoom: .localStorageFull
        case .fileGone: .localFault
        case .system(_, let code): SystemFile.isFull(code) ? .localStorageFull : .localFault
        }
    }

    /// Whether the response was no continuation of the received part, so that only the whole file can be requested.
    var asksForAll: Bool {
        switch self {
        case .wrongRange, .changed: true
        case .tooLong, .larger, .wrongDigest, .noDigest, .noRoom, .cut, .fileGone, .system: false
        }
    }

    public var description: String {
        switch self {
        case .wrongRange: "the server sent another range of bytes than the one requested"
        case .tooLong: "the server sent more bytes than it announced"
        case .larger(let most): "the server sent more than \(most) bytes"
        case .wrongDigest: "the bytes do not have the expected digest"
        case .noDigest: "the response has no readable checksum where the contract names one"
        case .noRoom(let needed, let free): "needs \(needed) bytes, and \(free) are free"
        case .changed(let count): "the bytes on the server changed after \(count) of them were received"
        case .cut(let count): "the connection was cut after \(count) bytes, and the rest cannot be requested"
        case .fileGone: "was removed while it was written"
        case .system(let call, let code): "\(call) failed with \(code)"
        }
    }
}
