/// What the programs between a client and a service respond by themselves, and what they send again by themselves. A contract names
/// the programs under `gateways`.
public struct GatewayRules: Sendable {
    package let refusals: [GatewayRefusal]
    package let repeats: [GatewayRepeat]

    /// - Parameters:
    ///   - refusals: the responses that prove that a request was not passed on.
    ///   - repeats: the requests that one of the programs may have passed on before, so that no response to them is a proof.
    public init(_ refusals: [GatewayRefusal], repeats: [GatewayRepeat] = []) {
        self.refusals = refusals
        self.repeats = repeats
    }

    /// The refusal that a response is; nil if a program may have passed the request on.
    ///
    /// - Parameters:
    ///   - method: in capital letters.
    ///   - has: whether a text of the response matches. It is asked only about a response with the status of a refusal.
    package func refusal(
        status: Int, of method: String, hasBody: Bool, hasKey: Bool, has: (ResponseMatch) -> Bool
    ) -> GatewayRefusal? {
        guard refusals.contains(where: { $0.status == status }),
            !repeats.contains(where: { $0.contains(method, hasBody: hasBody, hasKey: hasKey) })
        else { return nil }
        return refusals.first { $0.status == status && has($0.mark) }
    }
}

/// A response that a gateway makes itself, without having passed the request on.
///
/// It is the `underlying` error of a failure that such a response has led to.
public struct GatewayRefusal: Error, Sendable {
    package let status: Int
    /// The text of the gateway's own page, or the header that only the gateway sets.
    package let mark: ResponseMatch
    /// What the gateway says with it: `HAProxy makes this 503 when no server takes the request`.
    public let reason: String

    public init(_ status: Int, _ mark: ResponseMatch, _ reason: String) {
        self.status = status
        self.mark = mark
        self.reason = reason
    }
}

extension GatewayRefusal: CustomStringConvertible {
    public var description: String { reason }
}

/// Requests that a gateway sends to the service a second time by itself, if a kept connection ends before the response (RFC 9110
/// section 9.2.2 allows that for idempotent methods).
public struct GatewayRepeat: Sendable, Hashable {
    /// In capital letters; nil for all methods.
    package let methods: [String]?
    package let exceptions: [String]
    /// Whether it does so only with a request without a body.
    package let isBodiless: Bool
    /// Whether it does so only with a request that has one of ``keyHeaders``.
    package let isKeyed: Bool

    /// The headers by which a program knows that a request may be sent again, in lowercase.
    package static let keyHeaders = ["idempotency-key", "x-idempotency-key"]

    public init(
        _ methods: [String]? = nil, except exceptions: [String] = [], bodiless: Bool = false, keyed: Bool = false
    ) {
        self.methods = methods
        self.exceptions = exceptions
        isBodiless = bodiless
        isKeyed = keyed
    }

    /// Whether a request is one of them.
    package func contains(_ method: String, hasBody: Bool, hasKey: Bool) -> Bool {
        if isBodiless && hasBody || isKeyed && !hasKey || exceptions.contains(method) { return false }
        return methods?.contains(method) ?? true
    }
}
