#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The form in which stores keep a session:
/// `{"version":2,"access":"…","refresh":"…","expiresIn":3600,"expiry":1785578400.5,"service":"Bank","identity":"17",`
/// `"lineage":{"epoch":"…","generation":3}}`.
///
/// The previous format had no version, identity and lineage, and can still be read. Members of later versions are skipped, so
/// that an app and its extension may have different versions.
extension SessionTokens {
    private static let keys = JSONKeys(
        ["access", "refresh", "expiresIn", "expiry", "service", "identity", "lineage"],
        optional: ["refresh", "expiresIn", "expiry", "service", "identity", "lineage"])
    private static let lineageKeys = JSONKeys(["epoch", "generation"])
    private static let version = 2

    /// Nil if the bytes aren't a session. The fault is dropped: it would quote them.
    init?(kept bytes: [UInt8]) {
        let kept = try? JSON.scan(bytes) { (reader: inout JSONReader) in Self.read(&reader) }
        guard let kept, !kept.access.isEmpty else { return nil }
        self = kept
    }

    /// Nil if they cannot be written: an expiry that isn't a number.
    var keptBytes: [UInt8]? {
        try? JSON.bytes { (writer: inout JSONWriter) in
            writer.beginObject()
            writer.member("version", Self.version)
            writer.member("access", access)
            writer.member("refresh", refresh)
            writer.member("expiresIn", expiresIn)
            writer.member("expiry", expiry?.timeIntervalSince1970)
            writer.member("service", service)
            writer.member("identity", identity)
            if let lineage {
                writer.key("lineage")
                writer.beginObject()
                writer.member("epoch", lineage.epoch)
                writer.member("generation", lineage.generation)
                writer.endObject()
            }
            writer.endObject()
        }
    }

    private static func read(_ reader: inout JSONReader) -> SessionTokens? {
        var access = ""
        var refresh: String?
        var expiresIn: Int?
        var expiry: Double?
        var service: String?
        var identity: String?
        var lineage: SessionLineage?
        var fields = reader.beginObject()
        while true {
            switch reader.nextField(keys, &fields) {
            case 0: access = reader.readString()
            case 1: refresh = reader.readNullable { $0.readString() } ?? nil
            case 2: expiresIn = reader.readNullable { $0.readInt() } ?? nil
            case 3: expiry = reader.readNullable { $0.readDouble() } ?? nil
            case 4: service = reader.readNullable { $0.readString() } ?? nil
            case 5: identity = reader.readNullable { $0.readString() } ?? nil
            case 6: lineage = reader.readNullable { readLineage(&$0) } ?? nil
            default:
                if reader.isFaulted { return nil }
                var tokens = SessionTokens(access: access, expiresIn: expiresIn, refresh: refresh, identity: identity)
                tokens.expiry = expiry.map { Date(timeIntervalSince1970: $0) }
                tokens.service = service
                tokens.lineage = lineage
                return tokens
            }
        }
    }

    private static func readLineage(_ reader: inout JSONReader) -> SessionLineage? {
        var epoch = ""
        var generation = 0
        var fields = reader.beginObject()
        while true {
            switch reader.nextField(lineageKeys, &fields) {
            case 0: epoch = reader.readString()
            case 1: generation = reader.readInt()
            default: return reader.isFaulted ? nil : SessionLineage(epoch: epoch, generation: generation)
            }
        }
    }
}
