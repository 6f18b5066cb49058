@testable import ErrandRuntime

/// A cache with a clock and a date of its own, and a server that a test speaks for.
final class CacheBench {
    var state = HTTPCacheState(limit: 1 << 20)
    /// Since the clock was started.
    var now = Duration.seconds(1_000)
    var rule = CacheRule()
    /// 2026-01-01 at the start of the clock.
    private static let start: Int64 = 1_767_225_600 - 1_000

    /// What the cache does with a request.
    enum Reaction: Equatable, CustomStringConvertible {
        /// It responds, without the server.
        case reused
        /// It responds, and the server is asked meanwhile.
        case reusedAndAsked
        /// The server is asked, with these fields.
        case validated([String])
        /// The server is asked for any response.
        case fetched

        static let validated = Reaction.validated(["If-None-Match"])

        var description: String {
            switch self {
            case .reused: "reused"
            case .reusedAndAsked: "reused, and asked"
            case .validated(let fields): "validated by \(fields.joined(separator: ", "))"
            case .fetched: "fetched"
            }
        }
    }

    static let owner = CacheOwner(SessionIdentity(), .epoch(1))

    /// The seconds since 1970.
    var date: Int64 { Self.start + now.components.seconds }

    /// Headers from lines. `{-60}` stands for the date of a minute ago.
    func headers(_ lines: [String]) -> HTTPHeaders {
        HTTPHeaders(
            lines.map { line in
                let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
                var value = parts[1].drop { $0 == " " }
                if let open = value.firstIndex(of: "{"), let close = value.lastIndex(of: "}"),
                    let offset = Int64(value[value.index(after: open)..<close])
                {
                    value = value[..<open] + Self.text(ofDate: date + offset) + value[value.index(after: close)...]
                }
                return HTTPHeaders.Field(String(parts[0]), String(value))
            })
    }

    /// A date as HTTP writes it. Without a formatter, which takes long and is asked for often.
    static func text(ofDate seconds: Int64) -> String {
        let days = seconds / 86_400
        let rest = seconds % 86_400
        // Civil from days (Howard Hinnant: chrono-Compatible Low-Level Date Algorithms).
        let shifted = days + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let names = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let date = "\(names[Int(days % 7)]), \(two(day)) \(months[Int(month - 1)]) \(year)"
        return "\(date) \(two(rest / 3_600)):\(two(rest / 60 % 60)):\(two(rest % 60)) GMT"
    }

    func lookup(
        _ lines: [String] = [], url: String = "https://a.example/x", owner: CacheOwner = CacheBench.owner,
        endpoint: String = "Bank.read", method: String = "GET", body: [UInt8]? = nil
    ) -> CacheLookup {
        let headers = headers(lines)
        return CacheLookup(
            CacheKey(
                owner: owner, endpoint: endpoint, method: method, url: url, headers: headers, body: body,
                tokenField: "Authorization"), headers)
    }

    /// Sends a request past the cache, and stores its response if it may be.
    func load(
        _ lookup: CacheLookup, status: Int = 200, _ lines: [String], body: [UInt8] = Array("{}".utf8),
        taking delay: Duration = .zero
    ) {
        let number = state.begin(lookup.key)
        let sent = now
        now += delay
        let response = StoredResponse(
            status: status, headers: headers(lines), body: body, to: lookup.headers, rule: rule, sent: sent,
            received: now, date: date)
        _ = state.store(response, lookup, of: number)
        state.end(number)
    }

    func react(to lookup: CacheLookup) -> Reaction {
        if lookup.isOfTheCaller { return .fetched }
        switch state.look(lookup, at: now) {
        case .fresh: return .reused
        case .whileRevalidating: return .reusedAndAsked
        case .stale(let response): return response.condition.map { .validated($0.map(\.name)) } ?? .fetched
        case .nothing: return .fetched
        }
    }

    func find(_ lookup: CacheLookup) -> StoredResponse? { state.find(lookup) }

    /// Whether a stale response may be used for a reason.
    func allows(_ use: StoredResponse.StaleUse, _ lookup: CacheLookup) -> Bool {
        state.find(lookup)?.allows(use, at: now, for: lookup.demand) ?? false
    }
}
