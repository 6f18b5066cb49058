/// A request as it will be sent, and as it may be printed. An object of the one task that sends it.
final class AssembledRequest {
    var request: TransportRequest
    let printedURL: String
    /// Values that must not be printed, to be searched for in what the server says.
    let secrets: [String]
    /// The sensitive names that its body may hold values under.
    let sensitiveNames: Set<String>
    /// The encoding of the body, regardless of the name of its media type.
    let content: BodyContent
    /// The JSON that a body in XML is a translation of, in which secrets are found; nil for any other body.
    let json: [UInt8]?
    /// Where it goes, if that is not the service's server.
    let foreignOrigin: Origin?

    init(
        request: TransportRequest, printedURL: String, secrets: [String], sensitiveNames: Set<String> = [],
        content: BodyContent = .opaque, json: [UInt8]? = nil, foreignOrigin: Origin? = nil
    ) {
        self.request = request
        self.printedURL = printedURL
        self.secrets = secrets
        self.sensitiveNames = sensitiveNames
        self.content = content
        self.json = json
        self.foreignOrigin = foreignOrigin
    }
}

extension AssembledRequest {
    /// How a URL is printed that an interceptor has put in the place of this one: what it has added may be a secret.
    func printed(_ sent: String) -> String {
        if sent == request.url { return printedURL }
        guard let origin = Origin(sent) else { return Redaction.mark }
        let (new, old, printed) = (Self.rest(of: sent), Self.rest(of: request.url), Self.rest(of: printedURL))
        if new == old { return "\(origin)\(printed)" }
        if !old.isEmpty, new.hasPrefix(old) { return "\(origin)\(printed)\(Redaction.mark)" }
        if !old.isEmpty, new.hasSuffix(old) { return "\(origin)/\(Redaction.mark)\(printed)" }
        return "\(origin)/\(Redaction.mark)"
    }

    /// The part of the URL after the origin.
    private static func rest(of url: String) -> Substring {
        url.drop { $0 != ":" }.dropFirst(3).drop { $0 != "/" && $0 != "?" && $0 != "#" }
    }
}

extension AssembledRequest: CustomStringConvertible, CustomReflectable {
    var description: String { "\(request.method.rawValue) \(printedURL)" }
    var customMirror: Mirror { Mirror(self, children: ["url": printedURL], displayStyle: .class) }
}

extension RequestEncoder {
    /// Whether the request goes to the service's own server. A whole URL does not count as that, even
    /// where it leads there.
    var isAtHome: Bool { absoluteURL == nil }

    /// Adds the session's token at the contract's place for it.
    package mutating func add(_ token: String, at placement: SessionPlacement) {
        secrets.append(token)
        switch placement.place {
        case .header(let name, let prefix, let suffix):
            append(header: name, prefix + token + suffix, true)
        case .parameter(let name): parameter(name, token, sensitive: true)
        }
    }

    /// Adds one of the app's credentials at the contract's place for it.
    mutating func add(_ credential: GivenCredential) {
        secrets += credential.secrets
        let (name, value) = (credential.name, credential.value)
        switch credential.placement {
        case .header(let header, let prefix, let suffix): append(header: header, prefix + value + suffix, true)
        case .basic:
            guard value.utf8.contains(UInt8(ascii: ":")) else {
                problems.append(BrokenField(name: name, reason: "must be a user and a password with `:` between them"))
                return
            }
            append(header: "Authorization", "Basic " + credential.encoded, true)
        case .query(let parameter): query(parameter, value, sensitive: true)
        case .cookie(let cookie): append(cookie: cookie, value, of: name)
        }
    }

    /// Adds the idempotency key at the contract's place for it, after the fields of the body.
    mutating func add(_ key: String, at placement: KeyPlacement) {
        switch placement {
        case .header(let name): header(name, key)
        case .field(let name):
            if !body.add(name, toWhole: key) { field(name, key) }
        }
    }

    /// Whether the request already has a header.
    func hasHeader(_ name: String) -> Bool { headers[name] != nil }

    /// Adds a header of the caller's own. It must not be a header that the request already has or that the runtime writes.
    mutating func optionalHeader(_ name: String, _ value: String) {
        let isToken =
            !name.isEmpty
            && name.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || "!#$%&'*+-.^_`|~".utf8.contains(byte)
            }
        guard isToken else {
            problems.append(BrokenField(name: "headers", reason: "must have names that HTTP allows"))
            return
        }
        let isReserved = Self.reservedHeaders.contains { HTTPHeaders.isEqual($0, name) }
        guard !isReserved, headers[name] == nil else {
            problems.append(
                BrokenField(name: name, reason: "must not replace a header that the contract or the runtime writes"))
            return
        }
        append(header: name, value, false)
    }

    /// Headers that determine where a request ends, who sends it, or whether it is carried out twice.
    private static let reservedHeaders = [
        "Authorization", "Connection", "Content-Length", "Content-Type", "Cookie", "Host", "Idempotency-Key",
        "Proxy-Authorization", "TE", "Trailer", "Transfer-Encoding", "Upgrade",
    ]

    /// Adds the signature over all parameters written so far, and over the headers that the rule names.
    mutating func sign(_ rule: SigningRule, key: String) {
        let sent = parameters
        let signed = rule.headers.flatMap { name in
            headers.fields.filter { HTTPHeaders.isEqual($0.name, name) }
                .map { SignedParameter(name: name, value: $0.value) }
        }
        let signature = rule.sign(rule.prepare(sent + signed), key: key)
        secrets.append(key)
        secrets.append(signature)
        if case .headers = rule.carrier {
            for parameter in sent where rule.signs(parameter) {
                append(header: parameter.name, parameter.value, true)
            }
        }
        switch rule.destination {
        case .header(let name): append(header: name, signature, true)
        case .query(let name): append(query: name, signature, true)
        case .body(let name): parameter(name, signature, sensitive: true)
        }
    }

    /// The finished request, or what is wrong with it.
    ///
    /// - Parameter home: the origin of the service.
    consuming func finish(
        _ endpoint: EndpointDescription, _ limits: RequestLimits, home: Origin?
    ) -> Result<AssembledRequest, InvalidRequest> {
        let (url, printedURL) = makeURL()
        var headers = self.headers
        var problems = self.problems
        let secrets = self.secrets
        let method = self.method
        let sensitiveNames = self.sensitiveNames
        let foreignOrigin = absoluteURL.flatMap(Origin.init)
        let isForeign = leavesService || (foreignOrigin != nil && foreignOrigin != home)
        let isForURL = isForURL
        var bytes: [UInt8]?
        var streamedBody: BodySource?
        var json: [UInt8]?
        var content = BodyContent.opaque
        do throws(JSONError) {
            if let written = try body.finish() {
                (bytes, streamedBody) = (written.bytes, written.streamed)
                content = written.content
                if let xml = endpoint.xml, let body = xml.body, content == .json, let written = bytes {
                    json = written
                    bytes = try xml.translator.document(from: written, as: body, xml.types)
                }
                if headers["Content-Type"] == nil {
                    headers.append("Content-Type", written.contentType, isForURL: isForURL)
                }
            }
        } catch {
            let form = endpoint.xml?.body == nil ? "JSON" : "XML"
            problems.append(BrokenField(name: "body", reason: "has no form in \(form): \(error.expectation)"))
        }
        if endpoint.frame != nil {
            if let header = headers.fields.first(where: { !HTTPHeaders.isEqual($0.name, "Content-Type") }) {
                problems.append(BrokenField(name: header.name, reason: "has no place in a frame"))
            }
            headers = HTTPHeaders()
        } else if headers["Accept"] == nil {
            if endpoint.xml?.response != nil {
                // Many services send XML as a type of its own, such as `application/atom+xml`.
                headers.append("Accept", "application/xml, text/xml, */*;q=0.5")
            } else if endpoint.response == .json {
                headers.append("Accept", "application/json")
            } else if let stream = endpoint.stream {
                headers.append("Accept", stream.format.accepted)
            }
        }
        guard problems.isEmpty else { return .failure(InvalidRequest(broken: problems)) }
        var request = TransportRequest(
            method: method, url: url, headers: headers, body: bytes, timeout: limits.timeout,
            maximumRedirects: endpoint.frame == nil ? limits.maximumRedirects : 0,
            maximumResponseSize: limits.maximumResponseSize, priority: limits.priority,
            network: endpoint.network, isRepeatable: endpoint.effect != .once,
            endpoint: "\(endpoint.service.name).\(endpoint.name)", streamedBody: streamedBody,
            streamsResponse: endpoint.stream != nil)
        request.frame = endpoint.frame?.kind
        if request.hasBody { request.compression = endpoint.compression }
        request.isForeign = isForeign
        request.finalRedirects = endpoint.finalRedirects
        if isForeign { request = request.withoutServiceHeaders() }
        return .success(
            AssembledRequest(
                request: request, printedURL: printedURL, secrets: secrets,
                sensitiveNames: sensitiveNames, content: content, json: json, foreignOrigin: foreignOrigin))
    }

    /// The URL and the headers of a handshake; nil if a value cannot be sent.
    package consuming func finishHandshake() -> (url: String, headers: HTTPHeaders)? {
        guard problems.isEmpty else { return nil }
        return (makeURL().url, headers)
    }

    private borrowing func makeURL() -> (url: String, printed: String) {
        if let link { return linkURL(link) }
        if let absoluteURL {
            let printed =
                isAbsoluteURLSensitive
                ? "\(Origin(absoluteURL)?.description ?? "")/\(Redaction.mark)" : absoluteURL
            return (
                Self.join(absoluteURL, queryText), Self.join(printed, printedQuery ?? queryText)
            )
        }
        let slash = path.isEmpty || path.utf8.first == 0x2F ? "" : "/"
        let printedPath = self.printedPath ?? path
        return (
            Self.join(base + slash + path, queryText),
            Self.join(base + slash + printedPath, printedQuery ?? queryText)
        )
    }

    private static func join(_ url: String, _ query: String) -> String {
        if query.isEmpty { return url }
        return url + (url.utf8.contains(0x3F) ? "&" : "?") + query
    }
}

/// The time limits and the priority of a request.
struct RequestLimits {
    /// How long the attempt may take.
    let timeout: Duration
    let maximumRedirects: Int
    /// In bytes.
    let maximumResponseSize: Int
    let priority: Priority
}

/// Why a command cannot be sent as it is.
package struct InvalidRequest: Error {
    package let broken: [BrokenField]
}

extension AttemptSummary {
    /// Keeps the request that was sent, if interceptors may have changed it.
    mutating func noteSent(_ assembled: AssembledRequest) {
        guard let sent = assembled.request.sent?.line else { return }
        method = sent.method
        url = assembled.printed(sent.url)
    }
}
