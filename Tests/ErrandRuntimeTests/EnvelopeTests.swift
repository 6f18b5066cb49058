import Foundation
import Testing

@testable import ErrandRuntime

/// The envelopes of the shipped contracts, on a command whose response is a list of numbers.
@Suite struct EnvelopeTests {
    private struct Numbers: ResponseReader {
        func load(from reader: inout JSONReader) -> [Int]? { reader.readArraySkippingInvalid { $0.readInt() } }
        func take(_ content: UnparsedResponse) -> [Int]? { nil }
        func loadHeaders(from reader: inout JSONReader) -> (any Sendable)? { nil }
    }

    private typealias Reading = Result<Reply<[Int]>, ClassifiedError>

    static let live = EnvelopeDescription(
        success: .codes("100"), data: "data", list: "data.list", code: "code", message: "msg")
    static let elsewhere = EnvelopeDescription(
        success: .codes("100"), data: "data", list: "items", code: "code", message: "msg")
    static let errors = EnvelopeDescription(success: .withoutError, data: "data", error: "error")
    static let both = EnvelopeDescription(
        success: .codesWithoutError("100"), data: "data", code: "code", error: "error")
    static let message = EnvelopeDescription(success: .status, message: "msg")

    /// - Parameter isEager: whether a payload may be read on the way.
    private func read(
        _ envelope: EnvelopeDescription, _ status: Int, _ body: String, isEager: Bool = true,
        table: DecisionTable = []
    ) -> (reading: Reading, isEarly: Bool) {
        let endpoint = EndpointDescription(
            Shop.service, "numbers", .get, effect: .read, envelope: envelope, list: true,
            table: table)
        let response = TransportResponse.json(status, body)
        var account = AttemptSummary(service: "Shop", endpoint: "numbers", method: .get)
        let early = isEager && endpoint.hasEarlyPayload(in: response) ? EarlyResponse(Numbers()) : nil
        let redactor = ResponseRedactor(nil)
        do throws(ClassifiedError) {
            let success = try Classifier.classify(response, endpoint, redactor, &account, early: early)
            let reply = try Classifier.read(
                success, of: response, endpoint, redactor, &account, early: early, with: Numbers())
            return (.success(reply), early?.response != nil)
        } catch {
            return (.failure(error), early?.response != nil)
        }
    }

    private func numbers(_ envelope: EnvelopeDescription, _ status: Int, _ body: String) -> [Int]? {
        try? read(envelope, status, body).reading.get().value
    }

    static let lists: [String] = [
        #"{"code":"100","data":[1,2]}"#, #"{"code":100,"data":{"list":[1,2],"total":9}}"#,
        #"{"data":{"total":9,"list":[1,2]},"msg":"ok","code":100}"#,
        " { \"data\" : [ 1 , 2 ] , \"code\" : \"100\" , \"extra\" : {\"data\":[3]} } ",
    ]

    @Test(arguments: lists) func listsAreFoundInEveryPlace(body: String) {
        #expect(numbers(Self.live, 200, body) == [1, 2])
    }

    /// The body is gone through once where the envelope says in time that it is a success.
    @Test(arguments: [
        (Self.live, #"{"code":"100","data":[1,2]}"#, true), (Self.live, #"{"data":[1,2],"code":"100"}"#, false),
        (Self.live, #"{"code":100,"data":{"total":2,"list":[1,2]},"msg":"ok"}"#, true),
        (Self.live, #"{"code":100,"data":{"list":[1,2],"list":[3]}}"#, true),
        (Self.live, #"{"code":100,"data":[9],"data":{"list":[1,2]}}"#, false),
        (Self.elsewhere, #"{"code":100,"data":[1,2]}"#, true),
        (Self.elsewhere, #"{"code":100,"data":{},"items":[1,2]}"#, false),
        (Self.errors, #"{"data":[1,2],"error":null}"#, true), (Self.errors, #"{"error":null,"data":[1,2]}"#, true),
        (Self.both, #"{"error":null,"code":100,"data":[1,2]}"#, true),
        (Self.both, #"{"data":[1,2],"code":100}"#, false),
    ])
    func thePayloadIsReadOnTheWay(envelope: EnvelopeDescription, body: String, isEarly: Bool) {
        let (reading, wasEarly) = read(envelope, 200, body)
        #expect((try? reading.get().value) == [1, 2])
        #expect(wasEarly == isEarly)
    }

    /// In a list of errors the first one counts, and an empty list isn't an error. No payload is taken out of a list.
    @Test func firstErrorOfAListCounts() {
        func parts(_ body: String, _ envelope: EnvelopeDescription) -> EnvelopeParts {
            let endpoint = EndpointDescription(
                Shop.service, "numbers", .get, effect: .read, envelope: envelope, list: true, table: [])
            return EnvelopeParts(of: Array(body.utf8), endpoint)
        }
        let envelope = EnvelopeDescription(
            success: .withoutError, data: "data", code: "errors.code", error: "errors", message: "errors.text")
        let failed = parts(#"{"data":null,"errors":[{"code":"A1","text":"one"},{"code":"B2","text":"two"}]}"#, envelope)
        #expect(failed.hasError && failed.code == "A1" && failed.message == "one")
        for body in [#"{"data":[1],"errors":[]}"#, #"{"data":[1],"errors":null}"#, #"{"data":[1]}"#] {
            let fine = parts(body, envelope)
            #expect(!fine.hasError && fine.code.isEmpty && fine.data != nil, "\(body)")
        }
        let odd = parts(#"{"errors":["broken",{"code":"B2"}],"data":[1]}"#, envelope)
        #expect(odd.hasError && odd.code.isEmpty && odd.data != nil)
        let nested = EnvelopeDescription(success: .withoutError, data: "result.data", error: "result.error")
        let inside = parts(#"{"result":[{"error":{},"data":[1]}]}"#, nested)
        #expect(inside.hasError && inside.data == nil)
        #expect(parts(#"{"result":[[{"error":1}]]}"#, nested).hasError == false)
    }

    /// A value that was read early counts only if the rest of the envelope confirms it.
    @Test func whatComesLaterOverrulesIt() {
        for body in [
            #"{"code":100,"data":[1],"code":101}"#, #"{"code":100,"data":[1],"data":7}"#, #"{"code":100,"data":[1]"#,
        ] {
            if case .success = read(Self.live, 200, body).reading { Issue.record("\(body)") }
        }
        #expect(numbers(Self.errors, 200, #"{"data":[1],"error":{}}"#) == nil)
        let table: DecisionTable = [.error("late", applied: .maybe, status: 200)]
        guard case .failure(.declared) = read(Self.live, 200, #"{"code":100,"data":[1]}"#, table: table).reading else {
            Issue.record("not declared")
            return
        }
    }

    /// An envelope's parts may have any order, repetition and content. Reading during the pass and reading afterwards have the
    /// same result, the same values and the same faults.
    @Test func readingOnTheWayChangesNothing() {
        var seed = UInt64.random(in: 1...UInt64.max)
        let first = seed
        func next(_ bound: Int) -> Int {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(seed >> 33) % bound
        }
        let members = [
            #""code":100"#, #""code":"100""#, #""code":7"#, #""code":null"#, #""msg":"a""#, #""error":null"#,
            #""error":{"b":[1]}"#,
            #""data":[1,2]"#, #""data":[3,"x",{}]"#, #""data":{"list":[4]}"#, #""data":{"list":7,"more":[]}"#,
            #""data":{}"#, #""data":null"#,
            #""items":[5]"#, #""other":{"data":[6]}"#, #""data":[1,"#,
        ]
        func ending(_ reading: Reading) -> String {
            switch reading {
            case .success(let reply):
                "success \(reply.value) \(reply.message ?? "") \(reply.skipped) \(reply.skippedCount)"
            case .failure(.builtIn(let kind, let fault)): "\(kind) \(fault.map { "\($0) \($0.excerpt)" } ?? "")"
            case .failure(.declared(let row, _)): "declared \(row.verdict)"
            }
        }
        var successes = 0
        for _ in 0..<4_000 {
            let body = "{" + (0..<next(6)).map { _ in members[next(members.count)] }.joined(separator: ",") + "}"
            for envelope in [Self.live, Self.elsewhere, Self.errors, Self.both] {
                let early = ending(read(envelope, 200, body).reading)
                let late = ending(read(envelope, 200, body, isEager: false).reading)
                #expect(early == late, "seed \(first): \(body)")
                if early.hasPrefix("success") { successes += 1 }
            }
        }
        #expect(successes > 500)
    }

    static let failures: [(Int, String, CommandFault.Kind)] = [
        (200, #"{"code":101,"msg":"no"}"#, .rejected), (200, #"{}"#, .malformed),
        (200, #"{"code":{"a":1}}"#, .malformed), (200, "[]", .malformed),
        (200, #"{"code":100}"#, .malformed), (200, #"{"code":100,"data":null}"#, .malformed),
        (200, #"{"code":100,"data":{"list":null}}"#, .malformed),
        (200, #"{"code":100,"data":{}}"#, .malformed), (200, #"{"code":100,"data":[1"#, .malformed),
        (404, #"{"code":100,"data":[1]}"#, .rejected), (500, #"{"code":100,"data":[1]}"#, .serverFault),
    ]

    @Test(arguments: failures)
    func otherAnswersAreFailures(status: Int, body: String, kind: CommandFault.Kind) {
        guard case .failure(.builtIn(let found, _)) = read(Self.live, status, body).reading else {
            Issue.record("no failure")
            return
        }
        #expect(found == kind)
    }

    /// 204 has no body: the payload is missing, with or without an envelope around it.
    @Test(arguments: [Self.message, .none, EnvelopeDescription(success: .withoutError, data: "data", error: "error")])
    func anEmptyBodyIsAMissingPayload(envelope: EnvelopeDescription) throws {
        let endpoint = EndpointDescription(
            Shop.service, "number", .get, effect: .read, envelope: envelope)
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
            table: [.error("tooMany", applied: .never, code: "7")])
        var account = AttemptSummary(service: "Shop", endpoint: "numbers", method: .get)
        let answer = TransportResponse.json(200, #"{"code":7,"data":{"limit":5,"list":[1]}}"#)
        let error = #expect(throws: ClassifiedError.self) {
            try Classifier.read(answer, endpoint, ResponseRedactor(nil), &account, with: Numbers())
        }
        guard case .declared(_, let payload?)? = error else {
            Issue.record("not declared")
            return
        }
        let keys = JSONKeys(["limit"])
        let data = try payload.scan { reader -> Int? in
            var limit = 0
            var fields = reader.beginObject()
            while reader.nextField(keys, &fields) == 0 { limit = reader.readInt() }
            return reader.isFaulted ? nil : limit
        }
        #expect(data.value == 5)
    }

    @Test func codeAndErrorCanBothBeAskedFor() {
        #expect(numbers(Self.both, 200, #"{"code":100,"error":null,"data":[1]}"#) == [1])
        #expect(numbers(Self.both, 200, #"{"code":100,"error":{},"data":[1]}"#) == nil)
    }

    @Test func withoutDataTheBodyIsThePayload() {
        #expect(numbers(Self.message, 200, "[1]") == [1])
        #expect(numbers(.none, 200, "[1]") == [1])
    }

    @Test func messagesAndSkippedElementsAreReported() throws {
        let reply = try read(Self.live, 200, #"{"code":"100","msg":["a","b"],"data":[1,"x",3]}"#).reading.get()
        #expect(reply.message == "a\nb")
        #expect(reply.code == "100")
        #expect(reply.skipped.map(\.path) == ["$.data[1]"])
    }

    @Test func rowsCanLookIntoTheBody() {
        let table: DecisionTable = [
            .error("late", applied: .never, values: [.text("late", at: "error.kind")]),
            .error("listed", applied: .never, values: [.text("true", at: "list.1")]),
        ]
        for (body, wanted) in [(#"{"error":{"kind":"late"}}"#, "late"), (#"{"list":[0,true]}"#, "listed")] {
            guard case .failure(.declared(let row, _)) = read(.none, 200, body, table: table).reading else {
                Issue.record("not declared")
                continue
            }
            #expect(row.verdict == (wanted == "late" ? .error("late") : .error("listed")))
        }
        for body in ["", "{", "[]", #"{"error":"late"}"#] {
            if case .failure(.declared) = read(.none, 200, body, table: table).reading { Issue.record("\(body)") }
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
            service, "x", .get, effect: .read)
        var account = AttemptSummary(service: "Shop", endpoint: "x", method: .get)
        account.evidence = .responded
        account.status = 500
        let failure = FailedAttempt(.builtIn(.serverFault, nil), endpoint, account)
        #expect(failure.category == .retryable)
        #expect(failure.retry?.attempts == 2)
        #expect(failure.context(account).message == "Again.")
    }
}
