import ContractModel
import Diagnostics
import MockServer

/// The command line of an endpoint's request, with the values of its first example, or of its types.
struct CurlSample {
    struct Command {
        var text: String
        /// What the words in capital letters stand for.
        var remarks: [String]
    }

    private let contract: ResolvedContract

    init(_ contract: ResolvedContract) { self.contract = contract }

    /// Nil for an endpoint without a request of its own.
    func command(for endpoint: ResolvedEndpoint) -> Command? {
        let sample = RequestSample(
            contract, seed: 0, token: "TOKEN", refresh: "REFRESH", completesExamples: false)
        let example = endpoint.definition.examples.lazy.compactMap(\.request).first
        guard
            let (request, form, standIns) = sample.sample(of: endpoint, base: base(of: endpoint), example: example)
        else { return nil }
        let query = request.query.isEmpty ? "" : "?" + request.query
        var parts = [request.method == "HEAD" ? "curl --head" : "curl -X \(request.method)"]
        parts.append(Self.quoted(request.path + query))
        for header in request.headers where !Self.isOfMultipart(header) {
            // curl takes a header without a value for the wish to leave it out, unless a semicolon is in place of the colon.
            let isEmpty = header.value.allSatisfy { $0 == " " || $0 == "\t" }
            parts.append("-H " + Self.quoted(isEmpty ? "\(header.name);" : "\(header.name): \(header.value)"))
        }
        var remarks: [String] = []
        if let body = endpoint.body { parts += self.body(body, of: request, form, &remarks) }
        remarks += RequestSample.StandIn.allCases.filter(standIns.contains).map(Self.remark)
        let role = endpoint.definition.server.flatMap { contract.role(named: $0.value) }
        if contract.signing != nil, role?.sends(.signature) ?? true {
            remarks.append("the command lacks the signature of the request")
        }
        return Command(text: parts.joined(separator: " \\\n  "), remarks: remarks)
    }

    /// What a word of a request stands for.
    static func remark(_ standIn: RequestSample.StandIn) -> String {
        switch standIn {
        case .token: "`TOKEN` stands for the session's token"
        case .refresh: "`REFRESH` stands for the token that renews the session"
        case .credential: "`CREDENTIAL` stands for the credential"
        case .key: "`key-1` stands for an idempotency key, of which each new command has another one"
        }
    }

    /// The URL of the first server, or of the role that the endpoint is sent to.
    private func base(of endpoint: ResolvedEndpoint) -> String {
        guard let server = contract.servers.first else { return "https://example.com" }
        let url = endpoint.definition.server.flatMap { server.url(of: $0.value) } ?? server.url
        return Self.text(url)
    }

    static func text(_ url: [ServerDefinition.Part]) -> String {
        url.map { part in
            switch part {
            case .text(let text): text
            case .variable(_, let value): value
            }
        }.joined()
    }

    private func body(
        _ body: BodyDefinition, of request: MockRequest, _ form: [RequestSample.Part], _ remarks: inout [String]
    ) -> [String] {
        switch (body.encoding, body.content) {
        case (.json, _):
            return [
                "-H " + Self.quoted("Content-Type: \(body.contentType ?? "application/json")"),
                "--data-raw " + Self.quoted(String(decoding: request.body, as: UTF8.self)),
            ]
        case (.form, _): return ["--data-raw " + Self.quoted(String(decoding: request.body, as: UTF8.self))]
        case (.multipart, .fields):
            if form.contains(where: \.isFile) { remarks.append("`FILE` is a file with the bytes") }
            return form.map { part in
                part.isFile
                    ? "-F " + Self.quoted("\(part.name)=@FILE")
                    : "--form-string " + Self.quoted("\(part.name)=\(part.value)")
            }
        case (.xml, _):
            remarks.append("`body.xml` is a document that fits the inputs")
            return [
                "-H " + Self.quoted("Content-Type: \(body.contentType ?? "application/xml")"),
                "--data-binary @body.xml",
            ]
        case (_, .bytes(let contentType)):
            remarks.append("`FILE` is a file with the bytes")
            return ["-H " + Self.quoted("Content-Type: \(contentType)"), "--data-binary @FILE"]
        default: return []
        }
    }

    private static func isOfMultipart(_ header: (name: String, value: String)) -> Bool {
        header.name == "Content-Type" && header.value.hasPrefix("multipart/")
    }

    /// An argument in a shell (POSIX 2.2.2).
    private static func quoted(_ text: String) -> String {
        "'" + text.replacing(scalar: "'", with: "'\\''") + "'"
    }
}
