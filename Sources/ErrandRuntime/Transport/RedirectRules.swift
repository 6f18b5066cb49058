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
        var hop = self
        hop.maximumRedirects = 0
        var redirects = 0
        while true {
            var response: TransportResponse
            do throws(TransportFault) {
                if let pins = hop.pins { try hop.verify(pins, over: transport) }
                try hop.verifyBody()
                response = try await transport.send(hop)
            } catch {
                throw redirects == 0 ? error : error.afterRedirect()
            }
            if redirects > 0, response.redirectedTo == nil { response.redirectedTo = hop.url }
            guard redirects < maximumRedirects, let next = hop.following(response) else { return response }
            hop = next
            redirects += 1
        }
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

    /// The request to send after a response that redirects; nil if the response is final.
    private func following(_ response: TransportResponse) -> TransportRequest? {
        let method = DecisionTable.method(of: method.rawValue, redirectedWith: response.status)
        guard let method, !finalRedirects.contains(response.status), let location = response.headers["Location"],
            let target = URL(string: location, relativeTo: URL(string: url))?.absoluteString
        else { return nil }
        let next = method == self.method.rawValue ? self : asGet()
        // A body that can be read once was.
        guard next.streamedBody?.isReplayable ?? true else { return nil }
        return next.moved(to: String(target.prefix { $0 != "#" }))
    }
}

extension TransportFault {
    /// The same fault of an attempt that was redirected before. The first server has read the request and responded, regardless
    /// of what became of the rest.
    fileprivate func afterRedirect() -> TransportFault {
        let isOpen = evidence == .notSent || evidence == .unprocessed
        var fault = TransportFault(
            kind, evidence: isOpen ? .sent : evidence, isStaleConnection: isStaleConnection, underlying: underlying)
        fault.isRedirected = true
        return fault
    }
}
