import ContractModel

// Bodies and responses that are bytes to the client, although the document may say more of them.
extension EndpointPlanner {
    /// Reports that a body is bytes to the client although the document describes it as something else.
    func reportBytes(of media: Media, isSent: Bool) {
        let view = media.schema.map { types.reader.view(of: [$0]) } ?? SchemaView()
        let isFile = view.format?.text == "binary" || view.types == ["file"]
        let isKnown = !isSent && ["xml", "event-stream", "ndjson", "json"].contains(where: media.type.contains)
        if isKnown || !isFile && saysMoreThanText(view) {
            findings.add(
                .openAPIMediaLost,
                "`\(media.type)` is \(isSent ? "sent as bytes, which the app has to create" : "read as bytes, which the app has to parse")",
                at: media.element)
        } else if isSent, media.schema != nil, !view.isUntyped, !isFile {
            findings.count(.openAPIMediaLost, "`\(media.type)`", of: "sends", at: media.element)
        } else if !isSent, isText(media, view) {
            findings.count(.openAPIMediaLost, media.type, of: "text", at: media.element)
        }
    }

    /// Whether a schema says more about some bytes than that they are a text.
    private func saysMoreThanText(_ view: SchemaView) -> Bool {
        let isPlain =
            view.types == ["string"]
            || view.types.isEmpty && view.properties.isEmpty && view.additional.isEmpty && view.items.isEmpty
        return !isPlain || view.values != nil || view.constant != nil || !view.bounds.isEmpty
            || !view.alternatives.isEmpty
    }

    private func isText(_ media: Media, _ view: SchemaView) -> Bool {
        if media.type == "application/octet-stream" || ["binary", "byte"].contains(view.format?.text) { return false }
        return media.type.hasPrefix("text/") || view.types == ["string"]
    }
}
