/// The destination of the bytes of a download.
package protocol DownloadTarget: Sendable {
    /// The part that is there, after which a request of the rest begins; nil if all bytes are asked for.
    var received: ReceivedPart? { get }
}

/// How far a download is, as its responses say it.
struct DownloadExtent: Sendable {
    var offset = 0
    /// Where the bytes of the current response end in the file; nil if that is not known.
    var end: Int?
    var total: Int?
    var validator: String?
    /// Whether the current response is a part of the file.
    var isPart = false

    /// Whether all bytes are there, once a response has ended.
    enum Ending {
        case whole
        /// The response ended before its announced end.
        case cut
        /// The response brought a legal part of the requested bytes, and more are missing.
        case part
    }

    var ending: Ending {
        if let end, offset < end { return .cut }
        guard let total else { return isPart ? .part : .whole }
        return offset < total ? .part : .whole
    }

    var received: ReceivedPart? {
        guard offset > 0, let validator else { return nil }
        return ReceivedPart(offset: offset, validator: validator, total: total)
    }

    /// Takes the head of the response that comes next.
    mutating func begin(_ head: DownloadHead) {
        (offset, end, total) = (head.start, head.end, head.total)
        (validator, isPart) = (head.validator, head.isPart)
    }

    /// Counts the next bytes.
    ///
    /// - Returns: why they are too many.
    mutating func take(_ count: Int, limit: Int?) -> DownloadError? {
        if let end, count > end - offset { return .tooLong }
        if let limit, count > limit - offset { return .larger(than: limit) }
        offset += count
        return nil
    }
}

/// Bounds the requests of a download whose server keeps answering.
struct DownloadBounds: Sendable {
    /// Whether the command may be sent again although a response arrived: a `once` command may not.
    private let isRepeatable: Bool
    /// How many bytes there were at most, over all responses.
    private var furthest: Int
    private var smallParts = 0
    private var hasRestarted = false
    /// How many parts of less than 256 KiB are requested without counting as failed attempts.
    private static let smallParts = 64

    /// - Parameter offset: how many bytes are there.
    init(_ effect: Effect, offset: Int = 0) {
        isRepeatable = effect != .once
        furthest = offset
    }

    /// Notes how far a response has come.
    mutating func note(_ reading: StreamReading, _ offset: Int) {
        reading.noteNewBytes(offset - furthest)
        furthest = max(furthest, offset)
    }

    /// Whether the next part may be requested as if it had been requested together with the one before.
    mutating func mayContinue(after reading: StreamReading) -> Bool {
        if reading.newBytes < TransferAdvance.provenBytes { smallParts += 1 }
        return isRepeatable && reading.newBytes > 0 && smallParts <= Self.smallParts
    }

    /// Whether the whole file may be requested, because the response was no continuation of the received part.
    mutating func mayRestart() -> Bool {
        defer { hasRestarted = true }
        return isRepeatable && !hasRestarted
    }
}

/// A command whose bytes are written as they arrive, after the end of the existing file.
package struct DownloadRequest<C: Command>: CheckedCommand, CarrierCommand where C.Response == [UInt8] {
    package typealias Service = C.Service
    package typealias Failure = C.Failure
    package typealias Response = OpenedStream

    let command: C
    let part: any DownloadTarget

    package init(command: C, part: any DownloadTarget) {
        self.command = command
        self.part = part
    }

    package static var endpoint: EndpointDescription { EndpointDescription(streaming: C.endpoint) }
    package static var carried: any Command.Type { C.self }

    package func encode(into request: inout RequestEncoder) {
        command.encode(into: &request)
        // Offsets count the bytes of the file, not of a packed form.
        request.header("Accept-Encoding", "identity")
        request.header("Accept", "*/*")
        if let received = part.received {
            request.header("Range", "bytes=\(received.offset)-")
            request.header("If-Range", received.validator)
        }
    }

    package func validate(_ check: inout RequestCheck) { (command as? any CheckedCommand)?.validate(&check) }

    package static func load(from reader: inout JSONReader) -> OpenedStream? {
        reader.skipValue()
        return nil
    }
}

extension EndpointDescription {
    /// The same endpoint, with a response that is handed over as it arrives.
    fileprivate convenience init(streaming other: EndpointDescription) {
        self.init(
            other.service, other.name, other.method, effect: other.effect, key: other.key,
            keyLifetime: other.keyLifetime, session: other.session, credentials: other.credentials,
            server: other.server, timeout: other.timeout,
            constrainedTimeout: other.constrainedTimeout, deadline: other.deadline, patience: other.patience,
            retry: other.retry, priority: other.priority, network: other.network, compression: other.compression,
            checksum: other.checksum,
            envelope: other.envelope, list: other.isList, response: .stream,
            stream: StreamDescription(.lines, idle: .seconds(60)),
            table: other.table)
    }
}
