/// The destination of the bytes of a download.
protocol DownloadTarget: Sendable {
    /// From where on bytes are missing, and what must be the same for them to fit; nil if all are asked for.
    var rest: (offset: Int, validator: String)? { get }
}

/// A command whose bytes are written as they arrive, after the end of the existing file.
struct DownloadRequest<C: Command>: CheckedCommand, CarrierCommand where C.Response == [UInt8] {
    typealias Service = C.Service
    typealias Failure = C.Failure
    typealias Response = OpenedStream

    let command: C
    let part: any DownloadTarget

    static var endpoint: EndpointDescription { EndpointDescription(streaming: C.endpoint) }
    static var carried: any Command.Type { C.self }

    func encode(into request: inout RequestEncoder) {
        command.encode(into: &request)
        // Offsets count the bytes of the file, not of a packed form.
        request.header("Accept-Encoding", "identity")
        request.header("Accept", "*/*")
        if let rest = part.rest {
            request.header("Range", "bytes=\(rest.offset)-")
            request.header("If-Range", rest.validator)
        }
    }

    func validate(_ check: inout RequestCheck) { (command as? any CheckedCommand)?.validate(&check) }

    static func load(from reader: inout JSONReader) -> OpenedStream? {
        reader.skipValue()
        return nil
    }
}

extension EndpointDescription {
    /// The same endpoint, with a response that is handed over as it arrives.
    fileprivate convenience init(streaming other: EndpointDescription) {
        self.init(
            other.service, other.name, other.method, effect: other.effect, key: other.key,
            keyLifetime: other.keyLifetime, session: other.session, timeout: other.timeout,
            constrainedTimeout: other.constrainedTimeout, deadline: other.deadline, patience: other.patience,
            retry: other.retry, priority: other.priority, network: other.network, compression: other.compression,
            checksum: other.checksum,
            envelope: other.envelope, list: other.isList, response: .stream,
            stream: StreamDescription(.lines, idle: .seconds(60)),
            table: other.table)
    }
}
