import ContractModel
import Diagnostics

/// Turns the examples of a document into those of fields and of endpoints. Whether they fit is seen when the contract is made.
struct ExamplePlanner {
    /// The longest example of a field, as text on one line. A longer one would hide the fields around it.
    private static let longest = 200

    private let types: TypePlanner
    private var values: ExampleValues
    private var findings: ImportFindings { types.findings }

    init(_ types: TypePlanner) {
        self.types = types
        values = ExampleValues(types.documents)
    }

    // MARK: Fields

    mutating func settleFields(of plan: inout ContractPlan) {
        for entry in types.entries {
            guard case .structure(var fields) = entry.form, fields.contains(where: { $0.example != nil }) else {
                continue
            }
            settle(&fields)
            entry.form = .structure(fields)
        }
        for position in plan.endpoints.indices { settle(&plan.endpoints[position]) }
    }

    private mutating func settle(_ endpoint: inout PlannedEndpoint) {
        settle(&endpoint.query)
        settle(&endpoint.headers)
        settle(&endpoint.cookies)
        settle(&endpoint.responseHeaders)
        if case .fields(var fields)? = endpoint.body?.content {
            settle(&fields)
            endpoint.body?.content = .fields(fields)
        }
        if case .content(.fields(var fields)) = endpoint.response {
            settle(&fields)
            endpoint.response = .content(.fields(fields))
        }
    }

    private mutating func settle(_ fields: inout [PlannedField]) {
        for position in fields.indices {
            guard let example = fields[position].example else { continue }
            fields[position].exampleValue = value(of: example, for: fields[position])
        }
    }

    /// Nil for an example that says no more than the default, and for one that a contract cannot have.
    private mutating func value(of example: PlannedValue, for field: PlannedField) -> ExampleValue? {
        var value = value(of: example)
        if case .scalar(let text, _, _) = value, text == field.defaultValue?.scalarText {
            findings.examples.keep(example.place)
            return nil
        }
        if field.isConstant {
            findings.examples.contradict(example.place, "the only value is another one")
            return nil
        }
        guard !field.type.holdsFile, value.spelling.utf8.count <= Self.longest else { return nil }
        value.range = example.place
        return value
    }

    private mutating func value(of example: PlannedValue) -> ExampleValue {
        (0..<example.listCount).reduce(values.value(of: example.element)) { value, _ in .list([value], value.range) }
    }

    // MARK: Endpoints

    /// Adds the examples of requests and responses. One of each with the same name is one example.
    mutating func plan(_ endpoint: inout PlannedEndpoint, _ operation: Operation) {
        for media in operation.body?.media ?? [] { see(media, of: "requests") }
        for response in operation.responses {
            for media in response.media { see(media, of: response.isSuccess ? "responses" : "failures") }
        }
        for (name, value) in distinct(endpoint.bodyExamples) {
            guard let request = request(value, of: endpoint) else { continue }
            endpoint.examples.append(PlannedExample(name: name, request: request))
        }
        if case .content = endpoint.response {
            let response = operation.responses.filter(\.isSuccess).min { $0.status < $1.status }
            for (name, value) in distinct(response?.media.first(where: \.isJSON)?.examples.values ?? []) {
                let part = (value: values.value(of: value), element: value)
                if let position = endpoint.examples.firstIndex(where: { $0.name == name }) {
                    endpoint.examples[position].response = part
                } else {
                    endpoint.examples.append(PlannedExample(name: name, response: part))
                }
            }
        }
        addPath(&endpoint)
    }

    private func see(_ media: Media, of what: String) {
        for example in media.examples.all { findings.see(example: example, of: what) }
    }

    /// The examples under the names that a contract has; of several with one name the last.
    private func distinct(_ examples: [(name: String, value: Element)]) -> [(name: String, value: Element)] {
        var distinct: [(name: String, value: Element)] = []
        for (name, value) in examples {
            let name = NameText.valueName(name)
            if let position = distinct.firstIndex(where: { $0.name == name }) {
                distinct[position].value = value
            } else {
                distinct.append((name, value))
            }
        }
        return distinct
    }

    /// The members of a body under the names of its fields; nil for a body that is no object. The client fills an idempotency key
    /// itself.
    private mutating func request(
        _ example: Element, of endpoint: PlannedEndpoint
    ) -> (value: ExampleValue, places: [SourceRange])? {
        guard endpoint.body?.encoding != .xml, case .object(var pairs, _) = values.value(of: example) else {
            return nil
        }
        if case .field(let key)? = endpoint.effect?.place { pairs.removeAll { $0.key.value == key.value } }
        if case .fields(let fields)? = endpoint.body?.content {
            pairs = pairs.map { key, value in
                (Located(fields.first { $0.wire == key.value }?.name ?? key.value, at: key.range), value)
            }
        }
        return (.object(pairs, example.range), [example.range])
    }

    /// Adds the examples of the parameters in the path, which have no field of their own: to each request, or as an example alone.
    private mutating func addPath(_ endpoint: inout PlannedEndpoint) {
        var path: [(key: Located<String>, value: ExampleValue)] = []
        for (wire, example) in endpoint.pathExamples {
            guard let name = endpoint.pathTypes.first(where: { $0.wire == wire })?.name else { continue }
            path.append((Located(name, at: example.place), value(of: example)))
        }
        guard !path.isEmpty else { return }
        let places = path.map(\.key.range)
        var isAlone = true
        for position in endpoint.examples.indices {
            guard case (.object(let pairs, let range), let others)? = endpoint.examples[position].request else {
                continue
            }
            let missing = path.filter { own in !pairs.contains { $0.key.value == own.key.value } }
            endpoint.examples[position].request = (.object(missing + pairs, range), others + places)
            isAlone = false
        }
        guard isAlone else { return }
        let name = NameText.free("path", Set(endpoint.examples.map { NameText.folded($0.name) }))
        endpoint.examples.append(PlannedExample(name: name, request: (.object(path, places[0]), places)))
    }
}
