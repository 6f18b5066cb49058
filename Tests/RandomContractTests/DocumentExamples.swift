import ErrandJSON

@testable import OpenAPI
@testable import Pipeline

/// A document's examples of request bodies and of failures' data, each with the name of a type that reads it. Generated clients
/// can't parse request bodies, so each body becomes a type of its own.
struct DocumentExamples {
    /// The contract with the types that read the examples.
    private(set) var contract: String
    private(set) var examples: [(type: String, subject: String, json: String)] = []
    /// The examples that no type reads, such as HTML.
    private(set) var unreadCount = 0
    private var plan: ContractPlan
    private var number: Int

    init?(_ result: OpenAPIImporter.Result, of path: String) {
        guard let draft = result.draft else { return nil }
        plan = draft.plan
        number = (plan.types.map(\.number).max() ?? 0) + 1
        contract = ""
        let documents = DocumentSet(
            provider: ContractFiles(ProjectBoundary(naming: [path])), findings: ImportFindings())
        guard let root = documents.root(of: path), let document = DocumentReader(documents: documents).read(root)
        else { return nil }
        let endpoints = Dictionary(plan.endpoints.map { ($0.element.key, $0) }) { first, _ in first }
        for operation in document.operations {
            guard let endpoint = endpoints[operation.element.key] else { continue }
            addRequests(operation, endpoint)
            addFailures(operation, endpoint)
        }
        contract = ContractDraft(plan: plan, naming: draft.naming).text
    }

    private mutating func addRequests(_ operation: Operation, _ endpoint: PlannedEndpoint) {
        let media = operation.body?.media.filter { $0.isJSON || $0.isForm } ?? []
        let values = media.flatMap { media in media.examples.values.map { (value: $0.value, isForm: media.isForm) } }
        guard !values.isEmpty, let content = endpoint.body?.content else { return }
        let type: String
        var wrap: (String) -> String = { $0 }
        var lists = Set<String>()
        switch content {
        case .fields(let fields):
            type = declare(fields, at: endpoint.element)
            for field in fields { if case .list = field.type { lists.insert(field.wire) } }
        case .type(let inner):
            type = declare([PlannedField(wire: "value", type: inner)], at: endpoint.element)
            wrap = { "{\"value\": \($0)}" }
        }
        for (value, isForm) in values {
            let json = Self.json(value, lists: isForm ? lists : [])
            examples.append((type, "the body of \(endpoint.name)", wrap(json)))
        }
    }

    private mutating func addFailures(_ operation: Operation, _ endpoint: PlannedEndpoint) {
        for response in operation.responses where !response.isSuccess {
            let values = response.media.filter(\.isJSON).flatMap(\.examples.values).map(\.value)
            unreadCount += response.media.filter { !$0.isJSON }.flatMap(\.examples.values).count
            // The failure with this status, or the failure for all other statuses.
            let errors = endpoint.errors.map { plan.errors[$0] }
            let error =
                errors.first { error in response.statuses.map { error.statuses.contains($0) } ?? false }
                ?? errors.first { $0.statuses.isEmpty || response.isDefault }
            guard !values.isEmpty else { continue }
            guard let data = error?.data else {
                unreadCount += values.count
                continue
            }
            let type = declare([PlannedField(wire: "value", type: data)], at: endpoint.element)
            for value in values {
                examples.append((type, "\(response.status) of \(endpoint.name)", "{\"value\": \(Self.json(value))}"))
            }
        }
    }

    private mutating func declare(_ fields: [PlannedField], at place: Element) -> String {
        var fields = fields
        for position in fields.indices where fields[position].name.isEmpty {
            fields[position].name = fields[position].wire
        }
        let entry = PlannedTypeEntry(
            number: number, origin: .endpoint("Example\(number)"), schema: place, form: .structure(fields))
        entry.name = "Example\(number)"
        plan.types.append(entry)
        number += 1
        return entry.name
    }

    /// A value of the document as JSON.
    ///
    /// - Parameter lists: the members that are lists. In a form, a single value is a list with one element.
    private static func json(_ value: Element, lists: Set<String> = []) -> String {
        if value.isMapping {
            let pairs = value.entries.map { name, value in
                let isLone = lists.contains(name) && value.text != nil
                return "\(quoted(name)): \(isLone ? "[\(json(value))]" : json(value))"
            }
            return "{" + pairs.joined(separator: ", ") + "}"
        }
        guard let text = value.text else {
            return value.isNull ? "null" : "[" + value.items.map { json($0) }.joined(separator: ", ") + "]"
        }
        if value.isNull { return "null" }
        return value.scalarKind == .text ? quoted(text) : text
    }

    private static func quoted(_ text: String) -> String {
        (try? JSON.bytes { $0.write(text) }).map { String(decoding: $0, as: UTF8.self) } ?? "null"
    }
}
