/// A header that the contract declares for the response of an endpoint (`response: {headers: …}`).
public struct ResponseHeader: Sendable {
    /// How the text of a header is read.
    package enum Form: Sendable {
        /// One value that the generated reader takes as text.
        case text
        /// One value that the generated reader takes only as a number.
        case number
        /// A time, which may also have the form of a date in HTTP (RFC 9110 section 5.6.7).
        case timestamp
        /// Values with commas between them (RFC 9110 section 5.6.1).
        case list
    }

    /// The name on the wire, in any letter case.
    public let name: String
    package let form: Form
    /// Whether a response without a valid value fails the command.
    public let isRequired: Bool

    /// A header with one value.
    public static func text(_ name: String, isRequired: Bool = false) -> ResponseHeader {
        ResponseHeader(name: name, form: .text, isRequired: isRequired)
    }

    /// A header with the number of an enum's case.
    public static func number(_ name: String, isRequired: Bool = false) -> ResponseHeader {
        ResponseHeader(name: name, form: .number, isRequired: isRequired)
    }

    /// A header with a time, in the form of RFC 3339 or of HTTP.
    public static func timestamp(_ name: String, isRequired: Bool = false) -> ResponseHeader {
        ResponseHeader(name: name, form: .timestamp, isRequired: isRequired)
    }

    /// A header with values between commas.
    public static func list(_ name: String, isRequired: Bool = false) -> ResponseHeader {
        ResponseHeader(name: name, form: .list, isRequired: isRequired)
    }
}
