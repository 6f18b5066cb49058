import ErrandRuntime
import ErrandTesting
import ErrandTransport
import Foundation
import Testing

/// A mistake that a transport can have, and the checks that must see it.
struct Mistake: Sendable {
    let description: String
    let transport: any Transport
    let caughtBy: [String]

    init(_ description: String, caughtBy checks: [String], _ mistaken: @escaping Broken.Mistaken) {
        self.init(description, caughtBy: checks, Broken(mistaken))
    }

    init(_ description: String, caughtBy checks: [String], _ transport: any Transport) {
        self.description = description
        caughtBy = checks
        self.transport = transport
    }
}

extension Mistake {
    static let all: [Mistake] = [
        Mistake(
            "sends again what was lost",
            caughtBy: [
                "reset-after-request", "close-after-request", "end-in-status-line", "only-announced", "mixed-fates",
            ]
        ) { (request, send) async throws(TransportFault) in
            do throws(TransportFault) {
                return try await send(request)
            } catch {
                guard error.kind == .lost else { throw error }
                return try await send(request)
            }
        },
        Mistake(
            "calls everything not sent",
            caughtBy: [
                "reset-after-request", "cut-body", "half-read-request", "server-goes-away", "cancelled-waiting",
                "response-at-limit",
            ]
        ) { (request, send) async throws(TransportFault) in
            do throws(TransportFault) {
                return try await send(request)
            } catch {
                throw TransportFault(error.kind, evidence: .notSent)
            }
        },
        Mistake("calls every lost connection stale", caughtBy: ["stale-connection"]) {
            (request, send) async throws(TransportFault) in
            do throws(TransportFault) {
                return try await send(request)
            } catch {
                throw TransportFault(error.kind, evidence: error.evidence, isStaleConnection: error.kind == .lost)
            }
        },
        Mistake("tells of no kept connection but a dead one", caughtBy: ["reused-connection"]) {
            (request, send) async throws(TransportFault) in
            var response = try await send(request)
            response.isReusedConnection = false
            return response
        },
        Mistake("calls every connection a kept one", caughtBy: ["reused-connection"]) {
            (request, send) async throws(TransportFault) in
            var response = try await send(request)
            response.isReusedConnection = true
            return response
        },
        Mistake("goes on with any version of TLS", caughtBy: ["old-tls"]) {
            (request, send) async throws(TransportFault) in
            do throws(TransportFault) {
                return try await send(request)
            } catch {
                throw error.kind == .tls ? TransportFault(.timeout, evidence: .notSent) : error
            }
        },
        Mistake("inflates what has no body", caughtBy: ["coding-without-body"]) {
            (request, send) async throws(TransportFault) in
            let response = try await send(request)
            if response.headers["Content-Encoding"] != nil, response.body.isEmpty {
                throw TransportFault(.unreadable, evidence: .responded)
            }
            return response
        },
        Mistake(
            "follows redirects as it likes",
            caughtBy: ["redirects-not-followed", "redirects-abroad"]
        ) { (request, send) async throws(TransportFault) in
            var request = request
            for _ in 0..<9 {
                let response = try await send(request)
                guard let location = response.headers["Location"],
                    let url = URL(string: location, relativeTo: URL(string: request.url))?.absoluteString,
                    url.hasPrefix("http")
                else { return response }
                if response.status == 303 { (request.method, request.body) = (.get, nil) }
                request.url = url
            }
            return try await send(request)
        },
        Mistake(
            "has no limit of time",
            caughtBy: ["silent-server", "silent-handshake"]
        ) { (request, send) async throws(TransportFault) in
            var request = request
            request.timeout = .seconds(3_600)
            return try await send(request)
        },
        Mistake(
            "cannot be cancelled",
            caughtBy: ["cancelled-before", "cancelled-waiting", "cancelled-in-body"]
        ) { (request, send) async throws(TransportFault) in
            let result = await Task { () -> Result<TransportResponse, TransportFault> in
                do throws(TransportFault) {
                    return .success(try await send(request))
                } catch {
                    return .failure(error)
                }
            }.value
            return try result.get()
        },
        Mistake(
            "drops headers",
            caughtBy: [
                "whole-response", "repeated-headers", "whole-request", "repeated-request-headers", "blank-header",
                "hundred-at-once",
            ]
        ) { (request, send) async throws(TransportFault) in
            var request = request
            request.headers = [:]
            var response = try await send(request)
            response.headers = [:]
            return response
        },
        Mistake(
            "keeps the last of several headers",
            caughtBy: ["repeated-headers", "repeated-request-headers"]
        ) { (request, send) async throws(TransportFault) in
            var (request, last) = (request, HTTPHeaders())
            for field in request.headers.fields { last.set(field.name, field.value) }
            request.headers = last
            var response = try await send(request)
            response.headers = [:]
            response.headers.append("X-Many", "three")
            return response
        },
        Mistake("has no limit of size", caughtBy: ["response-at-limit"]) {
            (request, send) async throws(TransportFault) in
            var request = request
            request.maximumResponseSize = 64 << 20
            return try await send(request)
        },
        Mistake(
            "takes half an answer for a whole one",
            caughtBy: ["cut-body", "close-after-request", "half-read-request"]
        ) { (request, send) async throws(TransportFault) in
            do throws(TransportFault) {
                return try await send(request)
            } catch {
                guard error.kind == .lost else { throw error }
                return TransportResponse(status: 200)
            }
        },
        Mistake(
            "loses a byte",
            caughtBy: ["whole-response", "chunked-body", "large-response", "whole-request", "large-upload"]
        ) { (request, send) async throws(TransportFault) in
            var request = request
            if let body = request.body { request.body = Array(body.dropLast()) }
            var response = try await send(request)
            response.body = Array(response.body.dropLast())
            return response
        },
        Mistake(
            "acts on a status",
            caughtBy: ["any-status", "body-of-challenge"]
        ) { (request, send) async throws(TransportFault) in
            let response = try await send(request)
            if response.status == 401 || response.status == 407 {
                throw TransportFault(.authentication, evidence: .responded)
            }
            return response
        },
        Mistake("answers from a cache", caughtBy: ["no-cache", "closed-between-requests"], CachingTransport()),
        Mistake("prints what it sends", caughtBy: ["secrets-not-printed"]) {
            (request, send) async throws(TransportFault) in
            do throws(TransportFault) {
                return try await send(request)
            } catch {
                throw TransportFault(error.kind, evidence: error.evidence, underlying: Printing(url: request.url))
            }
        },
        Mistake(
            "calls every fault lost",
            caughtBy: [
                "refused-connection", "unknown-host", "no-tls", "silent-server", "response-at-limit",
                "cancelled-before",
            ]
        ) { (request, send) async throws(TransportFault) in
            do throws(TransportFault) {
                return try await send(request)
            } catch {
                throw TransportFault(.lost, evidence: error.evidence)
            }
        },
    ]
}

/// A transport with a mistake around one without.
struct Broken: Transport {
    typealias Send = @Sendable (TransportRequest) async throws(TransportFault) -> TransportResponse
    typealias Mistaken = @Sendable (TransportRequest, @escaping Send) async throws(TransportFault) -> TransportResponse
    private let mistake: Mistaken
    // The default one. `URLSession` outside of Apple's systems keeps a core busy while a body waits.
    private let sound = SystemTransport.make()

    init(_ mistake: @escaping Mistaken) { self.mistake = mistake }

    func send(_ request: TransportRequest) async throws(TransportFault) -> TransportResponse {
        let sound = sound
        return try await mistake(request) { (request) async throws(TransportFault) in try await sound.send(request) }
    }
}

private actor CachingTransport: Transport {
    private var kept: [String: TransportResponse] = [:]

    func send(_ request: TransportRequest) async throws(TransportFault) -> TransportResponse {
        if let response = kept[request.url] { return response }
        let response = try await SystemTransport.make().send(request)
        kept[request.url] = response
        return response
    }
}

private struct Printing: Error {
    let url: String
}
