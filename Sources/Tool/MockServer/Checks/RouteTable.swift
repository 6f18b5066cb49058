import ContractModel
import Diagnostics

/// The endpoints of a contract by method and path.
package struct RouteTable: Sendable {
    /// One endpoint at one base path.
    struct Route: Sendable {
        /// The position of the endpoint in the contract.
        let endpoint: Int
        let method: String
        /// The path of the server, without a slash at its end: `/v1`.
        let base: String
        fileprivate let segments: [[PathTemplate.Part]]
        /// How many segments are fixed. Of two routes that match, the one with more is meant.
        fileprivate let fixed: Int
    }

    package struct Match: Sendable {
        /// The position of the endpoint in the contract.
        package let endpoint: Int
        let base: String
        /// The decoded values of the path's parameters, by the names of the contract.
        package let parameters: [(field: FieldDefinition, value: String)]
        /// How many segments of the path are fixed. Of two endpoints, the one with more is meant.
        package var fixed = 0
    }

    package enum Result: Sendable {
        case match(Match)
        /// Why no endpoint takes the request, in words, and the status that says so.
        ///
        /// - Parameter allowed: the methods that the path has.
        case none(status: Int, message: String, allowed: [String] = [])
    }

    private let routes: [Route]
    /// The base paths of the contract. A connection is opened at one of them.
    let bases: [String]
    /// The first base path of the contract.
    let usualBase: String

    package init(_ contract: ResolvedContract) {
        let bases = Self.bases(contract.servers.map(\.url))
        self.bases = bases
        usualBase = bases.first ?? ""
        var routes: [Route] = []
        for (position, endpoint) in contract.endpoints.enumerated() {
            guard case .http(let method, let path) = endpoint.target, case .path(let parts) = path.value else {
                continue
            }
            let segments = Self.segments(of: parts)
            let fixed = segments.count { segment in
                segment.allSatisfy { if case .text = $0 { true } else { false } }
            }
            let role = endpoint.definition.server?.value
            let ownBases = role.map { role in Self.bases(contract.servers.compactMap { $0.url(of: role) }) } ?? bases
            for base in ownBases {
                routes.append(
                    Route(
                        endpoint: position, method: method.rawValue.uppercased(), base: base, segments: segments,
                        fixed: fixed))
            }
        }
        self.routes = routes.enumerated().sorted { ($1.element.fixed, $0.offset) < ($0.element.fixed, $1.offset) }.map(
            \.element)
    }

    /// The paths of base URLs, each once.
    private static func bases(_ urls: [[ServerDefinition.Part]]) -> [String] {
        var bases: [String] = []
        for url in urls {
            let path = basePath(of: url.filled)
            if !bases.contains(path) { bases.append(path) }
        }
        return bases.isEmpty ? [""] : bases
    }

    /// The path of a base URL, without a slash at its end.
    package static func basePath(of url: String) -> String {
        let afterScheme = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
        var path = afterScheme.drop { $0 != "/" }
        while path.hasSuffix("/") { path.removeLast() }
        return String(path)
    }

    private static func segments(of parts: [PathTemplate.Part]) -> [[PathTemplate.Part]] {
        var segments: [[PathTemplate.Part]] = [[]]
        for part in parts {
            guard case .text(let text) = part else {
                segments[segments.count - 1].append(part)
                continue
            }
            for (position, piece) in text.split(separator: "/", omittingEmptySubsequences: false).enumerated() {
                if position > 0 { segments.append([]) }
                if !piece.isEmpty { segments[segments.count - 1].append(.text(String(piece))) }
            }
        }
        return Array(segments.dropFirst())
    }

    /// The endpoint that takes a request. A HEAD without an endpoint of its own is a GET (RFC 9110, section 9.3.2).
    package func match(method: String, path: String) -> Result {
        let result = endpoint(method: method, path: path)
        guard method == "HEAD", case .none = result, case .match(let match) = endpoint(method: "GET", path: path) else {
            return result
        }
        return .match(match)
    }

    /// All endpoints that have the method and the path, those with the most fixed segments first. Several can differ in their server, or in
    /// their inputs. A HEAD without an endpoint of its own is a GET.
    package func matches(method: String, path: String) -> [Match] {
        let found = routes.compactMap { route in
            route.method == method ? match(route, path) : nil
        }
        return found.isEmpty && method == "HEAD" ? matches(method: "GET", path: path) : found
    }

    private func match(_ route: Route, _ path: String) -> Match? {
        guard path == route.base || path.hasPrefix(route.base + "/"),
            let parameters = Self.parameters(of: route, in: path.dropFirst(route.base.count))
        else { return nil }
        return Match(endpoint: route.endpoint, base: route.base, parameters: parameters, fixed: route.fixed)
    }

    /// The segments of paths that are not values.
    package var fixedSegments: Set<String> {
        var segments = Set(bases.flatMap { $0.split(separator: "/").map(String.init) })
        for route in routes {
            segments.formUnion(route.base.split(separator: "/").map(String.init))
            for segment in route.segments {
                if segment.count == 1, case .text(let text) = segment[0] { segments.insert(text) }
            }
        }
        return segments
    }

    private func endpoint(method: String, path: String) -> Result {
        var otherMethods: [String] = []
        for route in routes {
            guard let match = match(route, path) else { continue }
            if route.method == method { return .match(match) }
            if !otherMethods.contains(route.method) { otherMethods.append(route.method) }
        }
        if !otherMethods.isEmpty {
            return .none(
                status: 405,
                message:
                    "the contract has no \(ClientText.shown(method)) for this path, but \(otherMethods.joined(separator: ", "))",
                allowed: otherMethods.flatMap { method in
                    method == "GET" && !otherMethods.contains("HEAD") ? ["GET", "HEAD"] : [method]
                })
        }
        let usual = usualBase + path
        if !usualBase.isEmpty, !path.hasPrefix(usualBase + "/"),
            routes.contains(where: { $0.base == usualBase && Self.parameters(of: $0, in: path[...]) != nil })
        {
            return .none(
                status: 404,
                message:
                    "no endpoint has this path; the server's paths begin with `\(usualBase)`: `\(ClientText.shown(usual))`"
            )
        }
        return .none(status: 404, message: "the contract has no endpoint with this path")
    }

    private static func parameters(of route: Route, in path: Substring) -> [(field: FieldDefinition, value: String)]? {
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        guard segments.count == route.segments.count else { return nil }
        var parameters: [(field: FieldDefinition, value: String)] = []
        for (segment, template) in zip(segments, route.segments) {
            guard let found = values(of: template, in: segment) else { return nil }
            parameters += found
        }
        return parameters
    }

    /// The values of a segment's parameters, each as short as possible and not empty.
    private static func values(
        of template: [PathTemplate.Part], in segment: Substring
    ) -> [(field: FieldDefinition, value: String)]? {
        if template.count == 1, case .text(let text) = template[0] {
            // Two spellings of a path are the same, with and without percent encoding (RFC 3986, section 6.2.2).
            return PercentText.decoded(segment).utf8.elementsEqual(PercentText.decoded(text).utf8) ? [] : nil
        }
        var rest = segment
        var values: [(field: FieldDefinition, value: String)] = []
        for (position, part) in template.enumerated() {
            switch part {
            case .text(let text):
                let text = PercentText.path(text)
                guard rest.hasPrefix(text) else { return nil }
                rest = rest.dropFirst(text.count)
            case .parameter(let field):
                var end = rest.endIndex
                if position + 1 < template.count, case .text(let next) = template[position + 1] {
                    guard let found = rest.dropFirst().firstRange(of: PercentText.path(next)) else { return nil }
                    end = found.lowerBound
                }
                guard end > rest.startIndex, let value = PercentText.validated(rest[..<end]) else { return nil }
                values.append((field, value))
                rest = rest[end...]
            }
        }
        return rest.isEmpty ? values : nil
    }
}
