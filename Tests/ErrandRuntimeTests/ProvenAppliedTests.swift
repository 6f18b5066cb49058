import BankClient
import ErrandTesting
import Testing

@testable import ErrandRuntime

/// What a failure says of `applied` is true: a gateway may respond with 503 after it has passed a request on, and may deliver a DELETE
/// or a PUT twice.
@Suite struct ProvenAppliedTests {
    private static let own = ErrorDescription("own", .nonRetryable)
    private static let inherited = ErrorDescription("inherited", .nonRetryable, shared: true)

    private static func endpoint(
        _ method: HTTPMethod, _ effect: Effect, redeclared: [ErrorDescription] = [], _ table: DecisionTable = []
    ) -> EndpointDescription {
        EndpointDescription(
            ServiceDescription(name: "Depot", version: "1", errors: [own, inherited], redeclared: redeclared), "ask",
            method,
            effect: effect, envelope: EnvelopeDescription(success: .status, code: "code"), response: .none, table: table
        )
    }

    /// What the failure by a response says.
    ///
    /// - Parameter isAfterOpenAttempt: whether an attempt before it may have been carried out.
    private static func applied(
        _ status: Int, _ body: String = "", at endpoint: EndpointDescription, isAfterOpenAttempt: Bool = false
    ) -> Applied {
        var summary = AttemptSummary(service: "Depot", endpoint: "ask", method: endpoint.method)
        summary.mayHaveBeenApplied = isAfterOpenAttempt
        do throws(ClassifiedError) {
            _ = try Classifier.classify(.json(status, body), endpoint, ResponseRedactor(nil), &summary)
            Issue.record("\(status) is a success")
            return .yes
        } catch {
            return FailedAttempt(error, endpoint, summary).context(summary).applied
        }
    }

    private static let writes: [(HTTPMethod, Effect)] = [
        (.put, .idempotent), (.delete, .idempotent), (.post, .idempotent), (.post, .keyed), (.post, .once),
        (.patch, .once),
        (.delete, .once), (.put, .keyed),
    ]

    @Test(arguments: [408, 502, 503, 504]) func whatAGatewayMayHavePassedOnIsOpen(status: Int) {
        for (method, effect) in Self.writes {
            let declared: DecisionTable = [.error("own", isEndpointSpecific: true, status: [.range(400...599)])]
            #expect(Self.applied(status, at: Self.endpoint(method, effect)) == .maybe, "\(method) \(effect)")
            #expect(Self.applied(status, at: Self.endpoint(method, effect, declared)) == .maybe, "\(method) \(effect)")
            let never: DecisionTable = [.error("own", applied: .never, status: [.range(400...599)])]
            #expect(Self.applied(status, at: Self.endpoint(method, effect, never)) == .never)
            let kind = status == 408 ? "requestTimeout" : "unavailable"
            let redeclared = [ErrorDescription(DeclaredName(kind), .retryable, applied: .never)]
            #expect(Self.applied(status, at: Self.endpoint(method, effect, redeclared: redeclared)) == .never)
            // A word of the service itself.
            let coded: DecisionTable = [.error("own", status: .init(integerLiteral: status), code: "busy")]
            #expect(Self.applied(status, #"{"code": "busy"}"#, at: Self.endpoint(method, effect, coded)) == .never)
        }
        #expect(Self.applied(status, at: Self.endpoint(.get, .read)) == .never)
    }

    @Test func theStatusesOfAnEchoAreOpen() {
        let statuses = [400, 401, 403, 404, 405, 409, 410, 412, 422, 429]
        let echoes: [HTTPMethod: [Int]] = [.delete: [404, 410, 412], .put: [405, 409, 412]]
        for (method, effect) in Self.writes {
            let own = effect == .keyed ? [] : echoes[method] ?? []
            for status in statuses {
                let wanted: Applied = own.contains(status) ? .maybe : .never
                let place: Comment = "\(status) of \(method) \(effect)"
                #expect(Self.applied(status, at: Self.endpoint(method, effect)) == wanted, place)
                for row in [
                    DecisionRow.error("own", isEndpointSpecific: true, status: [.range(400...499)]),
                    .error("own", status: [.range(400...499)], code: "gone"), .error("own", code: "gone"),
                    .error("own", status: [.range(400...499)], values: [.text("gone", at: "code")]),
                ] {
                    let endpoint = Self.endpoint(method, effect, [row])
                    #expect(Self.applied(status, #"{"code": "gone"}"#, at: endpoint) == wanted, place)
                }
                let declared: DecisionTable = [.error("own", applied: .never, status: [.range(400...499)])]
                #expect(Self.applied(status, at: Self.endpoint(method, effect, declared)) == .never, place)
            }
        }
    }

    /// A refusal of the last attempt does not say that the earlier ones were refused. The endpoint's own final error does.
    @Test(arguments: Effect.allCases) func aRefusalAfterAnOpenAttemptSaysNothingOfIt(effect: Effect) {
        let table: DecisionTable = [
            .error("own", isEndpointSpecific: true, status: 422), .error("inherited", status: 423),
        ]
        let endpoint = Self.endpoint(effect == .read ? .get : .post, effect, table)
        let open: Applied = effect == .read ? .never : .maybe
        for (status, later) in [(400, open), (401, open), (429, open), (423, open), (422, .never)] {
            #expect(Self.applied(status, at: endpoint) == .never, "\(status)")
            #expect(Self.applied(status, at: endpoint, isAfterOpenAttempt: true) == later, "\(status)")
        }
    }

    /// A server that refuses the connection says nothing of an attempt before, also where the endpoint calls that final.
    @Test func aFaultAfterAnOpenAttemptSaysNothingOfIt() {
        let endpoint = Self.endpoint(
            .put, .idempotent, [.error("own", isEndpointSpecific: true, transport: [.refused])])
        for isAfterOpenAttempt in [false, true] {
            var summary = AttemptSummary(service: "Depot", endpoint: "ask", method: .put)
            summary.mayHaveBeenApplied = isAfterOpenAttempt
            let fault = TransportFault(.refused, evidence: .notSent)
            let failure = FailedAttempt(
                Classifier.classify(fault: fault, endpoint, &summary), endpoint, summary)
            #expect(failure.name == "own")
            #expect(failure.context(summary).applied == (isAfterOpenAttempt ? .maybe : .never))
        }
    }
}
