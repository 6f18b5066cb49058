import ContractModel

/// Decides what a request contains of a field that the app leaves out.
///
/// A document's default is what the server takes for an absent value. A client that sends it writes that value with every
/// request: an edit of a description would also publish a private repository. So an optional input has no default in the
/// contract, and its documentation names the default of the server. A field that is only received keeps its default.
/// Constants, and the number of the first page, are sent.
struct SentFields {
    let types: TypePlanner
    let findings: ImportFindings

    /// The requests that contain a field.
    private struct Requests {
        /// Whether one of them replaces or changes something (PUT, PATCH). Such a request has no default for an input that
        /// the document requires, because the app would overwrite a value without saying so.
        var isUpdate = false
        /// Whether null can be sent. A form, a query and a header have no null.
        var haveNull = false
    }

    /// - Parameter numbers: the types of failures.
    func settle(_ plan: inout ContractPlan, beside numbers: [Int]) {
        let (bodies, updates, forms) = reached(from: plan)
        let received = types.reached(from: plan.endpoints.flatMap(\.receivedNumbers) + numbers)
        for entry in types.entries {
            guard case .structure(var fields) = entry.form else { continue }
            let isSent = bodies.contains(entry.number)
            if !received.contains(entry.number) {
                for position in fields.indices { fields[position].keepWrittenForm() }
            }
            let requests = Requests(
                isUpdate: updates.contains(entry.number), haveNull: !forms.contains(entry.number))
            settle(&fields, isSent ? requests : nil)
            entry.form = .structure(fields)
        }
        for position in plan.endpoints.indices { settle(&plan.endpoints[position]) }
    }

    private func settle(_ endpoint: inout PlannedEndpoint) {
        let page = endpoint.pages?.style.firstPage
        for position in endpoint.query.indices where endpoint.query[position].wire != page {
            settle(&endpoint.query[position], Requests())
        }
        settle(&endpoint.headers, Requests())
        settle(&endpoint.cookies, Requests())
        settle(&endpoint.responseHeaders, nil)
        if case .fields(var fields)? = endpoint.body?.content {
            for position in fields.indices { fields[position].keepWrittenForm() }
            settle(&fields, Requests(isUpdate: endpoint.isUpdate, haveNull: endpoint.body?.encoding == .json))
            endpoint.body?.content = .fields(fields)
        }
        if case .content(.fields(var fields)) = endpoint.response {
            settle(&fields, nil)
            endpoint.response = .content(.fields(fields))
        }
    }

    /// - Parameter requests: the requests that contain the fields; `nil` if only responses do.
    private func settle(_ fields: inout [PlannedField], _ requests: Requests?) {
        for position in fields.indices { settle(&fields[position], requests) }
    }

    private func settle(_ field: inout PlannedField, _ requests: Requests?) {
        if field.isConstant {
            field.isConstantOfUpdate = requests?.isUpdate == true
            return
        }
        guard let requests else { return reportLoss(of: field) }
        if let documented = field.documentedDefault {
            let isKept = field.isRequired && field.defaultValue != nil && !requests.isUpdate
            if !isKept {
                field.defaultValue = nil
                field.isOptional = !field.isRequired || field.isNullable
                describe(documented, &field)
                findings.lose(documented.value)
            }
        }
        if requests.haveNull, field.isRequired, field.isNullable { field.nullable = .required }
    }

    // MARK: Documentation

    /// The longest default that documentation contains.
    private static let longest = 200

    private func describe(_ documented: DocumentedDefault, _ field: inout PlannedField) {
        let text = documented.value.flow
        guard text.utf8.count <= Self.longest else {
            return reportLoss(of: field, "it is too long for the documentation")
        }
        let doc = field.doc?.trimmingSpaces() ?? ""
        guard !Self.mentions(documented.value, doc) else { return }
        let sentence = "The default is `\(text)`."
        if doc.isEmpty {
            field.doc = sentence
        } else if doc.contains(where: \.isNewline) {
            field.doc = "\(doc)\n\n\(sentence)"
        } else {
            field.doc = "\(doc)\(".!?:".contains(doc.last ?? "x") ? "" : ".") \(sentence)"
        }
    }

    /// Whether a description already names the default.
    private static func mentions(_ value: Element, _ doc: String) -> Bool {
        guard let text = value.text, !text.isEmpty, doc.lowercased().contains("default") else { return false }
        if text.contains(where: { !$0.isLetter && !$0.isNumber }) { return doc.contains(text) }
        return doc.split { !$0.isLetter && !$0.isNumber }.contains { $0 == text }
    }

    private func reportLoss(of field: PlannedField, _ problem: String? = nil) {
        guard let documented = field.documentedDefault, let problem = problem ?? documented.problem else { return }
        findings.add(.openAPIDefaultLost, "the default is left out: \(problem)", at: documented.value)
    }

    // MARK: Types

    /// The types that requests contain: all of them, those in the bodies of updates, and those in forms.
    private func reached(from plan: ContractPlan) -> (all: Set<Int>, updates: Set<Int>, forms: Set<Int>) {
        var (all, updates, forms): ([Int], [Int], [Int]) = ([], [], [])
        for endpoint in plan.endpoints {
            all += endpoint.pathTypes.flatMap(\.type.numbers)
            all += (endpoint.query + endpoint.headers + endpoint.cookies).flatMap(\.type.numbers)
            guard let body = endpoint.body, let numbers = body.content?.numbers else { continue }
            all += numbers
            if endpoint.isUpdate { updates += numbers }
            if body.encoding == .form || body.nesting == .brackets { forms += numbers }
        }
        return (types.reached(from: all), types.reached(from: updates), types.reached(from: forms))
    }
}

extension PlannedEndpoint {
    /// Whether its requests replace or change something that exists.
    fileprivate var isUpdate: Bool { method == .put || method == .patch }

    /// The types of its responses.
    fileprivate var receivedNumbers: [Int] {
        var all = responseHeaders.flatMap(\.type.numbers)
        if case .content(let content) = response { all += content.numbers }
        return all + (outcomes.map(\.data) + failures.map(\.data)).flatMap { $0?.numbers ?? [] }
    }
}
