import ErrandRuntime

/// Continues transfers while the app doesn't run. On Apple's systems, it is a background `URLSession`. A carrier makes no
/// decisions.
package protocol TransferCarrier: AnyObject, Sendable {
    /// Starts an attempt. The carrier reports the result to the registry.
    func start(_ order: TransferOrder)
    /// Ends an attempt.
    func cancel(_ name: TransferName)
    /// All attempts that haven't ended. If an attempt ends before the call, the carrier has reported its end to the registry when
    /// the call returns.
    func underWay() async -> [TransferName]
}

/// One attempt of a transfer, ready to be sent.
package struct TransferOrder: Sendable {
    package let name: TransferName
    package let request: TransportRequest
    /// The file with the body of an upload; nil for a request whose response goes into a file.
    package let bodyPath: String?
    /// Whether the download continues with the bytes that the carrier kept from the previous attempt.
    package let resumes: Bool
}

/// Identifies an attempt to the system. A later process finds the attempt's command by it.
package struct TransferName: Sendable, Hashable {
    package let id: String
    /// A random name of the attempt.
    package let attempt: String

    package init(id: String, attempt: String) {
        self.id = id
        self.attempt = attempt
    }

    /// Reads a name from text, such as a task's description; nil if the text isn't such a name.
    package init?(_ text: String?) {
        guard let parts = text?.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false),
            parts.count == 3, parts[0] == "errand-1", !parts[1].isEmpty, !parts[2].isEmpty
        else { return nil }
        self.init(id: String(parts[2]), attempt: String(parts[1]))
    }

    package var text: String { "errand-1 \(attempt) \(id)" }
}
