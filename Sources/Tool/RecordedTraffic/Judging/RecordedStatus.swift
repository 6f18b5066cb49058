import ContractModel

/// Whether a recorded success has the status that the contract says.
enum RecordedStatus {
    /// What is wrong with the status; nil for that of the contract, and for an endpoint without one. A 206 is a part of a success, for
    /// which a client has asked.
    static func problem(_ status: Int, of endpoint: ResolvedEndpoint) -> String? {
        guard let usual = endpoint.definition.status?.value, status != usual, status != 206 else { return nil }
        return "`\(endpoint.name.value)` succeeds with HTTP \(status), and the contract says `status: \(usual)`"
    }
}
