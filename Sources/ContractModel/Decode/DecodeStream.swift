import Diagnostics
import YAMLTree

extension ContractDecoder {
    /// `stream`, or `{stream: lines, idle: 30s}`.
    mutating func delivery(of endpoint: inout EndpointDefinition, _ mapping: YAMLMapping) {
        guard let node = value(mapping, "delivery") else { return }
        guard node.mapping != nil else {
            endpoint.delivery = word(mapping, "delivery", of: Delivery.self)
            return
        }
        guard let inner = open(node, as: LanguageKeys.stream),
            let format = word(inner, "stream", of: StreamDefinition.Format.self)
        else { return }
        var stream = StreamDefinition()
        stream.format = format.value
        stream.end = text(inner, "end").flatMap { nonEmpty($0, "end") }
        stream.failures = textList(inner, "failures").compactMap { nonEmpty($0, "failures") }
        stream.name = text(inner, "name").flatMap { nonEmpty($0, "name") }
        stream.idle = duration(inner, "idle")?.value
        stream.reopening = word(inner, "reopen", of: StreamDefinition.Reopening.self)?.value ?? .resume
        endpoint.delivery = Located(.stream, at: node.range)
        endpoint.stream = stream
    }

    private mutating func nonEmpty(_ text: Located<String>, _ key: String) -> String? {
        if !text.value.isEmpty { return text.value }
        report(.invalidValue, "`\(key)` is empty", at: text.range, help: "write a text, or remove `\(key)`")
        return nil
    }
}
