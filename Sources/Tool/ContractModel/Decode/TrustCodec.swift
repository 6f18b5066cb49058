import Diagnostics
import YAMLTree

extension Codec where Value == [TrustDefinition] {
    /// Name of a server → the keys that it may have.
    static var trust: Codec {
        .named(
            .mapping { ServiceKeys.trust.description },
            read: { decoder, name, node in
                var trust = TrustDefinition(server: name)
                guard decoder.read(node, as: ServiceKeys.trust, into: &trust), !trust.pins.isEmpty else { return nil }
                return trust
            }, name: { $0.server.value }, write: { .mapping(ServiceKeys.trust.pairs(of: $0, $1)) })
    }
}

extension Codec where Value == String {
    /// The hash of a public key. Base64 without a spare bit: another text would be another spelling of the same key.
    static var pin: Codec {
        Codec(
            scalar: .form(.pin),
            read: { decoder, text, _ in
                if isPin(text.value) { return text }
                decoder.report(
                    .invalidValue, "\(quoted(text.value)) is not the hash of a public key", at: text.range,
                    help:
                        "write `sha256/` and the SHA-256 of its SubjectPublicKeyInfo in Base64, which has 44 characters"
                )
                return nil
            }, write: { .text($0) })
    }

    private static func isPin(_ text: String) -> Bool {
        let hash = text.utf8.dropFirst("sha256/".utf8.count)
        guard text.hasPrefix("sha256/"), hash.count == 44, hash.last == UInt8(ascii: "=") else { return false }
        let last = hash.dropLast().last.map { "AEIMQUYcgkosw048".utf8.contains($0) } ?? false
        return last
            && hash.dropLast().allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
                    true
                default: false
                }
            }
    }
}

extension Codec where Value == CalendarDay {
    static var day: Codec {
        Codec(
            scalar: .form(.day),
            read: { decoder, text, key in
                if let day = CalendarDay(text.value) { return text.map { _ in day } }
                decoder.report(
                    .invalidValue, "\(quoted(text.value)) is not a day of the calendar", at: text.range,
                    help: "write it as `\(key): 2027-06-01`")
                return nil
            }, write: { .text($0.text) })
    }
}
