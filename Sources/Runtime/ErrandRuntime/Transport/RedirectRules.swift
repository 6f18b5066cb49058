#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension TransportRequest {
    /// Sends the request over a transport, and follows its redirects, up to the request's `maximumRedirects`.
    ///
    /// Architecture invariant: redirects are followed here, and nowhere else. A transport sends each request once.
    func sent(over transport: any Transport) async throws(TransportFault) -> TransportResponse {
        let response = try await sentOnce(over: transport)
        guard let target = target(of: response) else { return response }
        return try await following(response, to: target, over: transport)
    }

    /// Follows the redirects after a first response. Few requests have any, so the others have no room for a second one.
    @inline(never)
    private func following(
        _ first: TransportResponse, to firstTarget: String, over transport: any Transport
    ) async throws(TransportFault) -> TransportResponse {
        var (hop, response, target) = (self, first, firstTarget)
        var redirects = 0
        var followed = FollowedRedirects.none
        while true {
            if TrailingSlashError.statuses.contains(response.status) {
                response.trailingSlash = TrailingSlashError(from: hop.url, to: target)
            }
            guard redirects < maximumRedirects, let next = hop.following(response, to: target) else { return response }
            followed = max(followed, response.trailingSlash == nil ? .open : .harmless)
            hop = next
            redirects += 1
            do throws(TransportFault) {
                response = try await hop.sentOnce(over: transport)
            } catch {
                throw followed == .open ? error.afterRedirect() : error
            }
            if response.redirectedTo == nil {
                response.redirectedTo = hop.url
                response.hasOnlyMovedSlash = followed == .harmless
            }
            guard let further = hop.target(of: response) else { return response }
            target = further
        }
    }

    @inline(never)
    private func sentOnce(over transport: any Transport) async throws(TransportFault) -> TransportResponse {
        try verify(over: transport)
        return try await transport.send(withoutRedirects)
    }

    private var withoutRedirects: TransportRequest {
        @inline(never) get {
            var request = self
            request.maximumRedirects = 0
            return request
        }
    }

    @inline(never)
    private func verify(over transport: any Transport) throws(TransportFault) {
        if let pins { try verify(pins, over: transport) }
        try verifyBody()
    }

    /// Refuses a request whose pins can't be compared with the server's key.
    private func verify(_ pins: PublicKeyPins, over transport: any Transport) throws(TransportFault) {
        guard let origin = Origin(url) else { return }
        do throws(PinError) {
            try pins.verify(
                origin.host, isSecure: origin.scheme == "https",
                unsupportedBy: transport.enforcesPins ? nil : "\(type(of: transport))")
        } catch {
            throw TransportFault(error)
        }
    }

    private func verifyBody() throws(TransportFault) {
        do throws(BodySourceError) {
            try streamedBody?.verify()
        } catch {
            throw TransportFault(.requestBody, evidence: .notSent, underlying: error)
        }
    }

    /// The URL that a response redirects to; nil if it doesn't.
    private func target(of response: TransportResponse) -> String? {
        guard (300..<400).contains(response.status), let location = response.headers["Location"] else { return nil }
        let target = URL(string: location, relativeTo: URL(string: url))?.absoluteString
        return target.map { String($0.prefix { $0 != "#" }) }
    }

    /// The request to send after a response that redirects; nil if the response is final.
    private func following(_ response: TransportResponse, to target: String) -> TransportRequest? {
        let method = DecisionTable.method(of: method.rawValue, redirectedWith: response.status)
        guard let method, !finalRedirects.contains(response.status) else { return nil }
        let next = method == self.method.rawValue ? self : asGet()
        // A body that can be read once was.
        guard next.streamedBody?.isReplayable ?? true else { return nil }
        return next.moved(to: target)
    }
}

/// What the redirects of an attempt say about the places before the last one.
enum FollowedRedirects: Comparable, Sendable {
    /// None was followed.
    case none
    /// None of the places has acted: each has only asked for the same path with or without a slash at its end.
    case harmless
    /// A place before the last one may have acted.
    case open
}

extension TransportResponse {
    /// The redirects that were followed. Nothing is known about those that a system has followed by itself.
    var followed: FollowedRedirects { redirectedTo == nil ? .none : hasOnlyMovedSlash ? .harmless : .open }
}

extension TransportFault {
    /// The same fault of an attempt that was redirected before by a server that may have acted. This server has read the request and
    /// responded, regardless of what became of the rest.
    fileprivate func afterRedirect() -> TransportFault {
        let isOpen = evidence == .notSent || evidence == .unprocessed
        var fault = TransportFault(
            kind, evidence: isOpen ? .sent : evidence, isStaleConnection: isStaleConnection, underlying: underlying)
        fault.isRedirected = true
        return fault
    }
}
