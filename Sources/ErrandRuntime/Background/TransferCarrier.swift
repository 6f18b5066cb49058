/// What carries transfers on while the app does not run: a background `URLSession` on Apple's systems. It decides nothing.
package protocol TransferCarrier: AnyObject, Sendable {
    /// Starts an attempt. What comes of it is told to the registry.
    func start(_ order: TransferOrder)
    /// Ends an attempt.
    func cancel(_ name: TransferName)
    /// All attempts that have not ended. Those that have ended before this is called were told to the registry by the time that it
    /// returns.
    func underWay() async -> [TransferName]
}

/// One attempt of a transfer, ready to be sent.
package struct TransferOrder: Sendable {
    package let name: TransferName
    package let request: TransportRequest
    /// The file with the body of an upload; nil for a request whose answer is put into a file.
    package let bodyPath: String?
    /// Whether the download goes on with what the carrier has of the attempt before.
    package let resumes: Bool
}

/// By which the system knows an attempt, and a later process finds its command.
package struct TransferName: Sendable, Hashable {
    package let id: String
    /// A random name of the attempt.
    package let attempt: String

    package init(id: String, attempt: String) {
        self.id = id
        self.attempt = attempt
    }

    /// The name in its text, such as a task's description; nil where it is another program's.
    package init?(_ text: String?) {
        guard let parts = text?.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false),
            parts.count == 3, parts[0] == "errand-1", !parts[1].isEmpty, !parts[2].isEmpty
        else { return nil }
        self.init(id: String(parts[2]), attempt: String(parts[1]))
    }

    package var text: String { "errand-1 \(attempt) \(id)" }
}
