import ContractChecks
import ContractModel

/// Draws the attempts of a command at worst: a bar for each attempt on a line of its own, below the time.
enum TimelineDrawing {
    private static let width = 600
    private static let step = 22
    private static let top = 30
    /// More bars would say nothing more.
    private static let most = 12

    /// The sentences about the attempts that are drawn, and those about the end.
    private static func steps(_ explanation: EndpointExplanation) -> [String] {
        let left = explanation.attempts.steps.count - most
        guard left > 0 else { return explanation.timeline }
        return explanation.timeline.prefix(most) + ["\(left) more attempts follow"]
            + explanation.timeline.dropFirst(most + left)
    }

    static func input(_ explanation: EndpointExplanation, isStream: Bool) -> TimelineInput {
        let attempts = explanation.attempts
        let end = max(attempts.steps.last?.end ?? 0, 1)
        func place(_ time: Int) -> Int { time * width / end }
        let shown = attempts.steps.prefix(most)
        let bars = shown.enumerated().map { position, attempt in
            let x = place(attempt.start)
            let barWidth = max(place(attempt.end) - x, 2)
            let isLeft = x + barWidth > width * 2 / 3
            let y = top + position * step
            return TimelineInput.Bar(
                x: "\(x)", y: "\(y)", width: "\(barWidth)", textX: "\(isLeft ? max(x - 6, 0) : x + barWidth + 6)",
                textY: "\(y + 12)", anchor: isLeft && x > 0 ? "end" : "start",
                // A bar over the whole width has no room beside it.
                text: isLeft && x < 120 ? "" : "attempt \(position + 1)")
        }
        let ticks = [0, end / 2, end].enumerated().map { position, time in
            TimelineInput.Tick(
                x: "\(place(time))", y: "14", anchor: ["start", "middle", "end"][position], text: TimeText.of(time))
        }
        let count = attempts.steps.count
        let what = isStream ? "until the stream is open" : "until its end"
        let description =
            "\(count) \(count == 1 ? "attempt" : "attempts") within \(TimeText.of(end)). "
            + shown.enumerated().map { position, attempt in
                "Attempt \(position + 1) lasts from \(TimeText.of(attempt.start)) to \(TimeText.of(attempt.end))."
            }.joined(separator: " ") + (count > most ? " \(count - most) more attempts follow." : "")
        return TimelineInput(
            title: "The command at worst, \(what)", description: description,
            height: "\(top + max(shown.count, 1) * step)", bars: bars, ticks: ticks,
            steps: steps(explanation).map(Prose.sentence),
            remarks: [explanation.patience, explanation.rateLimit].map(Prose.sentence))
    }
}
