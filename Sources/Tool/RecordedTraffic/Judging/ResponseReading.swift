import ContractChecks
import ContractModel
import JSONTree
import MockServer

/// Reads the responses of one endpoint as its client does: by its table, and then the payload by its types.
struct ResponseReading {
    /// What a response is to the client.
    struct Result {
        enum Meaning {
            case known(ResponseMeaning)
            /// It depends on a part that the recording does not have.
            case unrecorded(String)
        }

        var meaning: Meaning
        /// The code in the envelope.
        var code: String?
        /// What a client cannot read.
        var problems: [String] = []
        /// What it reads although it is not what the contract says.
        var tolerated: [String] = []
        /// The places of members that the contract does not declare.
        var undeclared: Set<String> = []
    }

    private let contract: ResolvedContract
    private let endpoint: ResolvedEndpoint
    private let classifier: ResponseClassifier
    /// The values of a body that the table asks for.
    private let paths: Set<FieldPath>
    /// The members at the root of a body that belong to the envelope or to a condition.
    private let rootNames: Set<String>
    /// Whether the meaning of a response can depend on its body.
    private let needsBody: Bool
    /// The headers that the table asks for, by names in lowercase.
    private let headerNames: Set<String>

    /// A value takes many times its bytes. A body with more values is not read.
    private static let mostValues = 500_000

    init(_ endpoint: ResolvedEndpoint, in contract: ResolvedContract) {
        self.contract = contract
        self.endpoint = endpoint
        classifier = ResponseClassifier(endpoint, contract)
        let envelope = classifier.envelope
        let values = endpoint.table.rows.flatMap(\.row.values)
        var paths = Set(values.compactMap(\.keys).map(FieldPath.init))
        let own = [envelope?.code, envelope?.error, envelope?.message, envelope?.data, envelope?.list].compactMap {
            $0?.value
        }
        rootNames = Set((paths + own).compactMap(\.keys.first))
        if let code = envelope?.code?.value { paths.insert(code) }
        self.paths = paths
        needsBody =
            envelope?.code != nil || envelope?.error != nil
            || endpoint.table.rows.contains { !$0.condition.needsNoBody }
        headerNames = Set(values.compactMap(\.place.header))
    }

    /// Whether a redirect with this status is the response, and not a step to it.
    func isFinal(redirect status: Int, of method: String) -> Bool {
        endpoint.definition.settings.redirects == 0
            || DecisionTable.method(of: method, redirectedWith: status) == nil
            || endpoint.table.table.finalRedirects.contains(status)
    }

    /// Whether some row names this status.
    func hasRow(forStatus status: Int) -> Bool {
        endpoint.table.rows.contains { $0.condition.statuses.contains { $0.value.contains(status) } }
    }

    func read(_ entry: RecordedEntry) -> Result {
        if let name = unknownHeader(of: entry) {
            return Result(meaning: .unrecorded("the header `\(name)`, which the recording hides"))
        }
        var bytes: [UInt8] = []
        switch entry.responseBody {
        case .none, .pairs: break
        case .recorded(let recorded): bytes = recorded
        case .unrecorded: return withoutBody(entry)
        }
        // The tool does not translate XML, and knows of such a response what its status says.
        if endpoint.isXMLResponse, !bytes.isEmpty { return withoutBody(entry) }
        let body: JSONNode?
        do {
            body = bytes.isEmpty ? nil : try JSONParser.parse(bytes, atMost: Self.mostValues)
        } catch {
            if entry.isResponseCut || error.isTooLarge { return withoutBody(entry) }
            body = nil
            var sample = head(of: entry)
            sample.plainText = TextPattern.compared(bytes)
            var result = Result(meaning: .known(classifier.meaning(of: sample)))
            if isSuccess(result), readsJSON(entry) {
                result.problems = ["the body is not JSON: \(error.message)"]
            }
            return result
        }
        let sample = sample(entry, body)
        var result = Result(meaning: .known(classifier.meaning(of: sample)), code: sample.code)
        readPayload(body, of: entry, &result)
        return result
    }

    /// What the status alone says, if nothing else matters.
    private func withoutBody(_ entry: RecordedEntry) -> Result {
        if needsBody { return Result(meaning: .unrecorded("a body that was not recorded")) }
        return Result(meaning: .known(classifier.meaning(of: head(of: entry))))
    }

    /// The status, and the headers that the table asks for.
    private func head(of entry: RecordedEntry) -> SampleResponse {
        var sample = SampleResponse(status: entry.status)
        for name in headerNames {
            let values = entry.responseHeaders.filter { $0.name.lowercased() == name }.map(\.value)
            if !values.isEmpty { sample.headers[name] = values.joined(separator: ", ") }
        }
        return sample
    }

    /// A header that a row for this status asks for, and that the recording does not show: its value is hidden, or it is a cookie, which
    /// browsers leave out. It is unknown then, and not absent.
    private func unknownHeader(of entry: RecordedEntry) -> String? {
        let asked = endpoint.table.rows.filter { $0.row.statuses?.contains(entry.status) ?? true }.flatMap(\.row.values)
        return asked.lazy.compactMap(\.place.header).first { name in
            entry.responseHeader(name).map(Self.isHidden) ?? (name == "set-cookie")
        }
    }

    /// Whether a tool has put a mark in the place of a value: `•••`, `***`, `[REDACTED]` or `<filtered>`.
    private static func isHidden(_ value: String) -> Bool {
        let word = value.lowercased().filter(\.isLetter)
        return ["redacted", "filtered", "masked"].contains(word)
            || value.count > 2 && value.allSatisfy { "•*".contains($0) }
    }

    private func isSuccess(_ result: Result) -> Bool {
        if case .known(let meaning) = result.meaning { meaning.kind == .success } else { false }
    }

    private func readsJSON(_ entry: RecordedEntry) -> Bool {
        guard entry.method != "HEAD", endpoint.delivery == .reply else { return false }
        switch endpoint.response.value {
        case .none, .bytes: return false
        case .type, .fields: return true
        }
    }

    /// The parts of a body that the table asks for.
    private func sample(_ entry: RecordedEntry, _ body: JSONNode?) -> SampleResponse {
        var sample = head(of: entry)
        guard let body else { return sample }
        for path in paths { sample.body[path] = body.value(at: path.keys[...])?.scalarText }
        if let code = classifier.envelope?.code?.value { sample.code = sample.body.removeValue(forKey: code) }
        // An error is there if it is neither null nor an empty list.
        if let error = classifier.envelope?.error?.value, let value = body.value(at: error.keys[...]) {
            if value != .null, value != .array([]), sample.body[error] == nil {
                sample.body[error] = value.scalarText ?? ""
            }
        }
        return sample
    }

    // MARK: Payloads

    private func readPayload(_ body: JSONNode?, of entry: RecordedEntry, _ result: inout Result) {
        guard case .known(let meaning) = result.meaning else { return }
        var check = ValueCheck(contract, .recordedResponse)
        switch meaning.kind {
        case .success:
            if readsJSON(entry) { readResponse(body, &check) }
            readHeaders(of: entry, &check)
        case .outcome(let name):
            read(endpoint.outcomes.first { $0.name.value == name }?.data, body, &check)
        case .error(let name): read(contract.error(named: name)?.data, body, &check)
        case .builtIn: return
        }
        result.problems = check.problems
        result.tolerated = check.oddities
        let own = Set(rootNames.map { "body.\($0)" })
        result.undeclared = check.undeclared.subtracting(own)
        if classifier.envelope?.data != nil, let members = body?.members {
            let others = members.map(\.name).filter { !rootNames.contains($0) }
            result.undeclared.formUnion(RecordedName.places(of: others, in: "body"))
        }
    }

    private func readResponse(_ body: JSONNode?, _ check: inout ValueCheck) {
        let (payload, place) = payload(in: body, isSuccess: true)
        switch endpoint.response.value {
        case .none, .bytes: return
        case .fields(let fields):
            guard let payload else {
                if fields.contains(where: \.isRequired) { check.report(missing: place) }
                return
            }
            check.check(payload, fields: fields, at: place)
        case .type(let type, let skipsInvalid, let acceptsSingle):
            guard let payload else {
                if !type.isOptional { check.report(missing: place) }
                return
            }
            check.checkRead(
                payload, type: type, acceptsSingle: acceptsSingle, skipsInvalid: skipsInvalid, at: place)
        }
    }

    /// Without its data, an error is recognized all the same.
    private func read(_ data: ErrorData?, _ body: JSONNode?, _ check: inout ValueCheck) {
        let (payload, place) = payload(in: body, isSuccess: false)
        guard let data, let payload else { return }
        switch data {
        case .fields(let fields): check.check(payload, fields: fields, at: place)
        case .type(let type, _): check.checkRead(payload, type: type, at: place)
        }
    }

    private func readHeaders(of entry: RecordedEntry, _ check: inout ValueCheck) {
        for field in endpoint.responseHeaders {
            let name = field.wireName.lowercased()
            let texts = entry.responseHeaders.filter { $0.name.lowercased() == name }.map(\.value)
            if !texts.isEmpty {
                check.checkRead(header: field, texts, at: "headers.\(field.wireName)")
            } else if field.isRequired, name != "set-cookie" {
                // Browsers leave cookies out of a recording.
                check.report(missing: "headers.\(field.wireName)")
            }
        }
    }

    /// The payload of a response, and its place.
    private func payload(in body: JSONNode?, isSuccess: Bool) -> (value: JSONNode?, place: String) {
        var place = "body"
        var value = body
        if let data = classifier.envelope?.data?.value {
            place += "." + data.text
            value = body?.value(at: data.keys[...])
        }
        guard isSuccess, isList, value?.elements == nil, let list = classifier.envelope?.list?.value,
            let inside = body?.value(at: list.keys[...])
        else { return (value, place) }
        return (inside, "body." + list.text)
    }

    private var isList: Bool {
        guard case .type(let type, _, _) = endpoint.response.value else { return false }
        return contract.expanded(type.unwrapped).type.unwrapped.isList
    }
}
