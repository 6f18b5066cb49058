import Foundation

/// What can be observed of one command: the requests that reached the server, and what the app was told.
struct Observation: Equatable {
    /// A request with what the server made of it.
    struct Request: Equatable {
        /// Everything that is on the wire.
        var wire: String
        /// The server's own names for the endpoint and the result, and its findings.
        var server: String
        /// What the server notices about the request, also where it does not refuse it.
        var remarks = ""
        /// How the server took it: `success`, `refused` …
        var result: String
        /// The number of the idempotency key, in the order of their first use; nil without one.
        var key: Int?
        /// Whether the server carried out the command again although it had done so before.
        var isRepeated: Bool
    }

    /// The end of a command, as the driver reports it.
    struct Report: Codable, Equatable {
        var kind: String
        var name: String
        var category: String
        var applied: String
        var value: String
        var hasSession: Bool
    }

    var requests: [Request] = []
    var report = Report(kind: "", name: "", category: "", applied: "", value: "", hasSession: false)

    /// What the app and its user notice, and what the server did: the same for one app with two servers whose contracts differ in
    /// nothing that matters.
    var forApp: String { forUser + " \(report.name) \(report.value)" }

    /// The same without the values, which the server of another endpoint makes differently.
    var forAppWithoutValue: String { forUser + " \(report.name)" }

    /// The same without names and values, which two apps with different clients have.
    var forUser: String {
        let steps = requests.map { request in
            "\(request.result)\(request.key.map { " key \($0)" } ?? "")\(request.isRepeated ? " again" : "")"
        }
        return
            "[\(steps.joined(separator: ", "))] \(report.kind) \(report.category) \(report.applied) \(report.hasSession ? "session" : "")"
    }

    /// What the app and its user notice, and what the server notices about the requests.
    var judged: String { requests.map { $0.remarks + "|" }.joined() + forUser }

    /// Whether the server refused a request, because it does not follow the contract.
    var isRefused: Bool { requests.contains { $0.result == "refused" } }

    /// Everything.
    var whole: String { requests.map { "\($0.wire)|\($0.server)|" }.joined() + forApp }
}

/// Two descriptions of what was observed, from shortly before the first difference.
struct Difference {
    let first: String
    let second: String

    /// Nil if there is none.
    init?(_ one: String, _ two: String) {
        guard one != two else { return nil }
        let common = zip(one, two).prefix { $0 == $1 }.count
        func part(_ text: String) -> String {
            let start = max(0, common - 100)
            return (start > 0 ? "…" : "") + text.dropFirst(start).prefix(300)
        }
        (first, second) = (part(one), part(two))
    }

    var text: String { "\n    one   \(first)\n    other \(second)" }
}
