import ContractChecks
import ContractModel
import MockServer

/// What a recording has of one service.
struct ServiceTraffic {
    /// An address at which the service was recorded, and where that is in the contract.
    private struct Base {
        let origin: RecordedURL.Origin
        /// The path of the address, without a slash at its end.
        let path: String
        let contractPath: String
        /// The role of the origin; nil for the server itself.
        let role: String?

        func has(_ url: RecordedURL) -> Bool {
            origin == url.origin && (url.path == path || url.path.hasPrefix(path + "/"))
        }
    }

    /// What was seen of an endpoint.
    struct Seen {
        /// How many responses had each meaning, by their names.
        var meanings: [String: Int] = [:]
        /// How many requests had no response that says something.
        var others = 0
    }

    let contract: ResolvedContract
    private let bases: [Base]
    private let routes: RouteTable
    /// The segments of paths that the contract and the addresses have.
    private let segments: Set<String>
    private var readings: [Int: ResponseReading] = [:]
    /// By the positions of endpoints.
    private(set) var seen: [Int: Seen] = [:]
    /// Whether a request for the service had no endpoint.
    var hasUndeclaredRequests = false
    /// The names of the errors and, by the positions of their endpoints, of the outcomes that were seen.
    private(set) var errors: Set<String> = []
    private(set) var outcomes: [Int: Set<String>] = [:]

    /// - Parameter addresses: base URLs at which the service was recorded beside those of the contract.
    init(_ contract: ResolvedContract, at addresses: [RecordedAddress]) {
        self.contract = contract
        routes = RouteTable(contract)
        var bases: [Base] = []
        func add(_ url: RecordedURL, _ path: String, _ contractPath: String, _ role: String?) {
            bases.append(Base(origin: url.origin, path: path, contractPath: contractPath, role: role))
        }
        for server in contract.servers {
            let urls = [(nil, server.url)] + server.roles.map { (Optional($0.name.value), $0.url) }
            for (role, url) in urls {
                let path = RouteTable.basePath(of: url.filled)
                if let url = RecordedURL(url.filled) { add(url, path, path, role) }
            }
        }
        for address in addresses where address.service == nil || address.service == contract.service.value {
            let server = contract.servers.first
            let urls = [(nil, server?.url)] + (server?.roles ?? []).map { (Optional($0.name.value), Optional($0.url)) }
            for (role, url) in urls {
                let own = RouteTable.basePath(of: url?.filled ?? "")
                // An address without a path has the paths of the contract.
                let path = RouteTable.basePath(of: address.text)
                add(address.url, path.isEmpty ? own : path, own, role)
            }
        }
        self.bases = bases
        segments = routes.fixedSegments.union(bases.flatMap { $0.path.split(separator: "/").map(String.init) })
    }

    /// A path with its names, and without its values.
    func shape(ofPath path: String) -> String { RecordedName.shape(ofPath: path, knowing: segments) }

    /// An endpoint that has the method and the path of a request, by the contract's path.
    typealias Candidate = (match: RouteTable.Match, path: String)

    enum Match {
        /// At least one. Several have the same path, and differ in their inputs.
        case endpoints([Candidate])
        /// The request is for the service, and no endpoint takes it.
        case none
        case otherHost
    }

    /// Whether a URL begins with an address of the service.
    func has(_ url: RecordedURL) -> Bool { bases.contains { $0.has(url) } }

    /// The endpoints that take a request. Of different paths, that with the most fixed segments is meant.
    func match(_ method: String, _ url: RecordedURL) -> Match {
        var isOwn = false
        var candidates: [Candidate] = []
        for base in bases where base.has(url) {
            isOwn = true
            let path = base.contractPath + url.path.dropFirst(base.path.count)
            for match in routes.matches(method: method, path: path)
            where contract.endpoints[match.endpoint].definition.server?.value == base.role {
                if candidates.contains(where: { $0.match.endpoint == match.endpoint }) { continue }
                candidates.append((match, path))
            }
        }
        guard let most = candidates.map(\.match.fixed).max() else { return isOwn ? .none : .otherHost }
        return .endpoints(candidates.filter { $0.match.fixed == most })
    }

    /// Whether the recording has a request for the service.
    var isRecorded: Bool { !seen.isEmpty || hasUndeclaredRequests }

    mutating func reading(of endpoint: Int) -> ResponseReading {
        if let known = readings[endpoint] { return known }
        let reading = ResponseReading(contract.endpoints[endpoint], in: contract)
        readings[endpoint] = reading
        return reading
    }

    /// Counts a response, or a request without one.
    mutating func note(_ meaning: ResponseMeaning?, of endpoint: Int) {
        guard let meaning else {
            seen[endpoint, default: Seen()].others += 1
            return
        }
        seen[endpoint, default: Seen()].meanings[meaning.name, default: 0] += 1
        switch meaning.kind {
        case .error(let name): errors.insert(name)
        case .outcome(let name): outcomes[endpoint, default: []].insert(name)
        case .success, .builtIn: break
        }
    }
}

/// A base URL at which a service was recorded, in place of those of its contract.
package struct RecordedAddress: Sendable {
    /// Nil for all services.
    package let service: String?
    let text: String
    let url: RecordedURL

    /// - Parameter text: `https://staging.bank.example/v1`, or `Bank=https://staging.bank.example/v1`. Nil for a text that is none.
    package init?(_ text: String) {
        var rest = text[...]
        var service: String?
        if let sign = rest.firstIndex(of: "="), !rest[..<sign].contains("/") {
            service = String(rest[..<sign])
            rest = rest[rest.index(after: sign)...]
        }
        guard service?.isEmpty != true, let url = RecordedURL(rest), url.query.isEmpty else { return nil }
        self.service = service
        self.text = String(rest)
        self.url = url
    }
}
