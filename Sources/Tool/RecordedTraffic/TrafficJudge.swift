import ContractChecks
import ContractModel
import Diagnostics
import JSONTree
import MockServer

/// Judges recorded traffic by contracts.
///
///     bytes ─ RecordingReader ─▶ RecordedEntry ─ ServiceTraffic ─▶ endpoint ─ RequestCheck, ResponseReading ─▶ TrafficReport
///
/// Architecture invariant: no value of a recording is in a finding. Findings have statuses, kinds of values, names that the contract has, and
/// other names only if they look like names (`RecordedName`). What is remembered of a recording does not grow with it.
package struct TrafficJudge {
    private var services: [ServiceTraffic]
    private var findings = TrafficFindings()
    private var counts = TrafficCounts()
    private var isUnreadable = false
    private var noRecordings: [Diagnostic] = []
    /// The targets of redirects whose responses belong to an endpoint, the oldest first.
    private var redirects: [Redirect] = []
    /// Some hosts of entries that are for no contract.
    private var hosts: [String] = []

    private struct Redirect {
        let target: RecordedURL
        /// A client keeps the method.
        let method: String
        let service: Int
        let endpoint: Int
    }

    private static let mostRedirects = 256
    private static let mostHosts = 5

    package init(_ contracts: [ResolvedContract], at addresses: [RecordedAddress] = []) {
        services = contracts.map { ServiceTraffic($0, at: addresses) }
    }

    /// Judges the entries that end in a chunk of a recording. False if the rest cannot be read.
    @discardableResult
    package mutating func read(
        _ chunk: UnsafeRawBufferPointer, of file: String, with reader: inout RecordingReader
    ) -> Bool {
        reader.read(chunk) { item in
            counts.entries += 1
            let place = TrafficFindings.Place(file: file, index: item.index, place: item.place)
            switch item.entry {
            case .success(let entry): judge(entry, place)
            case .failure(let fault):
                if let text = fault.url, isForOthers(text) { return }
                counts.unreadable += 1
                findings.add(
                    .unreadableEntry, "an entry cannot be judged: \(fault.message)", at: place,
                    help: "record it again, or remove it")
            }
        }
        return reader.canGoOn
    }

    /// Notes the end of a recording.
    package mutating func end(_ file: String, _ reader: RecordingReader) {
        let message: String
        var place = reader.place
        let end = reader.end()
        isUnreadable = isUnreadable || end != .complete
        redirects = []
        switch end {
        case .complete: return
        case .withoutList: message = "this is not a recording: it has no list `log.entries`"
        case .truncated: message = "the recording ends before its last bracket"
        case .failure(let failure): (message, place) = ("this is not JSON: \(failure.message)", failure.place)
        }
        let range = TrafficFindings.Place(file: file, index: 0, place: place).range
        let finding = Diagnostic(
            rule: .unreadableRecording, message: message, at: range,
            help: "export the recording as HAR again; the entries before this place were judged")
        findings.add(finding)
        if reader.entries == 0 { noRecordings.append(finding) }
    }

    /// What was found in all recordings.
    package func report(_ files: [String]) -> TrafficReport {
        var findings = findings
        for service in services {
            if !service.isRecorded {
                // Of a recording that could not be read, this is a consequence.
                if counts.entries > 0 || !isUnreadable { findings.add(withoutRequests(service, files)) }
            } else {
                noteUnseen(service, &findings)
            }
        }
        return TrafficReport(
            findings: findings.all, noRecordings: noRecordings, counts: counts,
            services: services.map { service in
                TrafficReport.Service(
                    name: service.contract.service.value,
                    endpoints: service.contract.endpoints.indices.compactMap { position in
                        service.seen[position].map {
                            TrafficReport.Endpoint(
                                name: service.contract.endpoints[position].name.value, meanings: $0.meanings,
                                others: $0.others)
                        }
                    })
            })
    }

    // MARK: One entry

    private mutating func judge(_ entry: RecordedEntry, _ place: TrafficFindings.Place) {
        guard let url = entry.url else {
            counts.otherHosts += 1
            return
        }
        if entry.isPreflight {
            counts.preflights += 1
            return
        }
        if entry.status == 101 || entry.hasMessages {
            counts.connections += 1
            return
        }
        if let position = redirects.firstIndex(where: { $0.target == url && $0.method == entry.method }) {
            let step = redirects.remove(at: position)
            judgeResponse(entry, step.service, step.endpoint, place)
            return
        }
        var own: Int?
        for position in services.indices {
            switch services[position].match(entry.method, url) {
            case .endpoints(let candidates):
                guard let request = RecordedRequest(entry, of: candidates, in: services[position].contract) else {
                    return
                }
                let verdict = judgeResponse(entry, position, request.endpoint, place)
                return judgeRequest(request, services[position].contract, verdict, place)
            case .none: own = own ?? position
            case .otherHost: break
            }
        }
        guard let own else {
            countOther(url)
            return
        }
        counts.unmatched += 1
        if entry.isPagePart { return }
        services[own].hasUndeclaredRequests = true
        let service = services[own].contract.service.value
        findings.add(
            .undeclaredRequest,
            "\(service) has no endpoint for `\(Self.shown(method: entry.method)) \(services[own].shape(ofPath: url.path))`",
            at: place,
            help: "declare the endpoint; its whole path is `.log.entries[\(place.index)].request.url` of the recording")
    }

    /// Counts an entry that cannot be read, if its URL is none of a service.
    private mutating func isForOthers(_ text: String) -> Bool {
        guard let url = RecordedURL(text) else {
            counts.otherHosts += 1
            return true
        }
        if redirects.contains(where: { $0.target == url }) || services.contains(where: { $0.has(url) }) { return false }
        countOther(url)
        return true
    }

    private mutating func countOther(_ url: RecordedURL) {
        counts.otherHosts += 1
        let host = url.origin.description
        if hosts.count < Self.mostHosts, !hosts.contains(host) { hosts.append(host) }
    }

    /// Whether a response says that its request was right.
    private enum Acceptance {
        case accepted, refused
        case unknown
    }

    @discardableResult
    private mutating func judgeResponse(
        _ entry: RecordedEntry, _ service: Int, _ endpoint: Int, _ place: TrafficFindings.Place
    ) -> Acceptance {
        let reading = services[service].reading(of: endpoint)
        let definition = services[service].contract.endpoints[endpoint]
        if entry.status == 0 {
            counts.withoutResponse += 1
            services[service].note(nil, of: endpoint)
            return .unknown
        }
        // What a HEAD to an endpoint with another method gets is without the body that the contract speaks of.
        if entry.method == "HEAD", definition.method != .head {
            counts.judged += 1
            services[service].note(nil, of: endpoint)
            return .unknown
        }
        // The client's cache has the response that a 304 is about.
        if entry.status == 304, !reading.hasRow(forStatus: 304) {
            counts.cached += 1
            services[service].note(nil, of: endpoint)
            return .unknown
        }
        if [301, 302, 303, 307, 308].contains(entry.status), !reading.isFinal(redirect: entry.status, of: entry.method)
        {
            counts.redirects += 1
            if let target = entry.redirect.flatMap({ entry.url?.target($0) }),
                let method = DecisionTable.method(of: entry.method, redirectedWith: entry.status)
            {
                if redirects.count >= Self.mostRedirects { redirects.removeFirst() }
                redirects.append(Redirect(target: target, method: method, service: service, endpoint: endpoint))
            }
            services[service].note(nil, of: endpoint)
            return .unknown
        }
        counts.judged += 1
        let result = reading.read(entry)
        let name = definition.name
        let meaning: ResponseMeaning
        switch result.meaning {
        case .known(let known): meaning = known
        case .unrecorded(let part):
            services[service].note(nil, of: endpoint)
            findings.add(
                .unrecordedBody, "what `\(name.value)` responds depends on \(part)",
                about: name.value, in: name.range, at: place,
                help: "record with bodies and headers: `mitmdump`, or the browser's export with content")
            return .unknown
        }
        services[service].note(meaning, of: endpoint)
        report(result, meaning, status: entry.status, of: definition, at: place)
        if meaning.kind == .success, definition.cache != nil, let reason = RecordedCaching.reasonAgainst(entry) {
            findings.add(
                .uncacheableResponse, "`\(name.value)` has a cache, and its response \(reason)", about: name.value,
                in: name.range, at: place,
                help: "let the server send `Cache-Control: max-age` or `ETag`, or remove `cache`")
        }
        switch meaning.kind {
        case .success, .outcome: return .accepted
        case .error, .builtIn: return .refused
        }
    }

    private mutating func report(
        _ result: ResponseReading.Result, _ meaning: ResponseMeaning, status: Int, of endpoint: ResolvedEndpoint,
        at place: TrafficFindings.Place
    ) {
        let name = endpoint.name.value
        func add(_ kind: FindingKind, _ message: String, weighing severity: Severity? = nil, help: String) {
            findings.add(
                kind, message, weighing: severity, about: name, in: endpoint.name.range, at: place, help: help)
        }
        let what: String
        switch meaning.kind {
        case .builtIn(let error):
            guard let severity = Self.severity(of: error) else { return }
            let code = result.code.map { Self.shown($0).map { " and the code `\($0)`" } ?? " and a code" } ?? ""
            return add(
                .undeclaredResponse,
                "`\(name)` responds with HTTP \(status)\(code), which the contract does not declare: clients take it for `\(error.rawValue)`",
                weighing: severity,
                help: "declare an error or an outcome with this condition, and list it under the endpoint")
        case .success:
            what = "a success of `\(name)`"
            if let problem = RecordedStatus.problem(status, of: endpoint) {
                add(.undeclaredStatus, problem, help: "correct `status`, or declare an outcome with this status")
            }
            for problem in result.problems {
                add(
                    .undecodablePayload, "clients cannot read \(what): \(problem)",
                    help: "correct the type in the contract, or the response of the server")
            }
        case .outcome(let outcome), .error(let outcome):
            what = "`\(outcome)` of `\(name)`"
            for problem in result.problems {
                add(
                    .undecodablePayload, "clients read \(what) without its data: \(problem)", weighing: .warning,
                    help: "correct the type in the contract, or the response of the server")
            }
        }
        for oddity in result.tolerated {
            add(
                .toleratedValue, "clients read \(what) although it is not what the contract says: \(oddity)",
                help: "declare the value")
        }
        for member in result.undeclared.sorted() {
            add(
                .undeclaredMember, "\(what) has `\(member)`, which the contract does not declare",
                help: "declare the member if clients need it")
        }
    }

    /// How much it weighs that a response has no meaning of its own. Those of the network between client and service need none.
    private static func severity(of error: BuiltInError) -> Severity? {
        switch error {
        case .rejected, .malformed: .error
        case .serverFault: .note
        default: nil
        }
    }

    /// A method of HTTP (RFC 9110, section 9.1, RFC 5789 and RFC 10008). Another one is a text that anyone chose.
    private static func shown(method: String) -> String {
        let known = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "QUERY", "OPTIONS", "TRACE", "CONNECT"]
        return known.contains(method) ? method : RecordedName.hidden
    }

    /// The code of an envelope, which is a name or a short number. What else is in its place is not shown.
    private static func shown(_ code: String) -> String? {
        let isNumber = (1...8).contains(code.utf8.count) && code.utf8.allSatisfy { (0x30...0x39).contains($0) }
        return isNumber || RecordedName.looksChosen(code) ? code : nil
    }

    private mutating func judgeRequest(
        _ request: RecordedRequest, _ contract: ResolvedContract, _ acceptance: Acceptance,
        _ place: TrafficFindings.Place
    ) {
        let check = request.check
        let endpoint = contract.endpoints[request.endpoint]
        let name = endpoint.name
        for problem in check.problems {
            // A request that the server refuses may be wrong on purpose.
            let result =
                switch acceptance {
                case .accepted: ", and the server accepts it"
                case .refused: ", and the server refuses it"
                case .unknown: ""
                }
            findings.add(
                .unfitRequest, "a request of `\(name.value)` does not fit the contract\(result): \(problem)",
                weighing: acceptance == .accepted ? .error : .note, about: name.value, in: name.range, at: place,
                help: "correct the contract, or the client that was recorded")
        }
        for oddity in check.oddities {
            findings.add(
                .toleratedValue, "a request of `\(name.value)` is not what the contract says: \(oddity)",
                about: name.value, in: name.range, at: place, help: "declare the value")
        }
        for member in check.undeclared.sorted() {
            findings.add(
                .undeclaredMember,
                "a request of `\(name.value)` has `\(member)`, which the contract does not declare",
                about: name.value, in: name.range, at: place, help: "declare the parameter if the server reads it")
        }
    }

    // MARK: What was not seen

    private func withoutRequests(_ service: ServiceTraffic, _ files: [String]) -> Diagnostic {
        let name = service.contract.service
        if service.contract.connection != nil {
            return Diagnostic(
                rule: .unrecordedService, severity: .note,
                message: "\(name.value) has a connection, and what is sent over it is not judged", at: name.range)
        }
        let what = files.count == 1 ? "the recording has" : "the recordings have"
        // Of several contracts, a recording may be about one.
        guard !services.contains(where: \.isRecorded) else {
            return Diagnostic(
                rule: .unrecordedService, severity: .note, message: "\(what) no request of \(name.value)",
                at: name.range)
        }
        let others = hosts.isEmpty ? "" : "; it has \(hosts.map { "`\($0)`" }.joined(separator: ", "))"
        return Diagnostic(
            rule: .unrecordedService, message: "\(what) no request of \(name.value)\(others)", at: name.range,
            help: "name the address at which it was recorded: `--server https://host/path`")
    }

    private func noteUnseen(_ service: ServiceTraffic, _ findings: inout TrafficFindings) {
        let contract = service.contract
        func add(_ what: String, _ range: SourceRange) {
            findings.add(
                Diagnostic(
                    rule: .unseenDeclaration, message: "\(what) is declared and is not in the recording", at: range,
                    help: "record it, or remove it if the service does not have it"))
        }
        var possible: Set<String> = []
        for (position, endpoint) in contract.endpoints.enumerated() {
            guard service.seen[position] != nil else {
                // A path that is the whole URL belongs to any address, and frames are not judged.
                if case .path? = endpoint.path { add("`\(endpoint.name.value)`", endpoint.name.range) }
                continue
            }
            possible.formUnion(endpoint.errors)
            for outcome in endpoint.outcomes where outcome.conditions.contains(where: \.isAboutResponse) {
                guard service.outcomes[position]?.contains(outcome.name.value) != true else { continue }
                add("the outcome `\(outcome.name.value)` of `\(endpoint.name.value)`", outcome.name.range)
            }
        }
        for error in contract.errors where possible.contains(error.name.value) {
            guard !service.errors.contains(error.name.value), error.conditions.contains(where: \.isAboutResponse) else {
                continue
            }
            add("the error `\(error.name.value)`", error.name.range)
        }
    }
}

extension Condition {
    /// Whether a response can fulfill it. Failures of the transport and ends of connections are not in a recording.
    fileprivate var isAboutResponse: Bool { transport.isEmpty && close.isEmpty }
}
