import ErrandRuntime

/// The log of a run, with one line for each event and its virtual time.
@available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *)
final class EventLog: Sendable {
    private let time: ServerTime
    private let all = LockedState<[String]> { [] }

    init(_ time: ServerTime) { self.time = time }

    var lines: [String] { all.withLock { $0 } }

    func note(_ text: String) {
        let line = Self.stamp(time.now) + " " + text
        all.withLock { $0.append(line) }
    }

    /// Seconds with six digits after the point.
    private static func stamp(_ time: Duration) -> String {
        let (seconds, attoseconds) = time.components
        let digits = String(attoseconds / 1_000_000_000_000)
        return "\(seconds)." + String(repeating: "0", count: max(0, 6 - digits.count)) + digits
    }
}
