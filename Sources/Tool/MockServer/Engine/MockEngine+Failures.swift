import ContractModel
import JSONTree

/// The failures of one request.
struct FailurePlan {
    /// What the request meets; nil if it is handled as usual.
    var failure: MockFailure?
    var delivery = MockReply.Delivery()
    var expiresSessions = false
    /// Whether a failure is stored for the idempotency key.
    var storesFailure = false
    /// The header with the failures has a mistake.
    var problem: String?
}

extension MockEngine {
    /// The longest text of a failure in a header.
    static let longestFailure = 100

    /// The failures that header, switches, rules and chance choose for a request.
    mutating func failurePlan(_ call: inout Call) -> FailurePlan {
        var plan = delayedPlan()
        let names = FailureNames(contract)
        let name = call.endpoint.name.value
        if let number = call.connection {
            // The header of the handshake is about all requests of the connection that have the failure.
            for rule in connections[number]?.rules ?? [] where rule.endpoint == nil || rule.endpoint == name {
                if let failure = names.failure(rule.failure, at: call.endpoint) { add(failure, to: &plan) }
            }
        }
        for text in call.connection == nil ? Self.askedFailures(call.request) : [] {
            guard let failure = names.failure(text, at: call.endpoint) else {
                let rule = FailureRule(endpoint: call.endpoint.name.value, failure: text)
                let problem = names.problem(of: rule)
                plan.problem =
                    "the header `\(Self.failureHeader)`: \(problem?.message ?? text) (\(problem?.help ?? ""))"
                continue
            }
            add(failure, to: &plan)
        }
        addConfigured(to: &plan, of: name, isChosenByAll: true) { names.failure($0, at: call.endpoint) }
        if plan.failure == nil, settings.errorRate > 0, chance.happens(settings.errorRate) {
            plan.failure = .builtIn(.unavailable)
        }
        return plan
    }

    /// The failures that the header of a request asks for, without blanks.
    static func askedFailures(_ request: MockRequest) -> [String] {
        // Several lines of a header are one list (RFC 9110, section 5.3).
        let lines = request.headers.filter { $0.name.lowercased() == Self.failureHeader.lowercased() }
        return lines.flatMap { $0.value.split(separator: ",") }.prefix(20).map {
            String(FailureNames.withoutBlanks(String($0)).prefix(Self.longestFailure))
        }
    }

    /// The failures of the handshake of a connection. They are played only if they name it.
    mutating func handshakePlan(_ asked: [FailureRule]) -> FailurePlan {
        var plan = delayedPlan()
        let names = FailureNames(contract)
        for rule in asked where rule.endpoint == FailureNames.handshake {
            if let failure = names.failureOfHandshake(rule.failure) { add(failure, to: &plan) }
        }
        addConfigured(to: &plan, of: FailureNames.handshake, isChosenByAll: false) { names.failureOfHandshake($0) }
        return plan
    }

    private mutating func delayedPlan() -> FailurePlan {
        var plan = FailurePlan()
        let (low, high) = (settings.latency.lowerBound, settings.latency.upperBound)
        plan.delivery.delay = low == high ? low : low + (high - low) * Double.random(in: 0...1, using: &chance)
        return plan
    }

    /// Adds what the page, the command line and the scenario have chosen.
    ///
    /// - Parameter isChosenByAll: whether a rule for all endpoints is about it.
    private mutating func addConfigured(
        to plan: inout FailurePlan, of name: String, isChosenByAll: Bool, _ failure: (String) -> MockFailure?
    ) {
        if let failure = settings.switches[name].flatMap(failure) { add(failure, to: &plan) }
        for (position, rule) in settings.rules.enumerated() {
            guard rule.endpoint.map({ $0 == name }) ?? isChosenByAll, let failure = failure(rule.failure),
                plan.failure == nil || failure.isModifier
            else { continue }
            if applies(rule, position) { add(failure, to: &plan) }
        }
    }

    private mutating func applies(_ rule: FailureRule, _ position: Int) -> Bool {
        var (requests, failures) = met[position] ?? (0, 0)
        defer { met[position] = (requests, failures) }
        requests += 1
        guard requests > rule.after, rule.times.map({ failures < $0 }) ?? true else { return false }
        guard rule.rate >= 1 || chance.happens(rule.rate) else { return false }
        failures += 1
        return true
    }

    private func add(_ failure: MockFailure, to plan: inout FailurePlan) {
        switch failure {
        case .wire(.slow(let pause)): plan.delivery.delay += pause
        case .wire(.trickle(let count)): plan.delivery.bytesPerSecond = count
        case .wire(.expired): plan.expiresSessions = true
        case .wire(.stored): plan.storesFailure = true
        default:
            guard plan.failure == nil else { return }
            plan.failure = failure
            switch failure {
            case .wire(.cutBefore), .wire(.cutAfter): plan.delivery.cut = .beforeResponse
            case .wire(.cutInside): plan.delivery.cut = .insideBody
            case .wire(.hang): plan.delivery.hangs = true
            default: break
            }
        }
    }

    // MARK: Responses

    /// The response of a failure that the dial has chosen. Nil if the request is handled as usual.
    mutating func refusal(_ failure: MockFailure?, _ call: Call) -> Handled? {
        switch failure {
        case nil, .wire(.cutAfter), .wire(.unavailableAfter), .wire(.cutInside), .wire(.hang), .wire(.slow),
            .wire(.trickle), .wire(.expired), .wire(.stored),
            .wire(.twice), .wire(.unknownID), .wire(.notJSON):
            return nil
        case .wire(.close(let code)):
            return Handled(response: MockResponse(status: 503), result: .wire, name: "close=\(code)", close: code)
        case .wire(.cutBefore): return Handled(response: MockResponse(status: 503), result: .wire, name: "cut-before")
        case .declared(let verdict):
            guard let response = declared(verdict, call) else { return closing(verdict, call) }
            if case .outcome = verdict {
                let handled = Handled(response: response, result: .outcome, name: verdict.name)
                note(handled, of: call)
                return handled
            }
            return Handled(response: response, result: .failure, name: verdict.name)
        case .builtIn(let error): return Handled(response: builtIn(error, call), result: .failure, name: error.rawValue)
        }
    }

    /// The close code with which a client gets an error of the contract. Nil if none says it.
    private func closing(_ verdict: Verdict, _ call: Call) -> Handled? {
        guard call.connection != nil else { return nil }
        let table = call.endpoint.table.table
        let codes = table.rows.filter { $0.verdict == verdict }.flatMap { $0.close?.ranges ?? [] }.map(\.lowerBound)
        let code = codes.lazy.compactMap { UInt16(exactly: $0) }.first {
            table.row(close: CloseCode(rawValue: $0))?.verdict == verdict
        }
        return code.map {
            Handled(response: MockResponse(status: 503), result: .failure, name: verdict.name, close: $0)
        }
    }

    /// The response with which a client gets an error or an outcome of the contract.
    ///
    /// - Parameter preferred: the status, if the contract leaves it open.
    func declared(_ verdict: Verdict, _ call: Call, preferred: Int? = nil) -> MockResponse? {
        // A frame has no status, so that each reply counts as 200.
        let preferred = call.connection == nil ? preferred : 200
        let maker = PayloadMaker(contract: contract, seed: settings.seed)
        switch verdict {
        case .error(let name):
            let error =
                contract.error(named: name.description)
                ?? contract.redeclared.first { $0.name.value == name.description }
            let data = maker.data(error?.data, named: name.description, of: call.endpoint)
            return call.composer.refusal(
                verdict, message: error.flatMap { maker.message(of: $0, data) }, data: data, preferred: preferred)
        case .outcome(let name):
            let outcome = call.endpoint.outcomes.first { $0.name.value == name.description }
            let data = maker.data(outcome?.data, named: name.description, of: call.endpoint)
            return call.composer.refusal(verdict, message: "", data: data)
        }
    }

    /// The response with which a client gets a built-in error. If the contract has a meaning for each of its statuses, the first
    /// of them, and the client gets the contract's error.
    func builtIn(_ error: BuiltInError, _ call: Call) -> MockResponse {
        let statuses: [Int] =
            switch error {
            case .throttled, .requestTimeout, .unauthenticated: [MockFailure.status(of: error)]
            case .unavailable: [503, 502, 504]
            case .serverFault: [500, 501] + Array(505...599)
            default: [400, 403, 405, 406, 410, 412, 415, 417, 418, 421, 423, 424]
            }
        if error == .malformed {
            let headers = [ResponseComposer.jsonType]
            return MockResponse(status: 200, headers: headers, body: Array("{\"malformed\": tru".utf8))
        }
        var response =
            call.composer.undeclared(statuses, message: error.message)
            ?? call.composer.verdict(ofUnexplained: statuses[0]).flatMap { verdict in
                declared(verdict, call).flatMap { statuses.contains($0.status) ? $0 : nil }
            } ?? call.composer.unexplained(statuses[0], message: error.message)
        if error == .throttled { response.headers.append(("Retry-After", "1")) }
        return response
    }

    /// The first error of the endpoint for which a condition holds and that a response can say, with the endpoint's own errors first.
    func firstError(
        _ call: Call, preferred: Int? = nil, where holds: (ErrorDefinition) -> Bool
    ) -> (name: String, response: MockResponse)? {
        let own = call.endpoint.definition.errors.map(\.value)
        let names = own + call.endpoint.errors.filter { !own.contains($0) }
        for name in names {
            guard let error = contract.error(named: name), holds(error),
                let response = declared(.error(DeclaredName(name)), call, preferred: preferred)
            else { continue }
            return (name, response)
        }
        return nil
    }
}

extension ErrorDefinition {
    /// Whether the name has one of these words.
    func isNamed(_ words: String...) -> Bool {
        let name = name.value.lowercased()
        return words.contains { name.contains($0) }
    }

    /// Whether one of its conditions names one of these statuses, and nothing but them.
    func hasStatus(_ statuses: Int...) -> Bool {
        conditions.contains { condition in
            condition.statuses.contains { range in statuses.contains { range.value == $0...$0 } }
        }
    }
}
