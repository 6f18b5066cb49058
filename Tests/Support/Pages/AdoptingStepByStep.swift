import BankClient

let house = HouseNetwork()
let bank = Bank()
let error: any Error = CancellationError()

/// A network layer that an app may have had before.
struct HouseNetwork: Sendable {
    enum Problem: Error { case noConnection, other }
    var token = "t"

    func perform(
        _ method: String, _ url: String, _ headers: [(String, String)], _ body: [UInt8]?
    ) async throws -> (status: Int, body: [UInt8]) { throw Problem.other }
}
