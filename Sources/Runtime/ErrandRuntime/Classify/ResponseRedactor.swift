/// Takes what must not be printed out of one response: what the request carried, and what the contract calls sensitive.
/// Everything that a failure keeps of the server's text comes through here.
///
/// An object, so that the secrets are collected once, and only for a response that has a text.
package final class ResponseRedactor {
    private let request: AssembledRequest?
    private let maximumBodySize: Int
    /// Nil if they are more than can be searched for.
    private lazy var secrets: [String]? = if let request { request.allSecrets } else { [] }
    private lazy var search = SecretSearch(secrets ?? [])

    /// - Parameter request: nil for a response that no request caused.
    init(_ request: AssembledRequest?, maximumBodySize: Int = 0) {
        self.request = request
        self.maximumBodySize = maximumBodySize
    }

    /// A message for people, with its line breaks; nil if nothing of it can be shown.
    func message(_ text: String) -> String? {
        let message = clean(text) { DisplayText.paragraph($0, limit: PrintedText.limit, lines: .max) }
        return message.isEmpty && !text.isEmpty ? nil : message
    }

    /// A code, on one line.
    func code(_ text: String) -> String { clean(text) { DisplayText.line($0, limit: PrintedText.limit) } }

    /// Removes secrets, and what isn't fit for people. A secret may become one only without the invisible characters between its
    /// parts, so the result is searched again.
    private func clean(_ text: String, _ clean: (String) -> String) -> String {
        let blanked = self.text(text)
        let cleaned = clean(blanked)
        return cleaned == blanked ? blanked : self.text(cleaned)
    }

    private func text(_ text: String) -> String { blank(text, isCut: false) }

    /// Redacts the part of the document that a fault shows.
    func fault(_ fault: JSONError) -> JSONError {
        var fault = fault
        fault.path = blank(fault.path, isCut: false)
        let isCut = fault.excerpt.hasSuffix("…")
        let excerpt = blank(isCut ? String(fault.excerpt.dropLast()) : fault.excerpt, isCut: isCut)
        fault.excerpt = isCut && excerpt != Redaction.mark ? excerpt + "…" : excerpt
        return fault
    }

    func skipped(_ skipped: SkippedElements) -> SkippedElements {
        if skipped.count == 0 { return skipped }
        return SkippedElements(faults: skipped.faults.map(fault), count: skipped.count)
    }

    /// The headers, those marked whose values must not be printed.
    func headers(_ headers: HTTPHeaders, _ service: ServiceDescription) -> HTTPHeaders {
        HTTPHeaders(
            headers.fields.map { field in
                var field = field
                field.isSensitive =
                    field.isSensitive || Self.isSensitive(field.name, service) || text(field.value) != field.value
                return field
            })
    }

    /// The start of the body as text; nil without a body, or if it isn't text.
    func body(_ body: [UInt8], _ service: ServiceDescription) -> String? {
        let start = body.prefix(maximumBodySize)
        guard !start.isEmpty, !start.contains(0) else { return nil }
        guard var secrets else { return Redaction.mark }
        var places: [Range<Int>] = []
        if !service.sensitive.isEmpty {
            if body.count <= Self.maximumScannedSize, let scan = SecretScan.scan(body, under: service.sensitive) {
                if scan.isOverflowing { return Redaction.mark }
                places = scan.places
                // A short value is blanked only in its place. If it were searched, the whole body would be blanked.
                secrets += scan.texts.filter { $0.utf8.count >= SecretSearch.shortestSearched }
            } else {
                // In a text of any other form, the places of the names aren't the places of their values.
                let names = SecretSearch(Array(service.sensitive))
                guard names.places(in: Array(start), isCut: true)?.isEmpty == true else { return Redaction.mark }
            }
        }
        return Redaction.blank(SecretSearch(secrets), in: body, places: places, limit: maximumBodySize)
    }

    /// A longer body is not gone through for its secrets.
    private static let maximumScannedSize = 1 << 18

    private func blank(_ text: String, isCut: Bool) -> String {
        guard let secrets else { return Redaction.mark }
        // The code and the message of most successes: no spelling of a secret is shorter than the secret.
        if !isCut, secrets.allSatisfy({ $0.utf8.count > text.utf8.count }) {
            return PrintedText.cut(text, to: PrintedText.limit)
        }
        return Redaction.blank(search, in: Array(text.utf8), limit: PrintedText.limit, isCut: isCut)
    }

    // MARK: Headers

    /// Fields with which an attacker can act as the user, and those that often carry such a thing in a URL.
    private static let sensitiveFields: Set<String> = [
        "authentication-info", "authorization", "cookie", "location", "proxy-authenticate", "proxy-authentication-info",
        "proxy-authorization", "refresh", "set-cookie", "set-cookie2", "www-authenticate",
    ]
    /// Parts of names that servers give to fields of their own.
    private static let sensitiveParts = [
        "auth", "cookie", "credential", "key", "password", "secret", "session", "signature", "token",
    ]

    /// Whether a field is sensitive, regardless of the contract.
    package static func isSensitive(_ name: String) -> Bool {
        let lowercase = name.lowercased()
        return sensitiveFields.contains(lowercase) || sensitiveParts.contains(where: lowercase.contains)
    }

    /// Whether a field is sensitive, by its name or by the contract.
    static func isSensitive(_ name: String, _ service: ServiceDescription) -> Bool {
        if isSensitive(name) { return true }
        if case .header(let carrier, _, _)? = service.session?.place, HTTPHeaders.isEqual(carrier, name) { return true }
        return service.sensitive.contains { HTTPHeaders.isEqual($0, name) }
    }
}

extension AttemptSummary {
    /// Keeps what the server sent beside its code and its message.
    mutating func keep(_ response: TransportResponse, _ service: ServiceDescription, _ redactor: ResponseRedactor) {
        headers = redactor.headers(response.headers, service)
        body = redactor.body(response.body, service)
    }

    /// Keeps what the text of an error shows of its data: texts, numbers and truth values, redacted like the server's message.
    mutating func keepShownData(
        of verdict: Verdict, _ payload: Payload, _ service: ServiceDescription, _ redactor: ResponseRedactor
    ) {
        guard case .error(let name) = verdict, let placeholders = service.error(name)?.placeholders,
            !placeholders.isEmpty, let data = try? payload.scan({ $0.readValue() }).value
        else { return }
        shownData = placeholders.compactMapValues { key in
            switch data[key] {
            case .string(let text)?: redactor.message(text)
            case .number(let number)?: redactor.message(number.text)
            case .bool(let value)?: value.description
            case .array?, .object?, .null?, nil: nil
            }
        }
    }
}

extension AssembledRequest {
    /// All that the request carries and that must not be printed; nil if it is more than can be searched for. The body
    /// is searched only here, since most responses say nothing.
    var allSecrets: [String]? {
        guard let body = json ?? request.body, !sensitiveNames.isEmpty else { return secrets }
        switch content {
        // Its fields were noted when they were written.
        case .fields: return secrets
        case .opaque: if !SecretScan.looksLikeJSON(body) { return secrets }
        case .json: break
        }
        guard let scan = SecretScan.scan(body, under: sensitiveNames) else { return content == .json ? nil : secrets }
        return scan.isOverflowing ? nil : secrets + scan.texts
    }
}
