import Foundation
import Testing

@testable import ErrandRuntime

/// The envelopes of the shipped contracts, on a command whose response is a list of numbers.
@Suite struct EnvelopeTests {
    private final class Receiver: ResponseReceiver {
        var numbers: [Int]?
        func load(_ payload: Payload) throws(JSONFault) -> [JSONFault] {
            let (value, skipped) = try payload.scan { reader -> [Int]? in
                reader.readArraySkippingInvalid { $0.readInt() }
            }
            numbers = value
            return skipped
        }
        func load(bytes: [UInt8]) -> Bool { false }
        func take(outcome: Int, _ match: ErrorMatch) -> Bool { false }
    }

    static let keys = JSONKeys("code", "msg", "data", "error")
    static func scan(_ reader: inout JSONReader, _ parts: inout EnvelopeParts) {
        var fields = reader.beginObject()
        while true {
            switch reader.nextField(keys, &fields) {
            case 0: parts.readCode(&reader)
            case 1: parts.readMessage(&reader)
            case 2: parts.markData(&reader)
            case 3:
                if reader.readNull() { break }
                parts.hasError = true
                reader.skipValue()
            default: return
            }
        }
    }
    static let live = EnvelopeDescription(scan: scan, success: .codes(["100"]), list: "data.list")
    static let both = EnvelopeDescription(scan: scan, success: .codesWithoutError(["100"]))
    static let message = EnvelopeDescription(scan: scan, success: .status, payload: .body)

    private func classify(
        _ envelope: EnvelopeDescription, _ status: Int, _ body: String, list: Bool = true,
        classify: @escaping EndpointDescription.Classify = { _ in .unmatched }
    ) -> (Classification, [Int]?) {
        let endpoint = EndpointDescription(
            Shop.service, "numbers", .get, effect: .read, envelope: envelope, list: list,
            classify: classify)
        var account = AttemptAccount(service: "Shop", endpoint: "numbers", method: .get)
        let receiver = Receiver()
        let result = Classifier.classify(
            .json(status, body), endpoint, blank: { $0 }, &account, into: receiver)
        return (result, receiver.numbers)
    }

    static let lists: [String] = [
        #"{"code":"100","data":[1,2]}"#, #"{"code":100,"data":{"list":[1,2],"total":9}}"#,
        #"{"data":{"total":9,"list":[1,2]},"msg":"ok","code":100}"#,
        " { \"data\" : [ 1 , 2 ] , \"code\" : \"100\" , \"extra\" : {\"data\":[3]} } ",
    ]

    @Test(arguments: lists) func listsAreFoundInEveryPlace(body: String) {
        #expect(classify(Self.live, 200, body).1 == [1, 2])
    }

    static let failures: [(Int, String, CommandFault.Kind)] = [
        (200, #"{"code":101,"msg":"no"}"#, .rejected), (200, #"{}"#, .rejected),
        (200, #"{"code":{"a":1}}"#, .rejected), (200, "[]", .rejected),
        (200, #"{"code":100}"#, .malformed), (200, #"{"code":100,"data":null}"#, .malformed),
        (200, #"{"code":100,"data":{"list":null}}"#, .malformed),
        (200, #"{"code":100,"data":{}}"#, .malformed), (200, #"{"code":100,"data":[1"#, .malformed),
        (404, #"{"code":100,"data":[1]}"#, .rejected), (500, #"{"code":100,"data":[1]}"#, .serverFault),
    ]

    @Test(arguments: failures)
    func otherAnswersAreFailures(status: Int, body: String, kind: CommandFault.Kind) {
        guard case .builtIn(let found, _) = classify(Self.live, status, body).0 else {
            Issue.record("no failure"); return
        }
        #expect(found == kind)
    }

    /// 204 has no body: the payload is missing, whether or not there is an envelope around it.
    @Test(arguments: [Self.message, .none, EnvelopeDescription(scan: scan, success: .withoutError)])
    func anEmptyBodyIsAMissingPayload(envelope: EnvelopeDescription) throws {
        let endpoint = EndpointDescription(
            Shop.service, "number", .get, effect: .read, envelope: envelope, classify: Shop.classify)
        let parts = EnvelopeParts(of: [], endpoint)
        #expect(envelope.succeeds(status: 204, parts))
        let payload = Payload(body: [], parts, endpoint, isSuccess: true)
        let (value, _) = try payload.scan { reader -> Int?? in .some(reader.readNull() ? nil : reader.readInt()) }
        #expect(value == nil)
    }

    /// Only the response is where the envelope keeps lists.
    @Test func theDataOfAnErrorIsNoList() throws {
        let endpoint = EndpointDescription(
            Shop.service, "numbers", .get, effect: .read, envelope: Self.live, list: true,
            classify: { $0.code == "7" ? .error(0) : .unmatched })
        var account = AttemptAccount(service: "Shop", endpoint: "numbers", method: .get)
        let answer = TransportResponse.json(200, #"{"code":7,"data":{"limit":5,"list":[1]}}"#)
        guard case .declared(_, let payload?) = Classifier.classify(
            answer, endpoint, blank: { $0 }, &account, into: Receiver())
        else { Issue.record("not declared"); return }
        let keys = JSONKeys("limit", required: 0b1)
        let data = try payload.scan { reader -> Int? in
            var limit = 0
            var fields = reader.beginObject()
            while reader.nextField(keys, &fields) == 0 { limit = reader.readInt() }
            return reader.isFaulted ? nil : limit
        }
        #expect(data.value == 5)
    }

    @Test func codeAndErrorCanBothBeAskedFor() {
        #expect(classify(Self.both, 200, #"{"code":100,"error":null,"data":[1]}"#).1 == [1])
        #expect(classify(Self.both, 200, #"{"code":100,"error":{},"data":[1]}"#).1 == nil)
    }

    @Test func withoutDataTheBodyIsThePayload() {
        #expect(classify(Self.message, 200, "[1]").1 == [1])
        #expect(classify(.none, 200, "[1]").1 == [1])
    }

    @Test func messagesAndSkippedElementsAreReported() {
        guard case .success(let parts) = classify(
            Self.live, 200, #"{"code":"100","msg":["a","b"],"data":[1,"x",3]}"#).0
        else { Issue.record("no success"); return }
        #expect(parts.message == "a\nb")
        #expect(parts.code == "100")
        #expect(parts.skipped.map(\.path) == ["$.data[1]"])
    }

    @Test func rowsCanLookIntoTheBody() {
        let table: EndpointDescription.Classify = { answer in
            if answer.text(at: "error.kind") == "late" { return .error(7) }
            return answer.text(at: "list.1") == "true" ? .error(8) : .unmatched
        }
        for (body, wanted) in [(#"{"error":{"kind":"late"}}"#, 7), (#"{"list":[0,true]}"#, 8)] {
            guard case .declared(let error, _) = classify(.none, 200, body, classify: table).0 else {
                Issue.record("not declared"); continue
            }
            #expect(error == wanted)
        }
        for body in ["", "{", "[]", #"{"error":"late"}"#] {
            if case .declared = classify(.none, 200, body, classify: table).0 { Issue.record("\(body)") }
        }
    }

    @Test func builtInErrorsCanBeDeclaredAnew() async {
        let service = ServiceDescription(
            name: "Shop", version: "1",
            redeclared: [
                ErrorDescription(
                    "serverFault", .retryable, applied: .maybe, message: "Again.",
                    retry: RetryRule(attempts: 2, base: .zero))
            ])
        let endpoint = EndpointDescription(
            service, "x", .get, effect: .read, classify: { _ in .unmatched })
        var account = AttemptAccount(service: "Shop", endpoint: "x", method: .get)
        account.evidence = .responded
        account.status = 500
        let failure = FailedAttempt(.builtIn(.serverFault, nil), endpoint, account)
        #expect(failure.category == .retryable)
        #expect(failure.retry?.attempts == 2)
        #expect(failure.context(account).message == "Again.")
    }
}
