import BankClient
import ErrandTesting
import Foundation
import Testing

@testable import ErrandRuntime

/// What a failure says of `applied`, where the response is a success that cannot be read.
@Suite(.timeLimit(.minutes(1))) struct AppliedTests {
    /// A POST of one effect, whose payload is an object with a number, in an envelope.
    private static func endpoint(
        _ envelope: EnvelopeDescription, _ effect: Effect = .once, response: ResponseKind = .json,
        redeclared: [ErrorDescription] = [], checksum: ChecksumRule? = nil
    ) -> EndpointDescription {
        EndpointDescription(
            ServiceDescription(name: "Post", version: "1", redeclared: redeclared), "send",
            effect == .read ? .get : .post, effect: effect, checksum: checksum, envelope: envelope, response: response)
    }

    private static let withError = EnvelopeDescription(success: .withoutError, data: "data", error: "error")
    private static let coded = EnvelopeDescription(success: .codes(["100"]), data: "data", code: "code")

    /// The failure that a response is classified as.
    private static func failure(
        _ endpoint: EndpointDescription, _ body: String, status: Int = 200
    ) -> FailedAttempt {
        var account = AttemptSummary(service: "Post", endpoint: "send", method: .post)
        do throws(ClassifiedError) {
            _ = try Classifier.read(
                .json(status, body), endpoint, ResponseRedactor(nil), &account, with: CommandReader<Bank.GetAccount>())
            return FailedAttempt(.builtIn(.malformed, nil), endpoint, account)
        } catch {
            return FailedAttempt(error, endpoint, account)
        }
    }

    private static let page = "<!DOCTYPE html><html><body>Welcome</body></html>"

    @Test(arguments: [
        // The status alone tells a success: the body has to be what is declared.
        (EnvelopeDescription.none, #"{"id":"no"}"#, Applied.yes), (.none, "[1]", .yes), (.none, "true", .yes),
        (.none, #"{"id":"#, .maybe), (.none, page, .maybe), (.none, "", .maybe), (.none, "{} {}", .maybe),
        // An envelope without an error.
        (withError, #"{"data":{"id":"no"}}"#, .yes), (withError, #"{"error":null}"#, .yes), (withError, "[]", .yes),
        (withError, #"{"data":{"id":1"#, .maybe), (withError, page, .maybe), (withError, "", .maybe),
        // An envelope with codes.
        (coded, #"{"code":100,"data":{"id":"no"}}"#, .yes), (coded, #"{"code":"100"}"#, .yes),
        (coded, #"{"code":100,"data":{"id":"#, .maybe), (coded, page, .maybe), (coded, #"{"data":{}}"#, .maybe),
    ])
    func aSuccessThatCannotBeRead(_ envelope: EnvelopeDescription, _ body: String, _ applied: Applied) {
        for effect in Effect.allCases {
            let failure = Self.failure(Self.endpoint(envelope, effect), body)
            #expect(failure.name == "malformed")
            let said = failure.context(AttemptSummary(service: "", endpoint: "", method: .get)).applied
            #expect(said == (effect == .read && applied == .maybe ? .never : applied), "\(effect)")
        }
    }

    @Test func anotherStatusSaysNothing() {
        for status in [302, 304, 100] {
            #expect(Self.failure(Self.endpoint(Self.withError), #"{"data":{}}"#, status: status).applied == .maybe)
        }
        #expect(Self.failure(Self.endpoint(Self.withError), #"{"data":{}}"#, status: 500).applied == .maybe)
    }

    /// Bytes that aren't those of the checksum, and a page in place of a stream.
    @Test func bytesAndStreamsOfAnotherForm() {
        let rule = ChecksumRule(ChecksumRule.Algorithm("none", size: 1) { NoChecksum() })
        #expect(Self.failure(Self.endpoint(.none, response: .bytes, checksum: rule), "bytes").applied == .maybe)
        #expect(Self.failure(Self.endpoint(.none, response: .stream), "{}").applied == .maybe)
        #expect(Self.failure(Self.endpoint(Self.coded, response: .stream), #"{"code":100}"#).applied == .yes)
    }

    /// The contract knows its server.
    @Test func aContractThatSaysNeverIsBelieved() {
        let redeclared = [ErrorDescription("malformed", .nonRetryable, applied: .never)]
        let endpoint = Self.endpoint(Self.withError, redeclared: redeclared)
        #expect(Self.failure(endpoint, #"{"data":{"id":"no"}}"#).applied == .never)
    }

    // MARK: Commands

    private func order(_ answers: [TransportResponse]) async -> (requests: Int, failure: Bank.TransferFundsFailure?) {
        let transport = ScriptedTransport { _, number in answers[min(number, answers.count) - 1] }
        let result = await Bank.scripted(transport).result(
            of: Bank.TransferFunds(fromAccount: 1, toAccount: 5, amount: 500))
        // A read may confirm the order.
        let count = transport.requests.filter { $0.method == .post }.count
        if case .failure(let failure) = result { return (count, failure) }
        return (count, nil)
    }

    @Test func theCallerIsToldThatItWasCarriedOut() async {
        let (requests, failure) = await order([.json(200, #"{"data":{"confirmation":"soon"}}"#)])
        #expect(requests == 1)
        guard case .shared(.fault(let fault))? = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(fault.kind == .malformed && fault.context.applied == .yes)
        #expect(fault.context.decodingError != nil)
        #expect(fault.description.contains(", carried out") && !fault.description.contains("possibly"))
    }

    /// The same key: what the last response says is said of all attempts.
    @Test func itSettlesAnEarlierOpenAttempt() async {
        let (requests, failure) = await order([.json(504, ""), .json(200, #"{"data":{"confirmation":"soon"}}"#)])
        #expect(requests == 2)
        guard case .shared(.fault(let fault))? = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(fault.kind == .malformed && fault.context.applied == .yes)
    }

    @Test(arguments: [page, "", #"{"data":{"confirmation":1"#])
    func whatSaysNothingStaysOpen(_ body: String) async {
        let (requests, failure) = await order([.json(200, body)])
        #expect(requests == 1)
        guard case .unconfirmed(let receipt)? = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(receipt.cause.name == "malformed" && receipt.context.applied == .maybe)
    }

    /// Whatever ends a read: it changes nothing.
    @Test func aReadIsNeverPossiblyCarriedOut() async {
        var results: [Result<TransportResponse, TransportFault>] = []
        for status in [100, 200, 204, 302, 400, 404, 408, 429, 500, 501, 502, 503, 504, 599] {
            for body in [Self.page, "", "[1]"] { results.append(.success(.json(status, body))) }
        }
        for kind in TransportFault.Kind.allCases {
            for evidence in Evidence.allCases { results.append(.failure(TransportFault(kind, evidence: evidence))) }
        }
        for answer in results {
            let transport = ScriptedTransport { _, _ throws(TransportFault) in try answer.get() }
            let result = await Bank.scripted(transport).result(of: Bank.ListAccounts())
            guard case .failure(let failure) = result else { continue }
            #expect(failure.context.applied != .maybe, "\(failure)")
            #expect(!failure.description.contains("possibly"), "\(failure)")
        }
    }
}

/// Computes the same checksum of any bytes.
private struct NoChecksum: ChecksumFunction {
    mutating func update(_ bytes: UnsafeRawBufferPointer) {}
    mutating func finalize() -> [UInt8] { [0] }
}
