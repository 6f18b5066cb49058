import BankClient
import ErrandRuntime
import Foundation
import TestServices
import Testing

/// The failure of a response that breaks the contract contains the place, the fault, and the expected value.
@Suite(.serialized) struct MalformedTests {
    private struct Case {
        var body: String
        var path: String
        var offset: Int
        var code: JSONError.Code
        /// Whether the server has said that the request was carried out: the body is JSON, without an error.
        var isWellFormed = true
    }

    @Test func saysWhere() async throws {
        let service = try await BankService.start()
        let bank = try await Bank.asAda(service)
        let start = #"{"data":{"id":1,"owner":"A","balance":1.5,"status":"active","openedAt":"#
        let cases = [
            Case(body: #"{"data": [1, 2"#, path: "$.data", offset: 14, code: .unexpectedEnd, isWellFormed: false),
            Case(body: "<!DOCTYPE html><html></html>", path: "$", offset: 0, code: .invalidSyntax, isWellFormed: false),
            Case(body: "", path: "$", offset: 0, code: .unexpectedEnd, isWellFormed: false),
            Case(body: #"{"data":null,"error":null}"#, path: "$.data", offset: 8, code: .typeMismatch(found: .null)),
            Case(body: #"{"data":[]}"#, path: "$.data", offset: 8, code: .typeMismatch(found: .array)),
            Case(body: #"{"data":{}}"#, path: "$.data", offset: 9, code: .missingKey("id")),
            Case(body: #"{"data":{"id":"1"}}"#, path: "$.data.id", offset: 14, code: .typeMismatch(found: .string)),
            Case(body: #"{"data":{"id":1.5}}"#, path: "$.data.id", offset: 14, code: .typeMismatch(found: .number)),
            Case(
                body: #"{"data":{"id":99999999999999999999}}"#, path: "$.data.id", offset: 14, code: .numberOutOfRange),
            Case(
                body: start + #""yesterday"}}"#, path: "$.data.openedAt", offset: start.utf8.count, code: .malformedText
            ),
            Case(
                body: start + "1}}", path: "$.data.openedAt", offset: start.utf8.count,
                code: .typeMismatch(found: .number)),
            Case(
                body: start + #""2026-02-30T00:00:00Z"}}"#, path: "$.data.openedAt", offset: start.utf8.count,
                code: .malformedText),
        ]
        for wanted in cases {
            await service.script(.body(wanted.body), on: "GET /accounts/*")
            let failure = try await bank.fault(of: Bank.GetAccount(accountID: 1))
            #expect(failure.kind == .malformed)
            failure.expect(
                WantedContext("malformed", .nonRetryable, wanted.isWellFormed ? .yes : .never, status: 200),
                at: service.url + "/accounts/1")
            let fault = try #require(failure.context.decodingError, "\(wanted.body)")
            #expect(fault.path == wanted.path, "\(wanted.body)")
            #expect(fault.byteOffset == wanted.offset, "\(wanted.body)")
            #expect(fault.code == wanted.code, "\(wanted.body)")
            // for the others, the code says it all
            if !fault.isMalformed, fault.code != .missingKey("id") {
                #expect(!fault.expectation.isEmpty, "\(wanted.body)")
            }
            #expect(failure.description.contains("\(wanted.path), byte \(wanted.offset)"))
        }
        await service.end()
    }

    @Test(arguments: [
        #"{"data":{"id":1},"data":2}x"#, #"{"data":{"id":1}} {}"#, "\u{FEFF}{}", #"{"data":{"id":01}}"#, #"{'data':1}"#,
        #"{"data":{"id":1,}}"#, #"{"data":NaN}"#, #"{"data":"\ud800"}"#, #"{"data":"a\#u{1}b"}"#, "null", "7", "[]",
        "{}",
        #"{"data":{"id":1,"owner":"A","balance":"1.5","status":"active","openedAt":"2026-01-01T00:00:00Z"}}"#,
        #"{"data":{"id":1,"owner":null,"balance":1,"status":"active","openedAt":"2026-01-01T00:00:00Z"}}"#,
    ])
    func nothingElseGetsThrough(body: String) async throws {
        let service = try await BankService.start()
        let bank = try await Bank.asAda(service)
        await service.script(.body(body), on: "GET /accounts/*")
        let failure = try await bank.fault(of: Bank.GetAccount(accountID: 1))
        #expect(failure.kind == .malformed && failure.context.decodingError != nil)
        #expect(await service.requests(on: "GET /accounts/*").count == 1, "not asked again")
        await service.end()
    }

    @Test func brokenUTF8AndDepth() async throws {
        let service = try await BankService.start()
        let bank = try await Bank.asAda(service)
        let broken = Array(#"{"data":{"id":1,"owner":""#.utf8) + [0xC3, 0x28] + Array(#""}}"#.utf8)
        await service.script(.answer(ServedAnswer(200, body: broken)), on: "GET /accounts/*")
        let text = try await bank.fault(of: Bank.GetAccount(accountID: 1))
        #expect(text.context.decodingError?.code == .invalidUTF8)
        let deep = #"{"x":"# + String(repeating: "[", count: 200_000)
        await service.script(.body(deep), on: "GET /accounts/*")
        let depth = try await bank.fault(of: Bank.GetAccount(accountID: 1))
        #expect(depth.kind == .malformed && depth.context.decodingError?.code == .tooDeep)
        await service.end()
    }

    /// An undeclared field does no harm, and neither does an unexpected body.
    @Test func unknownThingsAreLeftAlone() async throws {
        let service = try await BankService.start()
        let bank = try await Bank.asAda(service)
        let body = #"""
            {"x":[{"data":1,"error":{}}],"error":null,"data":{"id":1,"owner":"A","balance":1E-2,"status":"","deep":{"id":[]},
            "openedAt":"2026-01-01t00:00:00.123456789z"}, "meta":null}
            """#
        await service.script(.body(body), on: "GET /accounts/*")
        let account = try await bank.getAccount(accountID: 1)
        #expect(account.balance == Decimal(string: "0.01") && account.status == .unrecognized(""))
        await service.script(.answer(.text("<html>Bye</html>", contentType: "text/html")), on: "DELETE /accounts/*")
        try await bank.closeAccount(accountID: 8)
        await service.script(.status(204), on: "DELETE /sessions")
        try await bank.logOut()
        await service.end()
    }

    @Test(arguments: [ScriptedFault.garbage, .webPage])
    func aPortalsPageIsNoAccountList(fault: ScriptedFault) async throws {
        let service = try await BankService.start()
        let bank = try await Bank.asAda(service)
        await service.script(fault, on: "GET /accounts")
        let failure = try await bank.fault(of: Bank.ListAccounts())
        #expect(failure.kind == .malformed && failure.context.decodingError?.isMalformed == true)
        await service.end()
    }
}
