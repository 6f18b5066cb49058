import Diagnostics

/// One way to recognise an error or an outcome; all that it names must hold.
package struct Condition: Sendable {
    /// Ways in which the transport failed; any of them.
    package var transport: [Located<TransportKind>] = []
    /// HTTP statuses; any of them.
    package var statuses: [Located<ClosedRange<Int>>] = []
    /// The envelope's codes, as text; any of them.
    package var codes: [Located<String>] = []
    /// Values in the body, by path; all of them, compared as text.
    package var body: [BodyMatch] = []
    package var range: SourceRange

    package struct BodyMatch: Sendable {
        package var path: Located<FieldPath>
        package var text: Located<String>

        package init(path: Located<FieldPath>, text: Located<String>) {
            self.path = path
            self.text = text
        }
    }

    package init(range: SourceRange) {
        self.range = range
    }
}

/// How a transport can fail.
package enum TransportKind: String, Sendable, CaseIterable {
    case offline, dns, refused, lost, timeout, tls, authentication
}

/// A path of keys into a JSON document: `error.code`.
package struct FieldPath: Sendable, Hashable, Comparable {
    package var keys: [String]

    package init(_ keys: [String]) {
        self.keys = keys
    }

    package var text: String { keys.joined(separator: ".") }

    package static func < (left: FieldPath, right: FieldPath) -> Bool { left.text < right.text }
}
