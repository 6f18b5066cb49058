/// An observer that prints what goes over the wire.
protocol WireObserver: CommandObserver {
    /// Whether it wants to.
    var showsWire: Bool { get }
    /// Takes one line of a request or a response, redacted.
    func observe(wire line: String, of command: CommandIdentity)
}

/// One attempt as it may be printed. All text comes through the redactor of responses: values that the contract calls
/// sensitive, tokens and keys are `•••`.
struct WireText {
    private let assembled: AssembledRequest
    private let service: ServiceDescription
    private let redactor: ResponseRedactor

    /// How much of a body is printed, in bytes.
    private static let maximumBodySize = 4 << 10

    init(_ assembled: AssembledRequest, _ service: ServiceDescription) {
        self.assembled = assembled
        self.service = service
        redactor = ResponseRedactor(assembled, maximumBodySize: Self.maximumBodySize)
    }

    /// The request as the interceptors get it.
    var request: [String] {
        let request = assembled.request
        let method = request.frame.map { "FRAME \($0)" } ?? request.method.rawValue
        return lines(">", "\(method) \(assembled.printedURL)", request.headers, request.body ?? [])
    }

    func response(_ result: AttemptResult) -> [String] {
        switch result {
        case .success(let response): lines("<", "\(response.status)", response.headers, response.body)
        case .failure(let fault): ["< \(fault)"]
        }
    }

    private func lines(_ mark: String, _ start: String, _ headers: HTTPHeaders, _ body: [UInt8]) -> [String] {
        var lines = [start]
        lines += redactor.headers(headers, service).fields.map { field in
            "\(field.name): \(field.isSensitive ? Redaction.mark : field.value)"
        }
        if !body.isEmpty { lines.append(redactor.body(body, service) ?? "\(body.count) bytes") }
        return lines.map { "\(mark) \(PrintedText.line($0))" }
    }
}
