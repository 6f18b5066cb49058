// Without the trait `Tool`, the target is empty, so that only the message of `errand/ToolRequirement.swift` is shown.
#if canImport(FlyingSocks)
import ContractModel
import JSONTree
import MockServer

/// The page in the browser, and what is behind it: the state, the switches, and the live log.
///
/// Only the page itself may change anything: a request with the origin of another page is refused, and a body that no form can send is
/// required, so that a page of a stranger cannot use the browser of a developer.
extension MockHost {
    static let pagePath = "/_errand/"
    /// How many pages follow the log. Another one ends the oldest.
    private static let mostListeners = 16

    /// The response to a request for the page. Nil for a request to the service.
    func pageResponse(to request: MockRequest) async -> PageResponse? {
        guard request.path.hasPrefix(Self.pagePath) || request.path == "/_errand" else { return nil }
        // The host leaves out the body of a response to HEAD.
        let isHead = request.method == "HEAD"
        let method = isHead ? "GET" : request.method
        let isPage = method == "GET" && request.path.dropFirst(Self.pagePath.count).isEmpty
        guard PageAccess(address: address).allows(request, isPage: isPage) else {
            return Self.text(
                403,
                "This page opens at an address such as 127.0.0.1 or localhost, and no page of another site uses it.")
        }
        switch (method, request.path.dropFirst(Self.pagePath.count)) {
        case ("GET", "") where request.path == "/_errand":
            return PageResponse(status: 307, headers: [("Location", Self.pagePath)])
        case ("GET", ""):
            return PageResponse(status: 200, headers: Self.pageHeaders, body: PackageResources.page_html)
        case ("GET", "state"): return Self.json(state)
        case ("GET", "events"):
            let events = isHead ? nil : listen(after: request.header("Last-Event-ID"))
            return PageResponse(status: 200, headers: Self.eventHeaders, events: events)
        case ("POST", let action):
            guard request.header("Content-Type")?.lowercased().hasPrefix("application/json") ?? false,
                let body = JSONNode.parsed(request.body)
            else { return Self.text(415, "The body must be JSON.") }
            return await change(String(action), body)
        default: return Self.text(404, "There is no such page.")
        }
    }

    private static let pageHeaders = [
        ("Content-Type", "text/html; charset=utf-8"), ("Cache-Control", "no-store"), ("X-Frame-Options", "DENY"),
        (
            "Content-Security-Policy",
            "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; img-src data:"
        ),
    ].map { (name: $0.0, value: $0.1) }

    private static let eventHeaders = [("Content-Type", "text/event-stream"), ("Cache-Control", "no-store")].map {
        (name: $0.0, value: $0.1)
    }

    private static func text(_ status: Int, _ text: String) -> PageResponse {
        PageResponse(status: status, headers: [("Content-Type", "text/plain")], body: Array(text.utf8))
    }

    private static func json(_ value: JSONNode) -> PageResponse {
        PageResponse(
            status: 200, headers: [("Content-Type", "application/json"), ("Cache-Control", "no-store")],
            body: value.bytes)
    }

    // MARK: State

    private var state: JSONNode {
        let names = FailureNames(contract)
        var endpoints = contract.endpoints.map { endpoint in
            let groups = [
                ("errors and outcomes", names.declared(at: endpoint)),
                ("built-in errors", FailureNames.builtIns(at: endpoint).map(\.rawValue)),
                ("on the wire", FailureNames.ofWire(at: endpoint)),
            ]
            let method = endpoint.method?.rawValue.uppercased() ?? "->"
            let path = endpoint.path.map(Self.text) ?? endpoint.frame?.kind.value ?? ""
            return row(endpoint.name.value, method, path, groups)
        }
        if !names.ofHandshake.isEmpty {
            let path = play { engine, _ in engine.basePath.isEmpty ? "/" : engine.basePath }
            endpoints.insert(row(FailureNames.handshake, "GET", path, [("of a handshake", names.ofHandshake)]), at: 0)
        }
        let latency = settings.latency.upperBound.components
        return .object([
            .init("service", .string(contract.service.value)), .init("seed", .number(String(settings.seed))),
            .init("latency", .number(Int(latency.seconds * 1000 + latency.attoseconds / 1_000_000_000_000_000))),
            .init("errorRate", .number("\(settings.errorRate)")), .init("endpoints", .array(endpoints)),
            .init("events", .array(contract.events.map { .string($0.name.value) })),
        ])
    }

    /// An endpoint with the failures that can be switched on, in groups.
    private func row(_ name: String, _ method: String, _ path: String, _ groups: [(String, [String])]) -> JSONNode {
        .object([
            .init("name", .string(name)), .init("method", .string(method)), .init("path", .string(path)),
            .init("failure", settings.switches[name].map(JSONNode.string) ?? .null),
            .init(
                "groups",
                .array(
                    groups.filter { !$0.1.isEmpty }.map { name, failures in
                        .object([
                            .init("name", .string(name)), .init("failures", .array(failures.map(JSONNode.string))),
                        ])
                    })),
        ])
    }

    private static func text(of path: PathTemplate) -> String {
        guard case .path(let parts) = path else { return path.shape }
        return parts.map { part in
            switch part {
            case .text(let text): text
            case .parameter(let field): "{\(field.name.value)}"
            }
        }.joined()
    }

    private func change(_ action: String, _ body: JSONNode) async -> PageResponse {
        switch action {
        case "switch":
            let names = FailureNames(contract)
            guard let name = body["endpoint"]?.scalarText, names.hasEndpoint(name) else {
                return Self.text(422, "The contract has no such endpoint.")
            }
            let failure = body["failure"]?.scalarText
            if let failure, names.problem(of: FailureRule(endpoint: name, failure: failure)) != nil {
                return Self.text(422, "The endpoint has no such failure.")
            }
            settings.switches[name] = failure
        case "dial":
            // Each dial alone: another page may have moved the other one.
            let latency = body["latency"].map { $0.scalarText.flatMap { Int($0) } ?? -1 }
            let rate = body["errorRate"].map { $0.scalarText.flatMap { Double($0) } ?? -1 }
            guard latency != nil || rate != nil, (0...60_000).contains(latency ?? 0), (0...1).contains(rate ?? 0)
            else { return Self.text(422, "The latency is in milliseconds, and the rate from 0 to 1.") }
            if let latency { settings.latency = .milliseconds(latency) ... .milliseconds(latency) }
            if let rate { settings.errorRate = rate }
        case "expire": await change { $0.expireSessions() }
        case "event":
            guard let name = body["name"]?.scalarText, await sendEvent(named: name) else {
                return Self.text(422, "The contract has no such event.")
            }
        default: return Self.text(404, "There is no such page.")
        }
        return PageResponse(status: 204)
    }

    // MARK: The live log

    /// Identifies the events of this process: the numbers of requests begin anew with the server.
    private static let run = String(UInt64.random(in: .min ... .max), radix: 36)

    /// The events of a page: first the latest entries, then each new one. A page whose connection was cut says which event was its
    /// last one, and gets those that it has missed.
    private func listen(after last: String?) -> AsyncStream<[UInt8]> {
        let (stream, continuation) = AsyncStream.makeStream(of: [UInt8].self, bufferingPolicy: .bufferingNewest(1_000))
        let mark = "\(Self.run)-"
        if let last, last.hasPrefix(mark), let number = Int(last.dropFirst(mark.count)) {
            continuation.yield(Array("retry: 1000\n\n".utf8))
            for entry in recent where entry.number > number { continuation.yield(Self.event(entry)) }
        } else {
            continuation.yield(Array("retry: 1000\nevent: restart\ndata: {}\n\n".utf8))
            for entry in recent { continuation.yield(Self.event(entry, isOld: true)) }
        }
        add(continuation, most: Self.mostListeners)
        return stream
    }

    static func event(_ entry: LogEntry, isOld: Bool = false) -> [UInt8] {
        let value = JSONNode.object([
            .init("number", .number(entry.number)), .init("text", .string(entry.text)),
            .init("result", .string(entry.result.rawValue)), .init("resultText", .string(entry.resultText)),
            .init("remark", entry.remark.map(JSONNode.string) ?? .null),
            .init("earlier", entry.earlier.map { .number($0) } ?? .null),
            .init("findings", .array(entry.findings.map(JSONNode.string))), .init("isOld", .bool(isOld)),
        ])
        return Array("id: \(run)-\(entry.number)\ndata: \(value.description)\n\n".utf8)
    }
}
#endif
