public import ErrandRuntime

/// A simulated run that did not end as it should.
public struct SimulationFailure: Error, Sendable, CustomStringConvertible {
    /// The error of the run.
    public enum Reason: Sendable {
        /// The body threw this.
        case failed(any Error)
        /// No task can run and none sleeps, and the body has not ended: something waits for what never comes. It may
        /// be a command (see `waiting`), or the body itself, or work outside of the simulation: `Task { }`, `Task.sleep`
        /// and other clocks do not run in it.
        case hang
        /// It exceeded the maximum number of steps, and will probably not end.
        case endless
    }

    /// The seed that repeats the run.
    public let seed: UInt64
    public let reason: Reason
    /// The commands that waited at a gate when it ended.
    public let waiting: [WaitingCommand]
    /// The last lines of `Simulation.log`.
    public let lastEvents: [String]

    public var description: String {
        var text =
            switch reason {
            case .failed(let error): "\(error)"
            case .hang: "the body has not ended, and nothing is left that could run"
            case .endless: "the body does not end"
            }
        text += " (seed \(seed), ERRAND_SEED=\(seed) repeats it)"
        for command in waiting {
            text +=
                "\n  \(command.service).\(command.endpoint) waits at gate \(command.place.rawValue): \(command.reason)"
        }
        for event in lastEvents { text += "\n  | " + event }
        return text
    }
}
