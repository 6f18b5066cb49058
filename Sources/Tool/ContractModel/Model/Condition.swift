import Diagnostics

/// One way to recognize an error or an outcome; all that it names must hold.
package struct Condition: Sendable {
    /// Ways in which the transport failed; any of them.
    package var transport: [Located<TransportFaultKind>] = []
    /// Codes with which the connection was closed; any of them.
    package var close: [Located<ClosedRange<Int>>] = []
    /// HTTP statuses; any of them.
    package var statuses: [Located<ClosedRange<Int>>] = []
    /// The envelope's codes; any of them.
    package var codes: [Located<CodeMatch>] = []
    /// Values in the body, by path; all of them, compared as text.
    package var body: [BodyMatch] = []
    /// Values of headers, by name; all of them.
    package var headers: [HeaderMatch] = []
    /// The body, if it is text that is no JSON.
    package var text: Located<String>?
    package var range: SourceRange

    package struct BodyMatch: Sendable {
        package var path: Located<FieldPath>
        package var text: Located<String>

        package init(path: Located<FieldPath>, text: Located<String>) {
            self.path = path
            self.text = text
        }
    }

    package struct HeaderMatch: Sendable {
        package var name: Located<String>
        package var text: Located<String>
    }

    package init(range: SourceRange) {
        self.range = range
    }

    /// The texts of a response that it names, with their patterns.
    package var values: [ResponseMatch] {
        body.map { ResponseMatch(TextPattern($0.text.value), at: .body($0.path.value.keys)) }
            + headers.map { .header($0.name.value, TextPattern($0.text.value)) }
            + (text.map { [.text(TextPattern($0.value))] } ?? [])
    }

    /// Whether it names nothing that only a body can have.
    package var needsNoBody: Bool { codes.isEmpty && body.isEmpty && text == nil }
    /// Whether it tells responses apart by their statuses alone.
    package var isOfStatusAlone: Bool { needsNoBody && headers.isEmpty }

    /// Whether statuses leave no success over.
    static func isEverySuccess(_ statuses: ClosedRange<Int>) -> Bool {
        statuses.contains(200) && statuses.upperBound >= 299
    }

    /// What to write in place of codes that are never sent.
    static func helpForReservedClose(_ codes: ClosedRange<Int>) -> String {
        switch codes {
        case 1005...1005, 1006...1006: "write `transport: lost` for a connection that ends without a code"
        case 1015...1015: "write `transport: tls` for a handshake of TLS that fails"
        default: "servers send 1000 to 1003, 1007 to 1014, and 3000 to 4999; write a range for each"
        }
    }
}

/// A path of keys into a JSON document: `error.code`.
package struct FieldPath: Sendable, Hashable, Comparable {
    package var keys: [String]

    package init(_ keys: [String]) {
        self.keys = keys
    }

    package var text: String { keys.joined(separator: ".") }

    package static func < (left: FieldPath, right: FieldPath) -> Bool { left.text < right.text }

    /// Two of the paths, one of which leads through the value of the other. No document has both.
    package static func contradiction(among paths: [FieldPath]) -> (value: FieldPath, deeper: FieldPath)? {
        guard paths.count > 1 else { return nil }
        let known = Set(paths)
        for deeper in paths where deeper.keys.count > 1 {
            for length in 1..<deeper.keys.count {
                let path = FieldPath(Array(deeper.keys.prefix(length)))
                if known.contains(path) { return (path, deeper) }
            }
        }
        return nil
    }
}

extension ClosedRange<Int> {
    /// As a contract has it: `503`, or `500..599`.
    package var spelling: String { count == 1 ? "\(lowerBound)" : "\(lowerBound)..\(upperBound)" }
}
