extension CommandEvent: CustomStringConvertible, CustomDebugStringConvertible {
    /// One line for a console: `1.250 #3 Bank.transferFunds: attempt 1, status 503 after 0.120 s, serviceUnavailable`. The line
    /// begins with the moment in seconds and the number of the command.
    public var description: String {
        PrintedText.line("\(moment.secondsText) #\(command.id) \(command.service).\(command.endpoint): \(kind)")
    }

    public var debugDescription: String { description }
}

extension CommandEvent.Kind: CustomStringConvertible {
    /// The event's description, without the command.
    public var description: String {
        switch self {
        case .queued: "queued"
        case .waiting(let wait): "waits for \(wait)"
        case .resumed(let wait, let time): "goes on after \(time.secondsText) s of waiting for \(wait)"
        case .attemptStarted(let attempt): "\(attempt)"
        case .attemptEnded(let attempt, let result): "attempt \(attempt.number), \(result)"
        case .settled(let settlement): "\(settlement)"
        }
    }
}

extension CommandEvent.Wait: CustomStringConvertible {
    public var description: String { "\(place.noun) (\(reason))" }
}

extension CommandEvent.Attempt: CustomStringConvertible {
    public var description: String {
        "attempt \(number), \(frame.map { "FRAME \($0)" } ?? method.rawValue) \(PrintedText.line(url))"
            + (bodySize.map { ", \($0) bytes" } ?? "")
            + (isTransparentRetry ? ", transparent retry" : "") + (isShared ? ", shared" : "")
    }
}

extension CommandEvent.AttemptResult: CustomStringConvertible {
    public var description: String {
        let ending = status.map { "status \($0)" } ?? fault.map { "no response (\($0.rawValue))" } ?? "no response"
        return "\(ending) after \(duration.secondsText) s" + (bodySize.map { ", \($0) bytes" } ?? "")
            + (error.map { ", \($0)" } ?? "")
    }
}

extension CommandEvent.Settlement: CustomStringConvertible {
    public var description: String {
        let count = "\(attempts) \(attempts == 1 ? "attempt" : "attempts")"
        return "\(result) after \(count) and \(duration.secondsText) s"
            + (doneAlready.map { ", done already (\($0))" } ?? "") + (cached.map { ", cached (\($0))" } ?? "")
    }
}

extension CommandEvent.Settlement.Result: CustomStringConvertible {
    public var description: String {
        switch self {
        case .success: "succeeded"
        case .outcome: "ended with an outcome"
        case .failure(let context): "failed as \(context.name) (\(context.category.rawValue))"
        }
    }
}

extension WaitReason {
    fileprivate var noun: String {
        switch self {
        case .connectivity: "the network"
        case .session: "the session"
        case .connection: "the connection"
        case .host: "the host"
        case .pause: "a pause"
        case .responder: "a responder"
        }
    }
}

extension Duration {
    /// Seconds with three decimals.
    package var secondsText: String {
        let (seconds, attoseconds) = components
        let thousandths = String(attoseconds / 1_000_000_000_000_000)
        return "\(seconds)." + String(repeating: "0", count: max(0, 3 - thousandths.count)) + thousandths
    }
}
