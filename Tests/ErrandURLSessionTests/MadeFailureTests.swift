import ErrandRuntime
import Foundation
import Testing

/// An app makes failures for its own tests, with nothing but what is public.
@Suite struct MadeFailureTests {
    @Test func faultsCanBeMade() {
        let fault = CommandFault(.unavailable, status: 503)
        #expect(fault.category == .retryable)
        // A gateway may say so after it has passed the request on.
        #expect(fault.context.applied == .maybe)
        #expect(fault.context.status == 503)
        #expect(fault.context.evidence == .responded)
        #expect(CommandFault(.offline).context.evidence == .notSent)
    }

    @Test func theirLocalizedDescriptionIsTheMessage() {
        let error: any Error = CommandFault(.offline)
        #expect(error.localizedDescription == "There is no connection to the network.")
        #expect((error as? any LocalizedError)?.errorDescription == error.localizedDescription)
    }

    @Test func receiptsDetailsAndRepliesCanBeMade() {
        let receipt = Receipt(
            idempotencyKey: "k", cause: FailureContext(name: "connectionLost", applied: .maybe))
        #expect(receipt.context.name == "unconfirmed")
        #expect(receipt.context.applied == .maybe)
        #expect(receipt.cause.name == "connectionLost")
        let details = FailureDetails(
            data: 5, context: FailureContext(name: "insufficientFunds", message: "No.", code: "900005"))
        #expect(details.data == 5)
        #expect(details.code == "900005")
        let reply = Reply(value: [1], message: "fine", headers: ["X": "1"])
        #expect(reply.status == 200)
        #expect(reply.message == "fine")
        #expect(reply.headers["x"] == "1")
    }
}
