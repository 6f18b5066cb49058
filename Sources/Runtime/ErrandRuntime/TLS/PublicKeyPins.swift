import ErrandJSON

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The public keys that a server may have. A server with any other key gets nothing, whatever authority has signed its certificate.
///
///     let pins = PublicKeyPins(["sha256/47DEQp…=", "sha256/9Ay0Wn…="], until: "2027-06-01")
///
/// A pin is the hash of the key of the server's own certificate, and not of an authority's: the Base64 form of the SHA-256 of its
/// SubjectPublicKeyInfo (RFC 7469 section 2.4). The certificate must be valid as well. The second pin is that of a key in reserve, so
/// that the server can change its key before its apps are updated.
///
/// From the day `until` on, the server is trusted like one without pins: an app that is never updated is not locked out then. The device's
/// clock decides what day it is, in UTC.
///
/// A pin or a day that cannot be read makes every request fail, before anything is sent.
public final class PublicKeyPins: Sendable {
    /// The pins, as `sha256/…=`.
    public let pins: [String]
    /// When the pins no longer apply; nil for never.
    public let expiry: Date?
    /// The hashes, of 32 bytes each.
    package let hashes: Set<[UInt8]>
    /// Why the pins cannot be used; nil if they can.
    package let problem: PinError?

    /// - Parameters:
    ///   - pins: one or more, as `sha256/…=`.
    ///   - day: the first day on which the pins no longer apply, as `2027-06-01`; nil to apply for ever.
    public init(_ pins: [String], until day: String? = nil) {
        self.pins = pins
        let hashes = pins.map { Self.hash($0) }
        self.hashes = Set(hashes.compactMap { $0 })
        let expiry = day.map { CalendarDate($0)?.date(in: .gmt) }
        self.expiry = expiry ?? nil
        problem =
            if let index = hashes.firstIndex(of: nil) {
                .malformed(reason: "\"\(pins[index])\" is not a pin such as sha256/47DEQp…=")
            } else if pins.isEmpty {
                .malformed(reason: "there is no pin")
            } else if let day, expiry == .some(nil) {
                .malformed(reason: "\"\(day)\" is not a day such as 2027-06-01")
            } else {
                nil
            }
    }

    /// Whether the pins apply at a moment.
    package func apply(at moment: Date) -> Bool { expiry.map { moment < $0 } ?? true }

    /// The bytes of a pin; nil for any other text.
    private static func hash(_ pin: String) -> [UInt8]? {
        guard pin.hasPrefix("sha256/"), let data = Data(base64Encoded: String(pin.dropFirst(7))), data.count == 32
        else { return nil }
        return Array(data)
    }
}

extension PublicKeyPins: Hashable {
    public static func == (one: PublicKeyPins, other: PublicKeyPins) -> Bool {
        one.pins == other.pins && one.expiry == other.expiry
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(pins)
        hasher.combine(expiry)
    }
}

extension PublicKeyPins: CustomStringConvertible {
    /// The pins, which are no secrets.
    public var description: String { pins.joined(separator: ", ") }
}
