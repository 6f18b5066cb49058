import Foundation

// MARK: What Codable has no word for

/// Absent, null or a value.
struct Change<Value: Codable & Equatable & Sendable>: Codable, Equatable, Sendable {
    var isThere = false
    var value: Value?

    init() {}

    init(_ value: Value?) { (isThere, self.value) = (true, value) }

    init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(Value?.self))
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }
}

extension KeyedDecodingContainer {
    // Synthesized code calls this one, for a key that may be absent.
    func decode<Value>(_ type: Change<Value>.Type, forKey key: Key) throws -> Change<Value> {
        contains(key) ? Change(try decodeIfPresent(Value.self, forKey: key)) : Change()
    }
}

extension KeyedEncodingContainer {
    mutating func encode<Value>(_ change: Change<Value>, forKey key: Key) throws {
        if !change.isThere { return }
        if let value = change.value { try encode(value, forKey: key) } else { try encodeNil(forKey: key) }
    }
}

/// RFC 3339 (section 5.6), read with a regular expression and the calendar of the C library.
struct Moment: Codable, Equatable {
    var date: Date

    init(_ date: Date) { self.date = date }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let date = Self.date(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no timestamp")
        }
        self.date = date
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
    }

    /// To the microsecond, as it is written, or as near as a `Date` of that size comes to it.
    static func == (a: Moment, b: Moment) -> Bool {
        let (a, b) = (a.date.timeIntervalSinceReferenceDate, b.date.timeIntervalSinceReferenceDate)
        return (a - b).magnitude <= max(1e-6, a.ulp * 2)
    }

    private static func date(_ text: String) -> Date? {
        let form =
            /([0-9]{4})-([0-9]{2})-([0-9]{2})[Tt\x20]([0-9]{2}):([0-9]{2}):([0-9]{2})(\.[0-9]+)?([Zz]|([+-])([0-9]{2}):([0-9]{2}))/
        guard let match = text.wholeMatch(of: form.matchingSemantics(.unicodeScalar))?.output,
            let day = Day.seconds(match.1, match.2, match.3),
            let hour = Int(match.4), hour < 24, let minute = Int(match.5), minute < 60,
            let second = Int(match.6), second <= 60
        else { return nil }
        var offset = 0
        if let sign = match.9, let hours = match.10.flatMap({ Int($0) }), let minutes = match.11.flatMap({ Int($0) }) {
            guard hours < 24, minutes < 60 else { return nil }
            offset = (hours * 60 + minutes) * (sign == "-" ? -60 : 60)
        }
        let total = day + hour * 3600 + minute * 60 + second - offset
        if second == 60 {
            var parts = tm()
            var time = time_t(total)
            guard total.isMultiple(of: 86_400), gmtime_r(&time, &parts) != nil, parts.tm_mday == 1 else { return nil }
        }
        let fraction = match.7.flatMap { Double("0" + $0) } ?? 0
        return Date(timeIntervalSinceReferenceDate: Double(total - 978_307_200) + fraction)
    }
}

/// `2026-11-21`.
struct Day: Codable, Equatable {
    var text: String

    init(_ text: String) { self.text = text }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        text = try container.decode(String.self)
        let form = /([0-9]{4})-([0-9]{2})-([0-9]{2})/.matchingSemantics(.unicodeScalar)
        guard let match = text.wholeMatch(of: form)?.output, Self.seconds(match.1, match.2, match.3) != nil else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no day")
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    /// From 1970 to the start of the day; nil if the day does not exist, because the C library moves it to another.
    static func seconds(_ year: Substring, _ month: Substring, _ day: Substring) -> Int? {
        guard let year = CInt(year), let month = CInt(month), let day = CInt(day) else { return nil }
        var parts = tm()
        (parts.tm_year, parts.tm_mon, parts.tm_mday) = (year - 1900, month - 1, day)
        let seconds = timegm(&parts)
        return (parts.tm_year, parts.tm_mon, parts.tm_mday) == (year - 1900, month - 1, day) ? Int(seconds) : nil
    }
}

/// Seconds since 1970.
struct Seconds: Codable, Equatable {
    var value: Double

    init(_ value: Double) { self.value = value }

    init(from decoder: any Decoder) throws { value = try decoder.singleValueContainer().decode(Double.self) }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }

    /// To the microsecond, as it is written.
    static func == (a: Seconds, b: Seconds) -> Bool { (a.value - b.value).magnitude <= max(1e-6, a.value.ulp * 2) }
}

/// Milliseconds since 1970.
struct Milliseconds: Codable, Equatable {
    var value: Double

    init(_ value: Double) { self.value = value }

    init(from decoder: any Decoder) throws { value = try decoder.singleValueContainer().decode(Double.self) }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }

    /// To the millisecond, as it is written; a `Date` is less exact far from its zero.
    static func == (a: Milliseconds, b: Milliseconds) -> Bool {
        (a.value - b.value).magnitude <= max(0.51, a.value.ulp * 2)
    }
}
