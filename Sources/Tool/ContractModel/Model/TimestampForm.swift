/// One of the forms in which a service spells instants.
package enum TimestampForm: Sendable, Hashable {
    /// Text in RFC 3339 form.
    case rfc3339
    /// A number of seconds since 1970.
    case unix
    /// A number of milliseconds since 1970.
    case milliseconds
    /// Text in the service's own spelling.
    case pattern(TimestampFormat)

    /// The forms that have a name, by this name.
    package static let named: [(name: String, form: TimestampForm)] = [
        ("rfc3339", .rfc3339), ("unix", .unix), ("milliseconds", .milliseconds),
    ]

    /// The most forms of one timestamp.
    package static let most = 8

    /// As a contract writes it.
    package var spelling: String {
        switch self {
        case .rfc3339: "rfc3339"
        case .unix: "unix"
        case .milliseconds: "milliseconds"
        case .pattern(let format): format.pattern
        }
    }

    package var isNumber: Bool { self == .unix || self == .milliseconds }

    /// The type that has this form without a format; `nil` for a pattern.
    package var primitive: Primitive? {
        switch self {
        case .rfc3339: .timestamp
        case .unix: .timestampUnix
        case .milliseconds: .timestampMilliseconds
        case .pattern: nil
        }
    }

    /// The fields of the text, from which an instant is read.
    private var format: TimestampFormat? {
        switch self {
        case .rfc3339: Self.rfc3339Format
        case .unix, .milliseconds: nil
        case .pattern(let format): format
        }
    }

    private static let rfc3339Format = try? TimestampFormat("yyyy-MM-dd'T'HH:mm:ssXXX")

    /// Whether some value has both forms, and each form reads another instant from it.
    package func isAmbiguous(with other: TimestampForm) -> Bool {
        if isNumber || other.isNumber { return isNumber && other.isNumber }
        guard let format, let other = other.format else { return false }
        let local = format.hasOffset ? other : format
        let differsInZone = format.hasOffset != other.hasOffset && local.offset != 0
        guard format.order != other.order || differsInZone else { return false }
        return format.fits(other.sample) || other.fits(format.sample)
    }
}

extension [TimestampForm] {
    /// Whether a text without JSON's kinds of values can be a number, and nothing else of these forms.
    package var tellsNumbers: Bool {
        for case .pattern(let format) in self where format.sample.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            return false
        }
        return contains(where: \.isNumber)
    }

    /// The seconds east of UTC of the patterns without an offset of their own.
    package var offset: Int {
        for case .pattern(let format) in self { return format.offset }
        return 0
    }
}
