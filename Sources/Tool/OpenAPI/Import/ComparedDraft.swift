import ContractModel

// What a comparison of two documents asks of their imports.
extension ContractDraft {
    /// The types whose names are made of their places, because the document does not name them.
    package var madeTypes: Set<String> {
        Set(
            plan.types.compactMap { type in
                if case .component = type.origin { nil } else { type.name }
            })
    }

    /// The keys that lead to the inputs that the document requires and that have a default.
    package var demanded: Set<[String]> {
        var places: Set<[String]> = []
        func add(_ fields: [PlannedField], _ place: String...) {
            for field in fields where field.isRequired && field.defaultValue != nil {
                places.insert(place + [field.name])
            }
        }
        for type in plan.types {
            if case .structure(let fields) = type.form { add(fields, "types", type.name) }
        }
        for endpoint in plan.endpoints {
            add(endpoint.query, "endpoints", endpoint.name, "query")
            add(endpoint.headers, "endpoints", endpoint.name, "headers")
            add(endpoint.cookies, "endpoints", endpoint.name, "cookies")
            if case .fields(let fields)? = endpoint.body?.content { add(fields, "endpoints", endpoint.name, "body") }
        }
        return places
    }

    private static let mediaTypes: [BodyDefinition.Encoding: String] = [
        .json: "application/json", .form: "application/x-www-form-urlencoded", .multipart: "multipart/form-data",
        .xml: "application/xml",
    ]

    /// The media types of the bodies of endpoints: the one that is sent, and all that the document has.
    package var bodyTypes: [(endpoint: String, sent: String, all: Set<String>)] {
        plan.endpoints.compactMap { endpoint in
            guard let body = endpoint.body else { return nil }
            let sent = body.contentType ?? Self.mediaTypes[body.encoding] ?? "application/octet-stream"
            return (endpoint.name, sent, Set(body.mediaTypes))
        }
    }
}
