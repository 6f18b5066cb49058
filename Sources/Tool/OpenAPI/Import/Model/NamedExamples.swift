/// The examples of a media type, a parameter or a header.
struct NamedExamples {
    /// By their names; that of `example` is `example`.
    var values: [(name: String, value: Element)] = []
    /// Those whose value is in another file, or is a text as it is sent.
    var others: [Element] = []

    var all: [Element] { values.map(\.value) + others }

    init() {}

    init(of element: Element, _ documents: DocumentSet) {
        if let example = element["example"] { values.append(("example", example)) }
        guard let named = element["examples"], named.isMapping else { return }
        for (name, example) in named.entries {
            guard let target = documents.followed(example) else { continue }
            // OpenAPI 3.2 has `dataValue` for the value that fits the schema.
            if let value = target["dataValue"] ?? target["value"] {
                values.append((name, value))
            } else {
                others.append(target)
            }
        }
    }
}
