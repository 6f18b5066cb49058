#if os(Linux)
import CCurl
import ErrandJSON
import ErrandRuntime

/// One request on a handle of libcurl. Used on the transport's thread only.
final class Transfer {
    /// The limit of a response's header in bytes, including interim responses and trailers: 256 KiB.
    private static let largestHeader = 256 << 10
    /// Bodies up to this size are handed to libcurl, which sends them along with the header; larger ones are read as they are sent.
    private static let copiedSize = 64 << 10
    private static let bufferSize = 64 << 10
    /// The number of bytes of a streamed response that are read at a time, and the number that are handed over at once.
    private static let streamedSize = 256 << 10
    /// CURL_MAX_WRITE_SIZE
    private static let largestPiece = 16 << 10

    let exchange: Exchange
    let handle: UnsafeMutableRawPointer
    private(set) var isHandedOver = false
    var request: TransportRequest { exchange.request }
    private var headerList: UnsafeMutableRawPointer?
    private var addressList: UnsafeMutableRawPointer?
    private(set) var headerSize = 0
    /// The fields of the last header.
    private var fields = ResponseFields()
    private var isHeadComplete = false
    private var isOversized = false
    /// Whether the announced length of the body is invalid.
    private var isBroken = false
    private var body: ByteCollector
    private var stream: StreamedBodyBuffer?
    /// The part of a streamed response that was not handed over yet. libcurl delivers 16 KiB at a time, and waking the reader for each
    /// delivery costs more than copying it.
    private var gathered: [UInt8] = []
    private let arrivals: Arrivals
    private let openings: PendingConnections
    private let mayUseHTTP2: Bool
    /// Whether the transfer waits for the reader of a streamed response.
    private var isFull = false
    /// The number of bytes of a body in memory that were sent.
    private var sent = 0
    private var addresses: KnownAddresses
    /// Whether libcurl may open a connection while another request opens one to the same origin.
    private var hasTurn: Bool
    /// Whether libcurl was kept from opening a connection.
    private(set) var isHeld = false
    private var hasOpened = false
    /// Whether the request was first written to a kept connection; nil before it was written.
    private var isReused: Bool?
    /// Whether libcurl reported that the server has refused the stream.
    private var isRefused = false

    /// The text of libcurl's error, which ends with a zero.
    let problem = UnsafeMutableBufferPointer<CChar>.allocate(capacity: Int(errand_curl_error_size))

    init(_ exchange: Exchange, _ handle: UnsafeMutableRawPointer, _ arrivals: Arrivals, _ openings: PendingConnections)
    {
        self.exchange = exchange
        self.handle = handle
        self.arrivals = arrivals
        self.openings = openings
        problem.initialize(repeating: 0)
        mayUseHTTP2 = Self.mayUseHTTP2(exchange, openings)
        hasTurn = exchange.request.needsNewConnection
        body = ByteCollector(limit: exchange.request.maximumResponseSize)
        addresses = KnownAddresses(exchange.origin, over: exchange.proxy)
    }

    deinit {
        problem.deallocate()
        errand_curl_list_free(headerList)
        errand_curl_list_free(addressList)
    }

    /// Streamed responses use HTTP/1.1: over HTTP/2, libcurl keeps in memory what a server sends to a stream that is not read, 20 to
    /// 32 MiB of it.
    private static func mayUseHTTP2(_ exchange: Exchange, _ openings: PendingConnections) -> Bool {
        guard errand_curl_has_http2(), exchange.origin.scheme == "https", !exchange.request.streamsResponse else {
            return false
        }
        let isUpload = exchange.upload != nil || largeBody(of: exchange.request) != nil
        return !(isUpload && openings.takeLostResponse(of: exchange.origin))
    }

    // MARK: Setting up

    private func set(_ option: Int, _ value: Int) { _ = errand_curl_set_number(handle, CInt(option), value) }

    func set(_ option: Int, _ text: String?) -> Bool {
        errand_curl_set_text(handle, CInt(option), text) == errand_curle_ok
    }

    func set(_ option: Int, _ bytes: [UInt8]) -> Bool {
        errand_curl_set_bytes(handle, CInt(option), bytes, bytes.count) == errand_curle_ok
    }

    /// Sets all options; false if libcurl refuses one of them.
    func prepare() -> Bool {
        var callbacks = errand_curl_callbacks(
            header: { Transfer.of($3).receiveHeader(UnsafeRawBufferPointer(start: $0, count: $1 * $2)) },
            write: { Transfer.of($3).receiveBody(UnsafeRawBufferPointer(start: $0, count: $1 * $2)) },
            read: { Transfer.of($3).giveBody(UnsafeMutableRawBufferPointer(start: $0, count: $1 * $2)) },
            prerequest: { context, _, _, _, _ in
                CInt(Transfer.of(context).mayBeWritten() ? errand_curl_prerequest_go : errand_curl_prerequest_abort)
            },
            resolver_start: { _, _, context in Transfer.of(context).addresses.mayLookUp() ? 0 : 1 },
            open_socket: { context, _, address in
                Transfer.of(context).mayOpenSocket()
                    ? errand_curl_open_socket(address) : CInt(errand_curl_no_socket)
            })
        errand_curl_set_callbacks(handle, Unmanaged.passUnretained(self).toOpaque(), &callbacks)
        set(errand_curlopt_no_signal, 1)
        set(errand_curlopt_quick_exit, 1)
        set(errand_curlopt_path_as_is, 1)
        set(errand_curlopt_protocols, errand_curl_protocols_http_https)
        set(errand_curlopt_tcp_keepalive, 1)
        set(errand_curlopt_suppress_connect_headers, 1)
        set(errand_curlopt_maximum_age, 60)
        set(errand_curlopt_buffer_size, request.streamsResponse ? Self.streamedSize : Self.bufferSize)
        set(errand_curlopt_http_version, mayUseHTTP2 ? errand_curl_http_2_over_tls : errand_curl_http_1_1)
        if request.needsNewConnection { set(errand_curlopt_fresh_connect, 1) }
        if mayUseHTTP2, needsProof { setReports() }
        if exchange.origin.scheme == "https" { errand_curl_set_error_buffer(handle, problem.baseAddress) }
        setTimeLimit()
        return setTrust() && setIdentity() && setPins() && setProxy() && setHeader() && setBody()
            && set(errand_curlopt_url, request.url)
            && set(errand_curlopt_accept_encoding, exchange.fields.acceptedEncodings)
    }

    /// Sets what is left of the time.
    func setTimeLimit() {
        let left = max(1, (exchange.deadline - .now).milliseconds)
        // Connecting may take the whole time limit.
        set(errand_curlopt_connect_timeout_ms, left)
        if !request.streamsResponse { set(errand_curlopt_timeout_ms, left) }
    }

    /// Whether the request is sent again only with proof that the server has not processed it. Reads need none, and libcurl's
    /// texts cost time.
    private var needsProof: Bool { !request.method.isSafe }

    private func setReports() {
        errand_curl_set_reports(handle, Unmanaged.passUnretained(self).toOpaque()) { _, kind, text, size, context in
            guard kind == CInt(errand_curl_text_report), let text else { return 0 }
            Transfer.of(context).note(UnsafeRawBufferPointer(start: text, count: size))
            return 0
        }
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> Transfer {
        // `prepare` has set this pointer.
        Unmanaged<Transfer>.fromOpaque(context.unsafelyUnwrapped).takeUnretainedValue()
    }

    /// The environment is read by `ProxySettings`, with the same rules for all transports, and not by libcurl.
    private func setProxy() -> Bool {
        guard let proxy = exchange.proxy else { return set(errand_curlopt_proxy, "") }
        guard set(errand_curlopt_proxy, proxy.description), set(errand_curlopt_no_proxy, "") else { return false }
        guard let credentials = proxy.credentials else { return true }
        set(errand_curlopt_proxy_authentication, errand_curl_basic)
        return set(errand_curlopt_proxy_user, credentials.user)
            && set(errand_curlopt_proxy_password, credentials.password)
    }

    private func setHeader() -> Bool {
        for line in exchange.fields.lines {
            guard let longer = errand_curl_list_append(headerList, line) else { return false }
            headerList = longer
        }
        return errand_curl_set_list(handle, CInt(errand_curlopt_http_header), headerList) == errand_curle_ok
    }

    private func setBody() -> Bool {
        if request.method == .head {
            set(errand_curlopt_no_body, 1)
            return true
        }
        if let length = exchange.upload.map({ $0.length ?? -1 }) ?? Self.largeBody(of: request)?.count {
            set(errand_curlopt_upload, 1)
            set(errand_curlopt_upload_buffer_size, Self.streamedSize)
            _ = errand_curl_set_size(handle, CInt(errand_curlopt_upload_size), Int64(length))
        } else if let bytes = request.body ?? (request.announcesEmptyBody ? [] : nil) {
            // Without any bytes, libcurl would call the callback for the body.
            let isCopied =
                bytes.isEmpty
                ? errand_curl_set_bytes(handle, CInt(errand_curlopt_copy_post_fields), "", 0)
                : errand_curl_set_bytes(handle, CInt(errand_curlopt_copy_post_fields), bytes, bytes.count)
            guard isCopied == errand_curle_ok else { return false }
        } else {
            set(errand_curlopt_http_get, 1)
        }
        return set(errand_curlopt_custom_request, request.method.rawValue)
    }

    private static func largeBody(of request: TransportRequest) -> [UInt8]? {
        request.body.flatMap { $0.count > copiedSize ? $0 : nil }
    }

    // MARK: What libcurl reports

    /// Called before the request is written to a connection.
    private func mayBeWritten() -> Bool {
        if isReused == nil { isReused = !hasOpened }
        if hasOpened { openings.isOpen(ObjectIdentifier(exchange), to: exchange.origin) }
        return exchange.mayBeWritten()
    }

    /// Called before a connection is opened, for each address of its host.
    private func mayOpenSocket() -> Bool {
        // libcurl wants to send the request again.
        if exchange.isSent { return false }
        guard
            !mayUseHTTP2
                || openings.mayOpen(ObjectIdentifier(exchange), to: exchange.origin, mustWait: !hasTurn)
        else {
            isHeld = true
            return false
        }
        hasOpened = true
        return true
    }

    /// Notes what libcurl says of its steps.
    private func note(_ text: UnsafeRawBufferPointer) {
        isRefused = isRefused || RefusedStream.isReported(by: text)
    }

    /// Handles a line of the header or of a trailer. A return value other than the line's length ends the transfer.
    private func receiveHeader(_ bytes: UnsafeRawBufferPointer) -> Int {
        headerSize += bytes.count
        if headerSize > Self.largestHeader {
            isOversized = true
            return -1
        }
        // Trailers are ignored.
        if isHeadComplete { return bytes.count }
        guard fields.take(bytes) else { return endHead() ? bytes.count : -1 }
        return bytes.count
    }

    private var status: Int { errand_curl_number(handle, CInt(errand_curlinfo_response_code)) }

    private func response(body: [UInt8]) -> TransportResponse {
        TransportResponse(
            status: status, headers: HTTPHeaders(fields.all), body: body, isReusedConnection: isReused == true)
    }

    private var isOverHTTP2: Bool {
        errand_curl_number(handle, CInt(errand_curlinfo_http_version)) >= errand_curl_version_http_2
    }

    /// False if the announced length of the body is larger than allowed or invalid, or if the reader is gone.
    private func endHead() -> Bool {
        // Statuses below 200 only announce a response.
        guard status >= 200 else { return true }
        isHeadComplete = true
        if hasOpened, mayUseHTTP2 { openings.learn(exchange.origin, sharesConnections: isOverHTTP2) }
        let head = response(body: [])
        let length = head.headers["Content-Length"]?.prefix { $0.isASCII && $0.isNumber } ?? ""
        let announced = Int(length)
        // libcurl ignores a length that it can't represent.
        isBroken = announced == nil && !length.isEmpty && request.method != .head
        if isBroken { return false }
        if request.streamsResponse(ofStatus: status) {
            let stream = StreamedBodyBuffer()
            self.stream = stream
            isHandedOver = true
            return exchange.handOver(head, stream)
        }
        // The body that the response to a HEAD announces is not sent.
        guard request.method != .head, let announced else { return true }
        body = ByteCollector(expectedSize: announced, limit: request.maximumResponseSize)
        isOversized = announced > request.maximumResponseSize
        return !isOversized
    }

    private func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard stream != nil else {
            isOversized = !body.append(bytes)
            return isOversized ? -1 : bytes.count
        }
        // libcurl delivers the bytes again.
        if isFull { return errand_curl_pause_write }
        if gathered.isEmpty {
            if bytes.count >= Self.largestPiece { gathered.reserveCapacity(Self.streamedSize) }
            arrivals.note(self)
        }
        gathered.append(contentsOf: bytes)
        // The inflated bytes can be many times the bytes that were read.
        if gathered.count >= Self.streamedSize { handGatheredOver() }
        return bytes.count
    }

    private func handGatheredOver() {
        guard let stream, !gathered.isEmpty else { return }
        isFull = !stream.push(gathered, orWait: { [exchange] in exchange.goOn(.receiving) })
        gathered = []
    }

    /// Hands over the received bytes of a streamed response. Called between callbacks, and before the end.
    func deliver() {
        handGatheredOver()
        // After a pause here, libcurl reads no bytes that it would have to keep.
        if isFull { _ = errand_curl_pause_receiving(handle) }
    }

    private func giveBody(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        if let upload = exchange.upload {
            switch upload.read(into: buffer, orWait: { [exchange] in exchange.goOn(.sending) }) {
            case .bytes(let count): return count
            case .end: return 0
            case .wait: return errand_curl_pause_read
            case .broken: return errand_curl_abort_read
            }
        }
        guard let bytes = request.body else { return 0 }
        let count = min(buffer.count, bytes.count - sent)
        bytes.withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[sent..<sent + count])) }
        sent += count
        return count
    }

    /// Continues after a pause.
    func resume(_ direction: Exchange.Direction) {
        if direction == .receiving { isFull = false }
        _ = errand_curl_resume(handle)
    }

    // MARK: Beginning again

    /// Lets libcurl open a connection, if it finds none now.
    func takeTurn() { (isHeld, hasTurn) = (false, true) }

    /// What the transfer needs before it can connect, if it has ended because libcurl was kept from looking up a name.
    func need(after result: CInt) -> KnownAddresses.Need? {
        guard result != errand_curle_ok, !exchange.isSent else { return nil }
        return addresses.need()
    }

    /// Prepares another beginning with the addresses of a host; false without any.
    func take(_ found: [String], of peer: Peer) -> Bool {
        guard !found.isEmpty else { return false }
        addresses.add(peer)
        guard let longer = errand_curl_list_append(addressList, peer.entry(found)) else { return false }
        addressList = longer
        return errand_curl_set_list(handle, CInt(errand_curlopt_resolve), addressList) == errand_curle_ok
    }

    // MARK: The end

    /// Ends the exchange with libcurl's result.
    func finish(_ result: CInt) {
        if mayUseHTTP2, Int(result) == errand_curle_http2_stream, headerSize == 0, !isRefused,
            CurlTransport.losesEarlyResponses
        {
            openings.noteLostResponse(of: exchange.origin)
        }
        exchange.end { isSent in
            if isOversized { return .failure(TransportFault(.oversized, evidence: .responded)) }
            if isBroken { return .failure(TransportFault(.unreadable, evidence: .responded)) }
            if result == errand_curle_ok {
                guard isHeadComplete else { return .failure(TransportFault(.lost, evidence: .sent)) }
                // The proxy has not passed the request on (RFC 9110 section 15.5.8).
                if status == 407, let proxy = exchange.proxy, proxy.getsRequests(to: exchange.origin) {
                    return .failure(TransportFault(ProxyError(proxy, status: status)))
                }
                return .success(response(body: body.finish()))
            }
            if let problem = exchange.upload?.problem {
                return .failure(
                    TransportFault(.requestBody, evidence: isSent ? .sent : .notSent, underlying: problem))
            }
            if Int(result) == errand_curle_pinned, !isSent, let pins = request.pins {
                return .failure(TransportFault(PinError.otherKey(host: exchange.origin.host, wanted: pins.pins)))
            }
            if let problem = certificateProblem(result, isSent: isSent) {
                return .failure(TransportFault(problem, isSent: isSent))
            }
            return .failure(
                TransportFault(
                    result, isSent: isSent, isAnswered: isHeadComplete, isRefused: isRefused && headerSize == 0,
                    isReused: isReused == true && headerSize == 0, proxy: exchange.proxy,
                    connectStatus: errand_curl_number(handle, CInt(errand_curlinfo_connect_code))))
        }
    }
}
#endif
