/// A contract of any size: each endpoint has one path and two query parameters, a body on every second one, an envelope
/// response with a ten-field model, and three declared errors of its own beyond the defaults. The errors come from a list of
/// thirty, as services have them; a third of them carries data. Texts with a `?` inside braces are quoted, because some YAML
/// readers refuse them otherwise.
public enum SyntheticContract {
    /// The contract before a change of every tenth endpoint and of every tenth type, as a draft.
    public static func draft(endpoints count: Int) -> String {
        var lines = text(endpoints: count).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        var seen: [String: Int] = [:]
        for (position, line) in lines.enumerated() {
            let other =
                switch line {
                case "service: Synthetic": "service: Synthetic\nstability: draft"
                case "    ratio: double": "    ratio: float"
                case "    note: string?": "    note: string"
                case "    query: {page: int = 1, filter: \"string?\"}": "    query: {page: int = 0}"
                default: line
                }
            guard other != line else { continue }
            if seen[line, default: 0] % 10 == 0 { lines[position] = other }
            seen[line, default: 0] += 1
        }
        return lines.joined(separator: "\n")
    }

    public static func text(endpoints count: Int) -> String {
        var text = """
            errand: 1
            service: Synthetic
            version: 1.0.0
            servers: {main: "https://api.example/v1"}
            session: {header: Authorization, format: "Bearer {token}"}
            envelopes:
              standard: {data: data, error: error, code: error.code, message: error.message}
            defaults: {envelope: standard, timeout: 20s, deadline: 60s, session: required}
            errors:

            """
        for number in 0..<10 {
            text += """
                  notFound\(number): {category: nonRetryable, when: {code: \(number * 3 + 1000)}, message: There is no such thing.}
                  busy\(number): {category: retryable, when: {code: \(number * 3 + 1001)}, message: Please try again later.}
                  refused\(number): {category: nonRetryable, when: {code: \(number * 3 + 1002)}, data: {reason: string, limit: int}, message: This is not allowed.}

                """
        }
        text += "types:\n"
        for number in 0..<count {
            text += """
                  Model\(number):
                    id: int
                    name: string
                    amount: decimal
                    createdAt: timestamp
                    isActive: bool
                    ratio: double
                    note: string?
                    tags: [string]
                    count: int64
                    parent: int?

                """
        }
        text += "endpoints:\n"
        for number in 0..<count {
            text += """
                  operation\(number):
                    doc: Does the thing of number \(number).
                    \(number % 2 == 0 ? "get" : "post"): /things\(number)/{thingID:int}
                    query: {page: int = 1, filter: "string?"}
                    response: Model\(number)
                    errors: [notFound\(number % 10), busy\(number / 10 % 10), refused\(number / 3 % 10)]

                """
            if number % 2 == 1 {
                text += "    body: {title: string, amount: decimal, note: \"string?\"}\n    effect: keyed\n"
            }
        }
        return text
    }
}
