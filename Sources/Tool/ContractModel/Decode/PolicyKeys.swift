/// The mappings that say how requests are repeated, bounded and checked.
///
/// Where the model of a mapping isn't a structure with the mapping's keys, a structure beside the table has them (`…Keys`).
enum PolicyKeys {
    // MARK: Time

    static let timeout = LanguageMapping<TimeoutDefinition>(
        "timeout", "`timeout`", [anyTimeout, constrainedTimeout], short: "any")
    private static let anyTimeout = LanguageKey<TimeoutDefinition>(
        required: "any", \.any, .duration, "bound of one attempt")
    private static let constrainedTimeout = LanguageKey<TimeoutDefinition>(
        required: "constrained", \.constrained.orZero, .duration,
        "maximum time of one attempt on a metered network, or if the user saves data")

    // MARK: Retries

    static let retry = LanguageMapping<RetryRuleKeys>("retry", "`retry`", [attempts, base, cap])
    private static let attempts = LanguageKey<RetryRuleKeys>(
        "attempts", \.attempts, .integer(mostAttempts), "how often at most it is sent, the first time included")
    private static let base = LanguageKey<RetryRuleKeys>(
        "base", \.base, .duration, "pause before the second attempt; it doubles from there")
    private static let cap = LanguageKey<RetryRuleKeys>("cap", \.cap, .duration, "longest pause")

    /// How often a command may be sent at all.
    private static let mostAttempts = 1...100

    // MARK: Bytes

    static let compression = LanguageMapping<CompressionKeys>(
        "compression", "`compression` in its long form", [coding, minimumSize], short: "encoding")
    private static let coding = LanguageKey<CompressionKeys>(
        required: "encoding", \.encoding, .word, "content coding of the body: `gzip`")
    private static let minimumSize = LanguageKey<CompressionKeys>(
        "minimumSize", \.minimumSize, .integer(compressedSizes),
        "size in bytes below which a body is not compressed: `1024` (default)")

    /// In bytes, from which a body is compressed.
    private static let compressedSizes = 0...(1 << 30)

    static let checksum = LanguageMapping<ChecksumKeys>(
        "checksum", "`checksum` in its long form", [algorithm, checksumHeader, checksumEncoding],
        short: "algorithm")
    private static let algorithm = LanguageKey<ChecksumKeys>(
        required: "algorithm", \.algorithm, .word, "`sha256`, `sha512`, `sha1` or `md5`")
    private static let checksumHeader = LanguageKey<ChecksumKeys>(
        required: "header", \.header, .headerName, "name of the response's header that has the checksum")
    private static let checksumEncoding = LanguageKey<ChecksumKeys>(
        "encoding", \.encoding, .word, "spelling of the checksum in the header: `hex` (default) or `base64`",
        usual: .hex)

    // MARK: Done already

    static let settles = LanguageMapping<SettlesKeys>("settles", "`settles` in its long form", [success])
    private static let success = LanguageKey<SettlesKeys>(
        required: "success", \.moment, .word,
        "`always`: the error is a success of every attempt, the first one included; `payload`: of a repeated one, and its body is that of the success"
    )

    // MARK: Effect

    static let effect = LanguageMapping<IdempotencyKeyDefinition>("effect", "`effect` in its long form", [keyed])
    private static let keyed = LanguageKey<IdempotencyKeyDefinition>(
        required: "keyed", \.self,
        .mapping({ PolicyKeys.idempotencyKey }, empty: { _ in IdempotencyKeyDefinition() }),
        "place of the idempotency key, and its lifetime")

    static let idempotencyKey = LanguageMapping<IdempotencyKeyDefinition>(
        "idempotencyKey", "`keyed`", [keyHeader, keyField, keyLifetime],
        rules: [.atMostOne(["header", "field"]).explained(remove: "a key travels in one place")])
    private static let keyHeader = LanguageKey<IdempotencyKeyDefinition>(
        "header", \.header, .headerName, "name of the header that carries the key: `Idempotency-Key` (default)")
    private static let keyField = LanguageKey<IdempotencyKeyDefinition>(
        "field", \.field, .nonEmpty(like: "requestId"),
        "name of the field that carries the key in a JSON or form body, on the wire")
    private static let keyLifetime = LanguageKey<IdempotencyKeyDefinition>(
        "lifetime", \.lifetime, .duration, "how long the server remembers a key: `24h`")

    // MARK: The outbox

    static let durable = LanguageMapping<DurableDefinition>(
        "durable", "`durable` in its long form", [durableLifetime, lane])
    private static let durableLifetime = LanguageKey<DurableDefinition>(
        "lifetime", \.lifetime, .duration, "how long after its submission the command may be sent: `168h` (default)")
    private static let lane = LanguageKey<DurableDefinition>(
        "lane", \.lane, .nonEmpty(like: "messages"),
        "name that commands have in common which are sent in order, one at a time")

    // MARK: The cache

    static let cache = LanguageMapping<CacheDefinition>("cache", "`cache` in its long form", [http, offline])
    private static let http = LanguageKey<CacheDefinition>(
        required: "http", \.isHTTP, .flag,
        "whether the headers of a response say for how long it is used again (RFC 9111)")
    private static let offline = LanguageKey<CacheDefinition>(
        "offline", \.offline, .duration,
        "for how long a stale response is shown while there is no network, unless its headers forbid it")

    // MARK: Streams

    static let stream = LanguageMapping<StreamDefinition>(
        "stream", "a stream in its long form",
        [format, streamEnd, failures, nameMember, idle, reopen, position, resume, cancel],
        rules: [
            .where("stream", ["lines"], [.forbidden(["failures", "name"])]).explained(
                conflict: "`failures` and `name` are only valid with events, because lines do not have names",
                remove: "remove the key, or write `stream: events`"),
            .where("stream", ["events", "lines"], [.forbidden(["position", "resume", "cancel"])]).explained(
                conflict: "`position`, `resume` and `cancel` are only valid with `stream: frames`",
                remove: "remove the key; a stream over HTTP resumes by the id of its last event"),
            .where("stream", ["frames"], [.forbidden(["failures", "name", "idle"])]).explained(
                conflict: "`failures`, `name` and `idle` are not valid with `stream: frames`",
                remove: "remove the key; `connection` has the kind of failures, and its `ping` finds a silent server"),
            .needs("position", "resume").explained(
                .positionWithoutResume, missing: "`position` has no input that sends it back",
                add: "add `resume: NAME`, the optional input that takes the last position"),
            .needs("resume", "position").explained(
                .positionWithoutResume, missing: "`resume` has no position to send",
                add: "add `position: NAME`, the field of an element that has its position"),
        ])
    private static let format = LanguageKey<StreamDefinition>(
        required: "stream", \.format, .word,
        "`events` for server-sent events, `lines` for JSON lines, `frames` over a connection")
    private static let streamEnd = LanguageKey<StreamDefinition>(
        "end", \.end, .nonEmpty(like: "done"),
        "the data, the line, or the kind of the frame, after which no element comes: `[DONE]`, `room.closed`")
    private static let failures = LanguageKey<StreamDefinition>(
        list: "failures", \.failures, .nonEmpty(like: "error"), "names of events whose data says what went wrong")
    private static let nameMember = LanguageKey<StreamDefinition>(
        "name", \.name, .nonEmpty(like: "event"), "member of an element that is the event's name, on the wire")
    private static let idle = LanguageKey<StreamDefinition>(
        "idle", \.idle, .duration, "how long the server may be silent: `5m` (default)")
    private static let reopen = LanguageKey<StreamDefinition>(
        "reopen", \.reopening, .word, "when the client opens it again: `never`, `resume` (default) or `always`",
        usual: .resume)

    private static let position = LanguageKey<StreamDefinition>(
        "position", \.position, .nonEmpty(like: "seq"),
        "field of an element that has its position: an integer that grows, or a text")
    private static let resume = LanguageKey<StreamDefinition>(
        "resume", \.resume, .nonEmpty(like: "since"),
        "optional input of the same type, which sends the last position back after a lost connection")
    private static let cancel = LanguageKey<StreamDefinition>(
        "cancel", \.cancel, .frameKind, "kind of the frame that ends the elements early")

    // MARK: Confirmations and pages

    static let confirm = LanguageMapping<ConfirmDefinition>("confirm", "`confirm`", [confirmEndpoint, with, found])
    private static let confirmEndpoint = LanguageKey<ConfirmDefinition>(
        required: "endpoint", \.endpoint, .text, "endpoint that reads whether the command took effect"
    ).referring(to: .name(.endpoint))
    private static let with = LanguageKey<ConfirmDefinition>(
        "with", \.arguments,
        .named(
            .text,
            read: { decoder, name, node in
                decoder.text(node, quoted(name.value)).map { (name: name, value: $0) }
            }, name: { $0.name.value }, write: { argument, _ in .text(argument.value.value) }),
        "its input → the command's input that fills it, or `idempotencyKey`")
    private static let found = LanguageKey<ConfirmDefinition>(
        "found", \.found, .text,
        "outcome of the command if the read succeeds: `completed` (default) or the name of an outcome")

    static let paginate = LanguageMapping<PaginateKeys>(
        "paginate", "`paginate`", [page, offset, cursor, link, size, total, next, last, more, items, foreign, past],
        rules: [
            .atLeastOne(PaginateKeys.styles + ["next", "last", "more", "size", "total"]).explained(
                add: "write one of them, such as `{page: page, total: data.totalPage}`"),
            .atMostOne(PaginateKeys.styles).explained(remove: "write only one of them"),
            .excludes("page", ["next", "foreign"]),
            .excludes("offset", ["next", "foreign"]),
            .excludes("cursor", ["foreign"]),
            .needsOne("cursor", ["next", "last"]).explained(
                missing: "pages by `cursor` need `next` or `last`",
                add:
                    "write `{cursor: after, next: data.nextCursor}`, or `last: id` if the cursor is in the last element"
            ),
            .excludes("next", ["last"]),
            .excludes("link", ["next"]),
            .onlyWith("last", "cursor"),
            .onlyWith("more", "cursor"),
            .onlyWith("size", "offset"),
            .needsOne("total", ["page", "offset"]),
        ])
    private static let page = LanguageKey<PaginateKeys>(
        "page", \.page, .text, "query parameter for the number of the page")
    private static let offset = LanguageKey<PaginateKeys>(
        "offset", \.offset, .text, "query parameter for the number of elements to skip")
    private static let cursor = LanguageKey<PaginateKeys>(
        "cursor", \.cursor, .text, "query parameter for the cursor")
    private static let link = LanguageKey<PaginateKeys>(
        "link", \.link, .text, "relation of the `Link` header to the next page")
    private static let size = LanguageKey<PaginateKeys>(
        "size", \.size, .text, "query parameter for the number of elements in a page")
    private static let total = LanguageKey<PaginateKeys>(
        "total", \.total, .path, "path of the number of pages or elements")
    private static let next = LanguageKey<PaginateKeys>(
        "next", \.next, .path, "path of the next cursor; without `cursor`, of the URL of the next page")
    private static let last = LanguageKey<PaginateKeys>(
        "last", \.last, .path, "path of the next cursor inside the last element of a page")
    private static let more = LanguageKey<PaginateKeys>(
        "more", \.more, .path, "path of the flag that says whether another page follows")
    private static let items = LanguageKey<PaginateKeys>(
        "items", \.items, .path, "path of the elements, if the payload is not itself the list")
    private static let foreign = LanguageKey<PaginateKeys>(
        "foreign", \.foreign, .word,
        "how the client treats a link to another origin: `refused` (default), `anonymous`, or `own` to take its path and query to the service's origin",
        usual: .refused)
    private static let past = LanguageKey<PaginateKeys>(
        "past", \.past, .integer(400...499), "status of a page after the last one, such as `404`")
}

// MARK: Mappings whose model is no structure

struct RetryRuleKeys: Sendable {
    var attempts: Int?
    var base: Int?
    var cap: Int?

    init() {}

    init(_ retry: RetryDefinition) {
        if case .rule(let attempts, let base, let cap) = retry {
            (self.attempts, self.base, self.cap) = (attempts, base, cap)
        }
    }

    var definition: RetryDefinition { .rule(attempts: attempts, base: base, cap: cap) }
}

struct SettlesKeys: Sendable {
    /// The word of the short form.
    enum Word: String, Sendable, CaseIterable { case success }
    enum Moment: String, Sendable, CaseIterable { case always, payload }

    var moment = Moment.always
}

struct CompressionKeys: Sendable {
    var encoding = CompressionDefinition.Coding.gzip
    var minimumSize: Int?

    init() {}

    init(_ compression: CompressionDefinition) {
        if case .gzip(let size) = compression { minimumSize = size }
    }
}

struct ChecksumKeys: Sendable {
    var algorithm = ChecksumDefinition.Algorithm.sha256
    var header = ""
    var encoding = ChecksumDefinition.Encoding.hex

    init() {}

    init(_ checksum: ChecksumDefinition) {
        algorithm = checksum.algorithm
        if let header = checksum.header { (self.header, encoding) = (header.name, header.encoding) }
    }

    var definition: ChecksumDefinition {
        ChecksumDefinition(
            algorithm: algorithm, header: ChecksumDefinition.Header(name: header, encoding: encoding))
    }
}

struct PaginateKeys: Sendable {
    static let styles = ["page", "offset", "cursor", "link"]

    var page: Located<String>?
    var offset: Located<String>?
    var cursor: Located<String>?
    var link: Located<String>?
    var size: Located<String>?
    var total: Located<FieldPath>?
    var next: Located<FieldPath>?
    var last: Located<FieldPath>?
    var more: Located<FieldPath>?
    var items: Located<FieldPath>?
    var foreign = ForeignLinkRule.refused
    var past: Int?

    init() {}

    init(_ pagination: PaginationDefinition) {
        items = pagination.items
        past = pagination.past
        switch pagination.style {
        case .page(let parameter, let total): (page, self.total) = (parameter, total)
        case .offset(let parameter, let size, let total):
            (offset, self.size, self.total) = (parameter, size, total)
        case .cursor(let parameter, let place, let more):
            (cursor, self.more) = (parameter, more)
            switch place {
            case .response(let path): next = path
            case .lastElement(let path): last = path
            }
        case .link(.header(let relation), let foreign): (link, self.foreign) = (relation, foreign)
        case .link(.response(let path), let foreign): (next, self.foreign) = (path, foreign)
        }
    }

    /// Nil if no style, or several, were written, which the rules of the mapping report.
    var definition: PaginationDefinition? {
        let style: PaginationDefinition.Style
        switch (page, offset, cursor, link) {
        case (let parameter?, nil, nil, nil): style = .page(parameter: parameter, total: total)
        case (nil, let parameter?, nil, nil): style = .offset(parameter: parameter, size: size, total: total)
        case (nil, nil, let parameter?, nil):
            guard let place = next.map(CursorPlace.response) ?? last.map(CursorPlace.lastElement) else { return nil }
            style = .cursor(parameter: parameter, next: place, more: more)
        case (nil, nil, nil, let relation?): style = .link(.header(relation: relation), foreign: foreign)
        case (nil, nil, nil, nil):
            guard let next else { return nil }
            style = .link(.response(next), foreign: foreign)
        default: return nil
        }
        return PaginationDefinition(style: style, items: items, past: past)
    }
}

extension Int? {
    fileprivate var orZero: Int {
        get { self ?? 0 }
        set { self = newValue }
    }
}

extension IdempotencyKeyDefinition {
    fileprivate var header: Located<String>? {
        get { if case .header(let name)? = place { name } else { nil } }
        set { if let newValue { place = .header(newValue) } }
    }

    fileprivate var field: Located<String>? {
        get { if case .field(let name)? = place { name } else { nil } }
        set { if let newValue { place = .field(newValue) } }
    }
}
