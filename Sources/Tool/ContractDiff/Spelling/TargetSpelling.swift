import ContractModel

/// The method and the path of an endpoint, as its text says them: `get /accounts/{id:int}`.
struct TargetSpelling {
    /// The method, and what is between the parameters.
    private let texts: [Substring]
    let parameters: [(name: String, type: String)]

    init(_ text: String) {
        var texts: [Substring] = []
        var parameters: [(name: String, type: String)] = []
        var rest = text[...]
        // The kind of a frame has no parameters, whatever characters it has.
        while !text.hasPrefix("frame "), let open = rest.firstIndex(of: "{"),
            let close = rest[open...].firstIndex(of: "}")
        {
            texts.append(rest[..<open])
            let inner = rest[rest.index(after: open)..<close]
            let parts = inner.split(separator: ":", maxSplits: 1)
            parameters.append(
                (String(parts.first ?? ""), parts.count > 1 ? String(parts[1]) : Primitive.string.spelling))
            rest = rest[rest.index(after: close)...]
        }
        self.texts = texts + [rest]
        self.parameters = parameters
    }

    /// A parameter that another target has at another position, and the one that takes its place there.
    func moved(in other: TargetSpelling) -> (name: String, other: String)? {
        let names = Set(other.parameters.map(\.name))
        for (one, two) in zip(parameters, other.parameters) where one.name != two.name && names.contains(one.name) {
            return (one.name, two.name)
        }
        return nil
    }

    /// The text with the types of its parameters, without their names.
    func wire(_ type: (String) -> String) -> String {
        var result = ""
        for (index, text) in texts.enumerated() {
            result += text
            if index < parameters.count { result += "{\(type(parameters[index].type))}" }
        }
        return result
    }
}
