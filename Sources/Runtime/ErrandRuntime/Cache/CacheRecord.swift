/// A stored response as the bytes of a file: a mark of the form, a checksum, whether the rest is sealed, and the rest.
struct CacheRecord: Sendable {
    let login: String?
    let endpoint: String
    let method: String
    let target: String
    let requestBody: [UInt8]?
    let secrets: [CacheKey.Secret]
    /// The marks at the time at which the request was sent.
    let marks: CacheMarks.Snapshot
    /// When the response came, in milliseconds since 1970. The clocks of two processes have only the date in common.
    let received: Int64
    let response: StoredResponse

    private static let form = Array("errand-cache-1\n".utf8)
    /// The form, the checksum, and whether the rest is sealed.
    private static let headSize = form.count + 9

    init(
        _ response: StoredResponse, of key: CacheKey, login: String?, marks: CacheMarks.Snapshot, received: Int64
    ) {
        self.login = login
        endpoint = key.endpoint
        method = key.method
        target = key.target
        requestBody = key.body
        secrets = key.secrets
        self.marks = marks
        self.received = received
        self.response = response
    }

    /// Whether it is the response to a request. Two requests may have one file name.
    func belongs(to key: CacheKey, login: String?) -> Bool {
        self.login == login && endpoint == key.endpoint && method == key.method && target == key.target
            && requestBody == key.body && secrets == key.secrets
    }

    // MARK: Writing

    /// The bytes of the file; nil if the seal fails.
    func bytes(_ seal: StorageSeal?) -> [UInt8]? {
        var writer = RecordWriter()
        write(to: &writer)
        var content = writer.bytes
        if let seal {
            guard let sealed = try? seal.seal(content) else { return nil }
            content = sealed
        }
        let rest = [seal == nil ? 0 : 1] + content
        var hash = StableHash()
        hash.add(rest)
        var head = RecordWriter()
        head.add(Int64(bitPattern: hash.value))
        return Self.form + head.bytes + rest
    }

    private func write(to writer: inout RecordWriter) {
        writer.add(login)
        writer.add(endpoint)
        writer.add(method)
        writer.add(target)
        writer.add(requestBody)
        writer.add(secrets) {
            $0.add($1.name)
            $0.add($1.value)
        }
        for mark in [marks.all, marks.target, marks.endpoint] { writer.add(Int64(bitPattern: mark)) }
        writer.add(received)
        writer.add(Int64(response.status))
        writer.add(response.headers.fields) {
            $0.add($1.name)
            $0.add($1.value)
            $0.add($1.isSensitive ? 1 : 0)
        }
        writer.add(response.body)
        writer.add(response.selection.fields) {
            $0.add($1.name)
            $0.add($1.value)
        }
        let freshness = response.freshness
        writer.add(freshness.initialAge.wholeMilliseconds)
        writer.add(freshness.lifetime.wholeMilliseconds)
        writer.add(freshness.isNoCache ? 1 : 0)
        writer.add(freshness.mustRevalidate ? 1 : 0)
        writer.add(freshness.staleWhileRevalidate?.wholeMilliseconds ?? -1)
        writer.add(freshness.staleIfError?.wholeMilliseconds ?? -1)
    }

    // MARK: Reading

    /// Nil for bytes that are no record, that are damaged, or that cannot be unsealed.
    ///
    /// - Parameters:
    ///   - rule: what the contract allows now, which may differ from what it allowed when the response was stored.
    ///   - place: when the response came, on the clock of this process, from the milliseconds since 1970.
    init?(
        _ bytes: [UInt8], _ seal: StorageSeal?, rule: CacheRule, received place: (Int64) -> Duration
    ) {
        guard bytes.count > Self.headSize, bytes.starts(with: Self.form) else { return nil }
        var head = RecordReader(bytes[Self.form.count..<Self.headSize - 1])
        let rest = bytes[(Self.headSize - 1)...]
        var hash = StableHash()
        hash.add(rest)
        guard let checksum = head.number(), UInt64(bitPattern: checksum) == hash.value else { return nil }
        var content = rest.dropFirst()
        switch (rest.first, seal) {
        case (0, nil): break
        case (1, let seal?):
            guard let opened = try? seal.open(Array(content)) else { return nil }
            content = opened[...]
        // An app that has a seal wrote the file before it had one, or the other way around.
        default: return nil
        }
        var reader = RecordReader(content)
        guard let record = Self.read(&reader, rule, place), reader.isAtEnd else { return nil }
        self = record
    }

    private static func read(
        _ reader: inout RecordReader, _ rule: CacheRule, _ place: (Int64) -> Duration
    ) -> CacheRecord? {
        guard let login = reader.text(), let endpoint = reader.text(), let method = reader.text(),
            let target = reader.text(), let requestBody = reader.data(),
            let secrets = reader.list({ reader in
                reader.pair().map { CacheKey.Secret(name: $0.name, value: $0.value ?? "") }
            }),
            let all = reader.number(), let ofTarget = reader.number(), let ofEndpoint = reader.number(),
            let received = reader.number(), let status = reader.number(),
            let fields = reader.list({ reader -> HTTPHeaders.Field? in
                guard let pair = reader.pair(), let isSensitive = reader.number() else { return nil }
                return HTTPHeaders.Field(pair.name, pair.value ?? "", isSensitive: isSensitive == 1)
            }),
            let body = reader.data(),
            let selection = reader.list({ reader in
                reader.pair().map { VarySelection.Field(name: $0.name, value: $0.value) }
            }),
            let freshness = freshness(&reader, rule), let endpoint, let method, let target, let body,
            (100...599).contains(status)
        else { return nil }
        let marks = CacheMarks.Snapshot(
            all: UInt64(bitPattern: all), target: UInt64(bitPattern: ofTarget),
            endpoint: UInt64(bitPattern: ofEndpoint))
        return CacheRecord(
            login: login, endpoint: endpoint, method: method, target: target, requestBody: requestBody,
            secrets: secrets, marks: marks, received: received,
            response: StoredResponse(
                status: Int(status), headers: HTTPHeaders(fields), body: body,
                selection: VarySelection(fields: selection), freshness: freshness, received: place(received)))
    }

    private init(
        login: String?, endpoint: String, method: String, target: String, requestBody: [UInt8]?,
        secrets: [CacheKey.Secret], marks: CacheMarks.Snapshot, received: Int64, response: StoredResponse
    ) {
        self.login = login
        self.endpoint = endpoint
        self.method = method
        self.target = target
        self.requestBody = requestBody
        self.secrets = secrets
        self.marks = marks
        self.received = received
        self.response = response
    }

    private static func freshness(_ reader: inout RecordReader, _ rule: CacheRule) -> Freshness? {
        let longest = DeltaSeconds.greatest * 2_000
        func duration(_ number: Int64) -> Duration? {
            number < 0 ? nil : .milliseconds(min(number, longest))
        }
        guard let age = reader.number().flatMap(duration), let lifetime = reader.number().flatMap(duration),
            let isNoCache = reader.number(), let mustRevalidate = reader.number(),
            let whileRevalidating = reader.number(), let ifError = reader.number()
        else { return nil }
        return Freshness(
            initialAge: age, lifetime: lifetime, isNoCache: isNoCache != 0, mustRevalidate: mustRevalidate != 0,
            staleWhileRevalidate: duration(whileRevalidating), staleIfError: duration(ifError), offline: rule.offline)
    }
}

extension Duration {
    /// Rounded up.
    fileprivate var wholeMilliseconds: Int64 {
        components.seconds * 1_000 + (components.attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    }
}
