import ErrandSemantics

/// A program between clients and a service that passes requests on, and responds by itself if it cannot.
///
/// The facts are those of the programs' default pages and settings, as they were seen. `scripts/check gateways` sees the refusals and the
/// repeats again.
package enum Gateway: String, Sendable, CaseIterable {
    case nginx, apache, haproxy, envoy, varnish, squid, lighttpd, caddy

    /// Its name in sentences.
    package var title: String {
        switch self {
        case .nginx: "nginx"
        case .apache: "Apache"
        case .haproxy: "HAProxy"
        case .envoy: "Envoy"
        case .varnish: "Varnish"
        case .squid: "Squid"
        case .lighttpd: "lighttpd"
        case .caddy: "Caddy"
        }
    }

    /// The versions that the facts were seen with.
    package var versions: String {
        switch self {
        case .nginx: "1.22.1"
        case .apache: "2.4.71"
        case .haproxy: "2.6.12"
        case .envoy: "1.40.0"
        case .varnish: "7.1.1"
        case .squid: "5.7"
        case .lighttpd: "1.4.69"
        case .caddy: "2.6.2"
        }
    }

    /// A response that it makes only if it has not passed the request on.
    package struct Refusal: Sendable {
        package let status: Int
        /// The text of its own page, or the header that only it sets.
        package let mark: ResponseMatch
        /// When it makes the response.
        package let occasion: String
        /// With which settings the response is no proof, because another one looks like it.
        package let unless: String
    }

    /// The responses by themselves whose status alone proves nothing. A 4xx other than 408 says already that nothing was done.
    package var refusals: [Refusal] {
        switch self {
        case .nginx:
            [
                Refusal(
                    status: 503, mark: .text("*<center>nginx*"),
                    occasion: "its limit of requests or connections is used up",
                    unless: "`proxy_intercept_errors` with an `error_page 503` of its own")
            ]
        case .apache:
            [
                Refusal(
                    status: 503, mark: .text("*temporarily unable to service your*"),
                    occasion: "it cannot connect to the service", unless: "`ProxyErrorOverride On`")
            ]
        case .haproxy:
            [
                Refusal(
                    status: 503, mark: .text("*No server is available to handle this request.*"),
                    occasion: "no server takes the request", unless: "`retry-on` with responses, or `errorfile 503`")
            ]
        case .envoy:
            [
                Refusal(
                    status: 503, mark: .text("*reset reason: remote connection failure*"),
                    occasion: "the service refuses its connection", unless: Self.retryOn),
                Refusal(
                    status: 503, mark: .text("*reset reason: connection timeout*"),
                    occasion: "the service accepts no connection in time", unless: Self.retryOn),
            ]
        case .squid:
            [
                Refusal(
                    status: 503, mark: .header("X-Squid-Error", "ERR_CONNECT_FAIL*"),
                    occasion: "it cannot connect to the service", unless: "`reply_header_access X-Squid-Error deny all`"
                )
            ]
        case .lighttpd:
            [
                Refusal(
                    status: 503, mark: .text("<?xml version=\"1.0\" encoding=\"iso-8859-1\"?>*"),
                    occasion: "it cannot connect to the service",
                    unless: "`server.error-intercept` or `server.errorfile-prefix`")
            ]
        case .varnish, .caddy: []
        }
    }

    /// Envoy says the same after a second attempt that could not connect, whatever became of the first.
    private static let retryOn = "`retry_on` with anything but `connect-failure`"

    /// The requests that it sends a second time by itself, if a kept connection to the service ends before the response.
    package var repeats: [GatewayRepeat] {
        switch self {
        // `proxy_next_upstream` excepts POST, LOCK and PATCH.
        case .nginx: [GatewayRepeat(except: ["POST", "LOCK", "PATCH"])]
        case .varnish: [GatewayRepeat(bodiless: true)]
        case .squid: [GatewayRepeat(["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"], bodiless: true)]
        case .caddy:
            [
                GatewayRepeat(["GET", "HEAD", "OPTIONS", "TRACE"], bodiless: true),
                GatewayRepeat(bodiless: true, keyed: true),
            ]
        case .apache, .haproxy, .envoy, .lighttpd: []
        }
    }

    /// Whether it makes a whole response of a chunked one that was cut.
    package var completesCutResponses: Bool { self == .lighttpd || self == .caddy }

    /// Whether it responds to a host that nobody has configured with an empty success.
    package var succeedsForUnknownHosts: Bool { self == .caddy }
}

extension Gateway.Refusal {
    /// What it proves, in one sentence without its full stop.
    package func reason(of gateway: Gateway) -> String { "\(gateway.title) makes this \(status) when \(occasion)" }
}

/// One entry of `gateways`: what a request to a server goes through.
package struct GatewayDefinition: Sendable {
    /// The server, by its name in `servers`.
    package var server: Located<String>
    /// Before its `url`, from outside in.
    package var url: [Located<Gateway>] = []
    /// Before the URLs of its roles.
    package var roles: [(name: Located<String>, gateways: [Located<Gateway>])] = []

    package init(server: Located<String>) { self.server = server }

    /// The programs before each of its URLs.
    package var lists: [[Gateway]] { ([url] + roles.map(\.gateways)).map { $0.map(\.value) } }

    /// Whether a response of one of these programs proves something. It is no use to know the others alone.
    package static func hasRefusals(_ gateways: [Gateway]) -> Bool { gateways.contains { !$0.refusals.isEmpty } }

    /// The programs before the URL of a role, or before `url` for nil.
    package func gateways(of role: String?) -> [Gateway] {
        guard let role else { return url.map(\.value) }
        return roles.first { $0.name.value == role }?.gateways.map(\.value) ?? []
    }
}

extension [Gateway] {
    /// Each of them once.
    package var uniqued: [Gateway] { Gateway.allCases.filter(contains) }
}

extension ResolvedContract {
    /// Whether a client can conclude something from a response of a gateway.
    package var hasGatewayRules: Bool { gateways.contains { $0.lists.contains(where: GatewayDefinition.hasRefusals) } }
}

extension GatewayDefinition {
    /// The programs that an endpoint's requests go through, from outside in. None for a whole URL and for a frame.
    package func gateways(before endpoint: EndpointDefinition) -> [Gateway] {
        guard case .http(_, let path) = endpoint.target else { return [] }
        if case .wholeURL = path.value { return [] }
        return gateways(of: endpoint.server?.value)
    }
}

extension EndpointDefinition {
    /// Whether a gateway may send the request a second time by itself.
    ///
    /// - Parameter common: the headers that all requests have.
    package func isRepeated(by gateway: Gateway, common: [FieldDefinition]) -> Bool {
        guard let method else { return false }
        var names = (headers + common).map(\.wireName)
        var hasBody = body != nil
        if effect == .keyed {
            switch idempotencyKey?.place {
            case .header(let name)?: names.append(name.value)
            // It makes a body.
            case .field?: hasBody = hasBody || !method.sendsParametersInQuery
            case nil: names.append(IdempotencyKeyDefinition.standardHeader)
            }
        }
        let isKeyed = names.contains { GatewayRepeat.keyHeaders.contains($0.lowercased()) }
        return gateway.repeats.contains {
            $0.contains(method.rawValue.uppercased(), hasBody: hasBody, hasKey: isKeyed)
        }
    }
}
