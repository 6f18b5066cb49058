// Who has written a response: the service, or a server in between, such as a proxy or the portal of a Wi-Fi network.

extension AttemptSummary {
    /// Notes whether another origin has responded, which a redirect has led to.
    mutating func noteAuthor(of response: TransportResponse) {
        guard isRedirected else { return }
        let origin = response.redirectedTo.flatMap { Origin($0) }
        isAbroad = origin == nil || origin != Origin(url)
    }
}

extension EnvelopeDescription {
    /// Whether a 4xx has the form in which the service tells failures: the envelope's error, code or message is there. An envelope that
    /// names no place for them, and the envelope `none`, only tell that the body is an object or a list.
    func tellsFailures(in response: TransportResponse, _ parts: EnvelopeParts) -> Bool {
        guard (400..<500).contains(response.status), parts.fault == nil, response.document?.fault == nil else {
            return false
        }
        if code != nil || error != nil || message != nil {
            return parts.hasError || !parts.code.isEmpty || parts.message != nil
        }
        let found = try? JSON.scan(response.body) { reader in
            let kind = reader.peekKind()
            reader.skipValue()
            return kind == .object || kind == .array
        }
        return found ?? false
    }
}

extension TransportResponse {
    /// Whether the body is a web page. A portal responds with one to every request, and with a success.
    var isWebPage: Bool {
        guard let type = headers["Content-Type"]?.lowercased() else {
            let start = String(decoding: body.drop { $0 <= 0x20 }.prefix(14), as: UTF8.self).lowercased()
            return start.hasPrefix("<!doctype html") || start.hasPrefix("<html")
        }
        // PHP says `text/html` of every body, and of none.
        return type.hasPrefix("text/html") && body.first { $0 > 0x20 && $0 < 0x80 } == UInt8(ascii: "<")
    }
}
