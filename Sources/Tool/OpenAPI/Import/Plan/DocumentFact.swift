/// Something that a tool writes into the documents that it makes of code, without being told to.
enum DocumentFact: Sendable {
    /// A named schema that has these properties, of these types, and requires exactly the named ones.
    case schema(String, [String: String], required: Set<String>)
    /// Responses with a status whose body is a named schema.
    case response(String, is: String)
    /// A failure whose body has exactly these properties, and whose description ends so.
    case failure(Set<String>, described: String)
    /// The ids of nearly all operations have this form.
    case operationIDs(OperationIDForm)
    /// Most successes have one of these descriptions.
    case successes(Set<String>)
    /// Every operation has a list of parameters, also if it is empty.
    case parameterLists

    /// How a tool makes the id of an operation.
    enum OperationIDForm: Sendable {
        /// `groups_list`: the path, and what the method does there.
        case action
        /// `shop_api_add_item` beside the summary `Add Item`: the module and the function.
        case function
        /// `get~item`: the method and the handler.
        case handler
    }

    func holds(in document: APIDocument) -> Bool {
        let operations = document.operations
        switch self {
        case .schema(let name, let properties, let required):
            guard let schema = document.root["components"]?["schemas"]?[name] else { return false }
            return Self.required(schema) == required
                && properties.allSatisfy { schema["properties"]?[$0.key]?.text("type") == $0.value }
        case .response(let status, let name):
            return Self.schemas(of: operations) { $0.status == status }.contains { schema in
                schema.text("$ref")?.hasSuffix("/" + name) == true
            }
        case .failure(let properties, let description):
            return Self.schemas(of: operations) { !$0.isSuccess }.contains { schema in
                Set(schema["properties"]?.entries.map(\.name) ?? []) == properties
                    && schema.text("description")?.hasSuffix(description) == true
            }
        case .operationIDs(let form):
            // Authors name some operations themselves.
            return !operations.isEmpty && operations.count(where: form.fits) * 5 >= operations.count * 4
        case .successes(let descriptions):
            let found = operations.compactMap { $0.responses.first(where: \.isSuccess)?.description }
            return !found.isEmpty && found.count(where: descriptions.contains) * 2 > found.count
        case .parameterLists:
            return operations.allSatisfy { $0.element["parameters"] != nil }
        }
    }

    private static func required(_ schema: Element) -> Set<String> {
        Set(schema["required"]?.items.compactMap(\.text) ?? [])
    }

    /// The schemas of the JSON of some responses.
    private static func schemas(of operations: [Operation], where isWanted: (Response) -> Bool) -> [Element] {
        operations.flatMap(\.responses).filter(isWanted).compactMap { $0.media.first(where: \.isJSON)?.schema }
    }
}

extension DocumentFact.OperationIDForm {
    private static let actions: [String: [String]] = [
        "get": ["list", "retrieve"], "post": ["create"], "put": ["update"], "patch": ["partial_update"],
        "delete": ["destroy"],
    ]

    func fits(_ operation: Operation) -> Bool {
        guard let id = operation.operationID else { return false }
        switch self {
        case .action:
            var words = id.split(separator: "_")
            // The tool numbers equal ids.
            if words.count > 2, words.last?.allSatisfy(\.isNumber) == true { words.removeLast() }
            let name = words.joined(separator: "_")
            return Self.actions[operation.method, default: []].contains { name.hasSuffix("_" + $0) }
        case .function:
            guard let summary = operation.summary, !summary.isEmpty else { return false }
            return id.lowercased().hasSuffix("_" + summary.lowercased().replacing(" ", with: "_"))
        case .handler: return id.hasPrefix(operation.method + "~")
        }
    }
}
