import ErrandJSON
import ErrandRuntime

/// The journal's record of one transfer. A later process finds the command of an ended transfer by it. The record has no tokens, no
/// bodies, and none of the request's headers.
///
/// The form is
/// `{"version":1,"id":"…","attempt":"…","endpoint":"Video.preloadVideo","url":"…","effect":"read","download":true,"attempts":1,`
/// `"open":false,"limit":…,"fingerprint":…,"login":"…","key":"…","keyUsed":…,"status":200,"headers":["ETag","…"],"size":12,`
/// `"redirectedTo":"https://…"}`.
struct TransferRecord: Sendable, Equatable {
    let id: String
    /// A random name of the attempt. Reports of the system about an older attempt are ignored.
    var attempt: String
    /// Service and endpoint as the contract names them.
    let endpoint: String
    /// The URL that the command's own inputs make, as failures print it. It reveals another command with the same id.
    let url: String
    let effect: Effect
    let isDownload: Bool
    /// The number of attempts, including this one.
    var attempts = 1
    /// Whether the server may have carried out an earlier attempt.
    var mayHaveBeenApplied = false
    /// The maximum size in bytes of a response body that is read into memory.
    var limit = 64 << 20
    /// 32 bits of a hash of the request. A download is continued only with the same request.
    var fingerprint = 0
    /// The name of the login that the command belongs to. It isn't a secret.
    var login: String?
    /// The idempotency key, and the time of its first use in seconds since 1970.
    var key: String?
    var keyUsed: Double?
    /// How the attempt ended; nil while it is under way.
    var end: TransferEnd?
    /// The origin that the last redirect led to, if the system has followed any. The end is then that of another place.
    var redirectedTo: String?
}

/// How an attempt of a transfer ended.
package enum TransferEnd: Sendable, Equatable {
    /// With a response of any status. `size` is the size of its body in bytes.
    case response(status: Int, headers: [String], size: Int)
    /// Without a response.
    case fault(TransportFault.Kind, Evidence)

    /// A response as it arrived, without its sensitive header fields.
    package static func response(status: Int, _ headers: HTTPHeaders) -> TransferEnd {
        var kept: [String] = []
        var size = 0
        for field in headers.fields where !ResponseRedactor.isSensitive(field.name) {
            size += field.name.utf8.count + field.value.utf8.count
            // No ordinary server sends more. The limit keeps the journal small.
            if size > 64 << 10 { break }
            kept += [field.name, field.value]
        }
        return .response(status: status, headers: kept, size: 0)
    }
}

extension TransferRecord {
    static let version = 1
    private static let keys = JSONKeys(
        [
            "version", "id", "attempt", "endpoint", "url", "effect", "download", "attempts", "open", "limit",
            "fingerprint",
            "login", "key", "keyUsed", "status", "headers", "size", "fault", "evidence", "redirectedTo",
        ], optional: ["login", "key", "keyUsed", "status", "headers", "size", "fault", "evidence", "redirectedTo"])
    private static let versionKey = JSONKeys(["version"])

    /// The version in a record; nil if the bytes aren't a record.
    static func version(of bytes: [UInt8]) -> Int? {
        let found = try? JSON.scan(bytes) { (reader: inout JSONReader) -> Int? in
            var version = 0
            var fields = reader.beginObject()
            while true {
                switch reader.nextField(versionKey, &fields) {
                case 0: version = reader.readInt()
                default: return reader.isFaulted ? nil : version
                }
            }
        }
        return found
    }

    /// Reads a record; nil if the bytes aren't a record of this version.
    init?(kept bytes: [UInt8]) {
        guard Self.version(of: bytes) == Self.version,
            let record = try? JSON.scan(bytes, { (reader: inout JSONReader) in Self.read(&reader) })
        else { return nil }
        self = record
    }

    var keptBytes: [UInt8]? {
        try? JSON.bytes { (writer: inout JSONWriter) in
            writer.beginObject()
            writer.member("version", Self.version)
            writer.member("id", id)
            writer.member("attempt", attempt)
            writer.member("endpoint", endpoint)
            writer.member("url", url)
            writer.member("effect", effect.rawValue)
            writer.member("download", isDownload)
            writer.member("attempts", attempts)
            writer.member("open", mayHaveBeenApplied)
            writer.member("limit", limit)
            writer.member("fingerprint", fingerprint)
            writer.member("login", login)
            writer.member("key", key)
            writer.member("keyUsed", keyUsed)
            end?.write(to: &writer)
            writer.member("redirectedTo", redirectedTo)
            writer.endObject()
        }
    }

    private static func read(_ reader: inout JSONReader) -> TransferRecord? {
        var (id, attempt, endpoint, url, effect) = ("", "", "", "", "")
        var (isDownload, mayHaveBeenApplied) = (false, false)
        var (attempts, limit, fingerprint) = (0, 0, 0)
        var (login, key, keyUsed): (String?, String?, Double?)
        var (status, headers, size): (Int?, [String], Int) = (nil, [], 0)
        var (fault, evidence, redirectedTo): (String?, String?, String?)
        var fields = reader.beginObject()
        while true {
            switch reader.nextField(keys, &fields) {
            case 0: reader.skipValue()
            case 1: id = reader.readString()
            case 2: attempt = reader.readString()
            case 3: endpoint = reader.readString()
            case 4: url = reader.readString()
            case 5: effect = reader.readString()
            case 6: isDownload = reader.readBool()
            case 7: attempts = reader.readInt()
            case 8: mayHaveBeenApplied = reader.readBool()
            case 9: limit = reader.readInt()
            case 10: fingerprint = reader.readInt()
            case 11: login = reader.readString()
            case 12: key = reader.readString()
            case 13: keyUsed = reader.readDouble()
            case 14: status = reader.readInt()
            case 15: headers = reader.readArray { $0.readString() }
            case 16: size = reader.readInt()
            case 17: fault = reader.readString()
            case 18: evidence = reader.readString()
            case 19: redirectedTo = reader.readString()
            default:
                guard !reader.isFaulted, let effect = Effect(rawValue: effect), attempts > 0, limit >= 0 else {
                    return nil
                }
                var end: TransferEnd?
                if let fault {
                    guard let kind = TransportFault.Kind(rawValue: fault),
                        let evidence = evidence.flatMap(Evidence.init)
                    else { return nil }
                    end = .fault(kind, evidence)
                } else if let status {
                    guard headers.count % 2 == 0, size >= 0 else { return nil }
                    end = .response(status: status, headers: headers, size: size)
                }
                return TransferRecord(
                    id: id, attempt: attempt, endpoint: endpoint, url: url, effect: effect, isDownload: isDownload,
                    attempts: attempts, mayHaveBeenApplied: mayHaveBeenApplied, limit: limit, fingerprint: fingerprint,
                    login: login, key: key,
                    keyUsed: keyUsed, end: end, redirectedTo: redirectedTo)
            }
        }
    }
}

extension TransferEnd {
    fileprivate func write(to writer: inout JSONWriter) {
        switch self {
        case .response(let status, let headers, let size):
            writer.member("status", status)
            writer.member("headers", headers)
            writer.member("size", size)
        case .fault(let kind, let evidence):
            writer.member("fault", kind.rawValue)
            writer.member("evidence", evidence.rawValue)
        }
    }
}

extension TransportRequest {
    /// 32 bits of a hash (FNV-1a) of a request's method, URL and headers, to compare two requests after a relaunch. It reveals at most
    /// 32 bits of a token in the headers.
    var fingerprint: Int {
        let text = headers.fields.reduce("\(method.rawValue) \(url)") { "\($0)\n\($1.name):\($1.value)" }
        return Int(StableHash.short(of: text))
    }
}
