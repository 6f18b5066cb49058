/// What is between the values of a list that a request carries as one text (`joined` in the contract).
public enum ListSeparator: String, Sendable, CaseIterable {
    case commas = ","
    case spaces = " "
    case pipes = "|"

    /// The separator in a URL. A comma has no other meaning in a query (RFC 3986 section 2.2), and servers look for it before they
    /// decode the values.
    fileprivate var encoded: String {
        switch self {
        case .commas: ","
        case .spaces: "%20"
        case .pipes: "%7C"
        }
    }

    fileprivate var name: String {
        switch self {
        case .commas: "a comma"
        case .spaces: "a space"
        case .pipes: "a pipe"
        }
    }
}

// Lists as one text. An empty list is not sent, except in a path, where it is refused. A value that contains the separator would become several values, and is refused.
extension RequestEncoder {
    /// Appends a list as one segment of the path, with commas between the values. An empty list has no segment, and is refused.
    public mutating func segment<Value: RequestValue>(joined values: [Value], sensitive: Bool = false) {
        guard !values.isEmpty else { return append(segment: "", "", sensitive) }
        guard let texts = texts(of: values, .commas, "path", sensitive) else { return }
        let encoded = texts.map { PercentEncoding.encode($0) }.joined(separator: ListSeparator.commas.encoded)
        append(segment: texts.joined(separator: ListSeparator.commas.rawValue), encoded, sensitive)
    }

    /// Appends a list to the query as one parameter.
    public mutating func query<Value: RequestValue>(
        _ name: String, joined values: [Value], by separator: ListSeparator, sensitive: Bool = false
    ) {
        guard let texts = texts(of: values, separator, name, sensitive) else { return }
        note(parameter: name, texts.joined(separator: separator.rawValue))
        append(query: name, sensitive) { query in
            for (position, text) in texts.enumerated() {
                if position > 0 { query += separator.encoded }
                PercentEncoding.append(text, to: &query)
            }
        }
    }

    /// Adds a list as one header.
    public mutating func header<Value: RequestValue>(
        _ name: String, joined values: [Value], by separator: ListSeparator, sensitive: Bool = false
    ) {
        guard let texts = texts(of: values, separator, name, sensitive) else { return }
        append(header: name, texts.joined(separator: separator.rawValue), sensitive, isForURL: isForURL)
    }

    /// Writes a list as one field of a form.
    public mutating func field<Value: RequestValue>(
        _ name: String, joined values: [Value], by separator: ListSeparator, sensitive: Bool = false
    ) {
        guard let texts = texts(of: values, separator, name, sensitive) else { return }
        field(name, texts.joined(separator: separator.rawValue), sensitive: sensitive)
    }

    /// Nil if there is nothing to send.
    private mutating func texts<Value: RequestValue>(
        of values: [Value], _ separator: ListSeparator, _ name: String, _ isSensitive: Bool
    ) -> [String]? {
        var texts: [String] = []
        for value in values {
            guard let text = text(of: value, name, isSensitive) else { return nil }
            if text.contains(separator.rawValue) {
                problems.append(
                    BrokenField(name: name, reason: "has a value with \(separator.name), which separates the values"))
                return nil
            }
            texts.append(text)
        }
        if texts.isEmpty { return nil }
        if isSensitive { secrets.append(texts.joined(separator: separator.rawValue)) }
        return texts
    }
}
