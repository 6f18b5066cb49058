import ErrandJSON

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What a server says about the end of an endpoint, in the headers of a response. It may be logged: it has no other value of the
/// response.
public struct DeprecationNotice: Sendable, Hashable {
    /// The service's name in its contract.
    public let service: String
    /// The endpoint's name in its contract.
    public let endpoint: String
    /// Whether the endpoint is deprecated, now or from `deprecation` on (`Deprecation`, RFC 9745).
    public let isDeprecated: Bool
    /// Since when, or from when on, it is deprecated; nil if the response doesn't say.
    public let deprecation: Date?
    /// When it may stop responding (`Sunset`, RFC 8594); nil if the response doesn't say.
    public let sunset: Date?

    /// Nil if the headers say neither.
    ///
    /// - Parameter now: the time at the client, which completes a year of two digits.
    init?(_ headers: HTTPHeaders, of command: CommandIdentity, now: () -> Date) {
        guard !headers.fields.isEmpty else { return nil }
        let (deprecation, sunset) = (headers["Deprecation"], headers["Sunset"])
        guard deprecation != nil || sunset != nil else { return nil }
        let today = RetryAfter.seconds(now())
        func date(_ text: String) -> Int64? { HTTPDate.seconds(text, now: today) ?? Self.internetDate(text) }
        let since = deprecation.flatMap { Self.structuredDate($0) ?? date($0) }
        // Servers of the drafts before RFC 9745 send `true` or a date of HTTP.
        isDeprecated = since != nil || deprecation.map { HTTPHeaders.isEqual($0, "true") } ?? false
        self.deprecation = since.map(Self.date)
        self.sunset = sunset.flatMap(date).map(Self.date)
        guard isDeprecated || self.sunset != nil else { return nil }
        service = command.service
        endpoint = command.endpoint
    }

    /// A date of structured fields (RFC 9651 section 3.3.7), `@1688169599`, of a year that a date of HTTP can have.
    private static func structuredDate(_ text: String) -> Int64? {
        let item = HTTPHeaders.trimmed(String(text.prefix { $0 != ";" }))
        guard item.hasPrefix("@"), item.utf8.count <= 17, let seconds = Int64(item.dropFirst()),
            !item.dropFirst().hasPrefix("+"), years.contains(seconds)
        else { return nil }
        return seconds
    }

    /// A day or an instant of RFC 3339, `2091-09-01`: some libraries send the text that the service gave them.
    private static func internetDate(_ text: String) -> Int64? {
        let isDay = text.utf8.count == 10
        guard text.utf8.count <= 40, case .timestamp(let date)? = DateOrTimestamp(isDay ? text + "T00:00:00Z" : text)
        else { return nil }
        return RetryAfter.seconds(date)
    }

    /// From year 1 to year 9999.
    private static let years: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

    private static func date(_ seconds: Int64) -> Date { Date(timeIntervalSince1970: Double(seconds)) }
}

extension DeprecationNotice: CustomStringConvertible {
    public var description: String {
        var parts: [String] = []
        if isDeprecated { parts.append("is deprecated" + (deprecation.map { " (\($0.formatted(.iso8601)))" } ?? "")) }
        if let sunset { parts.append("may stop responding on \(sunset.formatted(.iso8601))") }
        return "\(service).\(endpoint) \(parts.joined(separator: ", and "))"
    }
}
