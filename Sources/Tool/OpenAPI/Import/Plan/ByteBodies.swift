import ContractModel

// Bodies and responses that are bytes to the client, although the document may say more of them.
extension EndpointPlanner {
    /// Whether a schema says more about some bytes than that they are a text or a file.
    func isMoreThanText(_ schema: Element) -> Bool {
        let view = types.reader.view(of: [schema])
        if view.format?.text == "binary" || view.types == ["file"] { return false }
        let isPlain =
            view.types == ["string"]
            || view.types.isEmpty && view.properties.isEmpty && view.additional.isEmpty && view.items.isEmpty
        return !isPlain || view.values != nil || view.constant != nil || !view.bounds.isEmpty
            || !view.alternatives.isEmpty
    }

    /// Whether the document describes a response as a text.
    func isText(_ media: Media) -> Bool {
        let view = media.schema.map { types.reader.view(of: [$0]) } ?? SchemaView()
        if media.type == "application/octet-stream" || ["binary", "byte"].contains(view.format?.text) { return false }
        return media.type.hasPrefix("text/") || view.types == ["string"]
    }

    /// Reports that the app gets the bytes of a response which the document describes as something else.
    func reportBytes(of media: Media) {
        let names = ["xml", "event-stream", "ndjson", "json"]
        if names.contains(where: media.type.contains) || media.schema.map(isMoreThanText) == true {
            findings.add(
                .openAPIMediaLost, "`\(media.type)` is read as bytes, which the app has to parse", at: media.element)
        } else if isText(media) {
            findings.count(.openAPIMediaLost, media.type, of: "text", at: media.element)
        }
    }

    /// Counts a body that is bytes although its schema says more than that.
    func countBytes(_ media: Media) {
        guard let schema = media.schema else { return }
        let view = types.reader.view(of: [schema])
        if view.isUntyped || view.format?.text == "binary" || view.types == ["file"] { return }
        findings.count(.openAPIMediaLost, "`\(media.type)`", of: "sends", at: media.element)
    }
}
