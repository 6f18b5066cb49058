import Pipeline

/// One line on a terminal that says what a long run is doing. Runs of less than a second show nothing.
struct ProgressLine {
    private enum Event: Sendable {
        case stage(String)
        case tick
    }

    private let events: AsyncStream<Event>.Continuation
    private let printer: Task<Void, Never>
    private let ticker: Task<Void, Never>

    init() {
        let (stream, events) = AsyncStream.makeStream(of: Event.self)
        self.events = events
        printer = Task.detached {
            var stage = ""
            var isShown = false
            for await event in stream {
                switch event {
                case .stage(let text): stage = text
                case .tick:
                    Console.complain(unfinished: "\r\u{1B}[K\(stage)")
                    isShown = true
                }
            }
            if isShown { Console.complain(unfinished: "\r\u{1B}[K") }
        }
        ticker = Task.detached {
            do {
                try await Task.sleep(for: .seconds(1))
                while true {
                    events.yield(.tick)
                    try await Task.sleep(for: .milliseconds(100))
                }
            } catch {}  // cancelled: the run has ended
        }
    }

    func show(_ progress: Generate.Progress) {
        events.yield(.stage("generating \(progress.contract) (\(progress.position) of \(progress.count)) …"))
    }

    /// Takes the line away.
    func end() async {
        ticker.cancel()
        events.finish()
        await printer.value
    }
}
