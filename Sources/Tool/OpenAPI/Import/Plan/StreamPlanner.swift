import ContractModel
import Diagnostics

// Responses that arrive element by element.
extension EndpointPlanner {
    /// A response that arrives element by element. The schema describes one element.
    func stream(
        _ media: Media, of operation: Operation, _ endpoint: inout PlannedEndpoint
    ) -> PlannedEndpoint.Response? {
        guard media.isEvents || media.isLines, operation.responses.filter(\.isSuccess).count == 1 else { return nil }
        var schemas = [media.schema].compactMap { $0 }
        var isEvent = false
        if let item = media.itemSchema {
            // OpenAPI 3.2 describes the whole event. Its data is the element.
            if media.isEvents { types.documents.entered(item)?["properties"].map(settleEvent) }
            let data = media.isEvents ? types.documents.entered(item)?["properties"]?["data"]?["contentSchema"] : item
            schemas = [data].compactMap { $0 }
        } else if media.isEvents, let data = eventData(schemas) {
            (schemas, isEvent) = (data, true)
        } else if media.isLines, types.reader.view(of: schemas).types == ["array"] {
            schemas = types.reader.view(of: schemas).items
        }
        guard !schemas.isEmpty else { return nil }
        let view = types.reader.view(of: schemas)
        guard view.isObject || !view.alternatives.isEmpty else { return nil }
        let use = types.use(of: schemas, as: part("Element"), .response)
        guard use.type != .word("json"), use.type != .word("file") else { return nil }
        let words = operation.responses.compactMap(\.description) + [operation.description, switchText(of: operation)]
        let end = words.contains { $0?.contains("[DONE]") == true } ? "[DONE]" : nil
        var stream = StreamDefinition()
        stream.format = media.isLines ? .lines : .events
        stream.end = end
        endpoint.stream = stream
        if let end { endpoint.notes.append("errand:review a description says that `\(end)` ends the stream") }
        if isEvent {
            endpoint.notes.append(
                "errand:review the schema is taken for that of a whole event, so its `data` is the element")
        } else if media.itemSchema == nil {
            endpoint.notes.append("errand:review the schema of the stream is used for each of its elements")
        }
        return .content(.type(use.type))
    }

    /// Reports the schema of the elements of a body that a contract cannot cut into elements: parts of a multipart body, a JSON text
    /// sequence (RFC 7464), and whatever a request sends. Returns whether there is one.
    func loseElements(of media: Media, isSent: Bool) -> Bool {
        guard let item = media.itemSchema else { return false }
        let reason =
            isSent
            ? "contracts do not have requests that send elements, so the body is bytes, which the app has to create"
            : "contracts do not have streams of this form, so the body is bytes, which the app has to parse"
        findings.add(
            .openAPIMediaLost, "`itemSchema` of `\(media.type)` is left out, because \(reason)", at: item,
            help: isSent ? nil : "if the service has JSON lines or events too, declare their media type")
        return true
    }

    /// Reports what OpenAPI 3.2 says about the parts of a body that have no names, and about parts of parts.
    func loseEncodings(of media: Media) {
        func lose(_ keys: [String], of element: Element?, _ what: String) {
            for key in keys {
                guard let value = element?[key] else { continue }
                findings.add(
                    .openAPIMediaLost, "`\(key)` of \(what) is left out, because contracts do not have it", at: value)
            }
        }
        lose(["prefixEncoding", "itemEncoding"], of: media.element, "`\(media.type)`")
        for (name, encoding) in media.encoding?.entries ?? [] {
            lose(["encoding", "prefixEncoding", "itemEncoding"], of: encoding, "the part `\(name)`")
            loseReserved(name, encoding)
        }
    }

    /// The schema of an event's data, if a schema describes the whole event by the fields that events have (HTML standard, section 9.2).
    private func eventData(_ schemas: [Element]) -> [Element]? {
        let view = types.reader.view(of: schemas)
        guard view.alternatives.isEmpty,
            view.properties.allSatisfy({ ["event", "data", "id", "retry"].contains($0.name) })
        else { return nil }
        for (name, schemas) in view.properties where name != "data" { for schema in schemas { schema.settle() } }
        return view.properties.first { $0.name == "data" }?.schemas
    }

    /// The runtime reads the other fields of an event.
    private func settleEvent(_ properties: Element) {
        for (name, schema) in properties.entries where name != "data" { schema.settle() }
    }

    /// What the document says about the member of the body that asks for a stream.
    private func switchText(of operation: Operation) -> String? {
        guard let schema = operation.body?.media.first(where: \.isJSON)?.schema else { return nil }
        let fields = types.reader.view(of: [schema]).properties
        guard let field = fields.first(where: { $0.name == StreamVariants.member }) else { return nil }
        return types.reader.view(of: field.schemas).description
    }
}
