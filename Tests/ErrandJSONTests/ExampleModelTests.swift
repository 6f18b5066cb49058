import ErrandJSON
import Foundation
import Testing

@Suite struct ExampleModelTests {
    static let document = """
        {"id": 7, "owner": "Ada", "extra": {"a": [1, 2]}, "balance": 500.10, "status": "active",
         "openedAt": "2026-11-21T02:57:01Z", "limits": [
           {"amount": 1, "currency": "chf"}, {"amount": 2, "currency": "usd"}, {"amount": "x"}, 5],
         "address": {"name": "Main", "kind": "street"}}
        """

    @Test func readsAndWrites() throws {
        let (account, skipped) = try JSON.scanReportingSkipped(
            Array(Self.document.utf8), Bank.Account.load)
        #expect(account.id == 7)
        #expect(account.owner == "Ada")
        #expect(account.balance == Decimal(string: "500.1"))
        #expect(account.status == .active)
        #expect(account.nickname == nil)
        #expect(account.limits.count == 1)
        #expect(
            skipped.faults.map(\.description) == [
                "unknownToken (one of chf, eur) at $.limits[1].currency, byte 201",
                "typeMismatch (decimal) at $.limits[2].amount, byte 220",
                "typeMismatch (object) at $.limits[3], byte 226",
            ])
        let written = try JSON.bytes(account.write)
        #expect(
            String(decoding: written, as: UTF8.self)
                == #"{"id":7,"owner":"Ada","balance":500.1,"status":"active","openedAt":"2026-11-21T02:57:01Z","#
                + #""limits":[{"amount":1,"currency":"chf"}],"address":{"kind":"street","name":"Main"}}"#)
    }
}
