import ContractModel

/// Makes the template input of one envelope: straight code that looks for its parts.
struct EnvelopePlan {
    /// A key of the envelope, what stands there, and what is inside.
    private struct Node {
        var isData = false
        var isCode = false
        var isMessage = false
        var isError = false
        var children: [(key: String, node: Node)] = []

        mutating func mark(_ path: ArraySlice<String>, _ change: (inout Node) -> Void) {
            guard let key = path.first else { return change(&self) }
            if let index = children.firstIndex(where: { $0.key == key }) {
                children[index].node.mark(path.dropFirst(), change)
            } else {
                var node = Node()
                node.mark(path.dropFirst(), change)
                children.append((key, node))
            }
        }
    }

    private var keys = ""
    private var tableCount = 0

    static func input(_ envelope: EnvelopeDefinition) -> EnvelopeInput {
        var root = Node()
        if let data = envelope.data { root.mark(data.value.keys[...]) { $0.isData = true } }
        if let error = envelope.error { root.mark(error.value.keys[...]) { $0.isError = true } }
        if let code = envelope.code { root.mark(code.value.keys[...]) { $0.isCode = true } }
        if let message = envelope.message { root.mark(message.value.keys[...]) { $0.isMessage = true } }

        var plan = EnvelopePlan()
        var input = EnvelopeInput()
        input.name = envelope.identifier
        input.scan = plan.object(root, depth: 0, indent: "            ")
        input.keys = plan.keys
        input.arguments = arguments(envelope)
        return input
    }

    private static func arguments(_ envelope: EnvelopeDefinition) -> String {
        let codes = SwiftLiteral.strings(envelope.success.map(\.value))
        let success = switch (envelope.success.isEmpty, envelope.error == nil) {
        case (true, true): ".status"
        case (true, false): ".withoutError"
        case (false, true): ".codes(\(codes))"
        case (false, false): ".codesWithoutError(\(codes))"
        }
        var list = ["success: " + success]
        if envelope.data == nil { list.append("payload: .body") }
        let places = [
            ("data", envelope.data), ("list", envelope.list), ("code", envelope.code), ("error", envelope.error),
            ("message", envelope.message),
        ]
        for (label, path) in places {
            if let path { list.append("\(label): \(SwiftLiteral.string(path.value.text))") }
        }
        return list.joined(separator: ", ")
    }

    /// Reads an object and goes into those of its keys that lead somewhere.
    private mutating func object(_ node: Node, depth: Int, indent: String) -> String {
        tableCount += 1
        let table = "keys\(tableCount)"
        let fields = "fields\(depth)"
        let label = "object\(depth)"
        let names = node.children.map { SwiftLiteral.string($0.key) }.joined(separator: ", ")
        keys += "        static let \(table) = JSONKeys(\(names))\n"
        var text = "\(indent)var \(fields) = reader.beginObject()\n"
        text += "\(indent)\(label): while true {\n\(indent)    switch reader.nextField(\(table), &\(fields)) {\n"
        for (index, child) in node.children.enumerated() {
            text += "\(indent)    case \(index):\n"
            text += value(child.node, depth: depth, indent: indent + "        ")
        }
        text += "\(indent)    default: break \(label)\n\(indent)    }\n\(indent)}\n"
        return text
    }

    /// Reads one value, and each thing that it is. Whatever is read but the last goes back to where it began.
    private mutating func value(_ node: Node, depth: Int, indent: String) -> String {
        var steps: [String] = []
        if node.isCode { steps.append("\(indent)parts.readCode(&reader)\n") }
        if node.isMessage { steps.append("\(indent)parts.readMessage(&reader)\n") }
        if node.isData { steps.append("\(indent)parts.markData(&reader)\n") }
        if !node.children.isEmpty {
            let inner = object(node, depth: depth + 1, indent: indent + "    ")
            steps.append("\(indent)if reader.peekKind() == .object {\n\(inner)\(indent)} else {\n\(indent)    reader.skipValue()\n\(indent)}\n")
        }
        if steps.isEmpty { steps.append("\(indent)reader.skipValue()\n") }
        var text = node.isError ? "\(indent)if reader.peekKind() != .null { parts.hasError = true }\n" : ""
        let mark = "start\(depth)"
        if steps.count > 1 { text += "\(indent)let \(mark) = reader.mark()\n" }
        return text + steps.joined(separator: "\(indent)reader.rewind(to: \(mark))\n")
    }
}
