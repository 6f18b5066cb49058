import ContractModel

extension ErrorPlanner {
    /// The proposed category for a status.
    struct Categories {
        let hasSession: Bool
        let retryAfter: Set<Int>
        let isOnce: Set<Int>

        /// That of a 401 without a session.
        static let ofLogin = (
            name: ErrorCategory.nonRetryable,
            reason: "401 without a session means that the credentials in the request are wrong"
        )

        /// That of a status by which a repeated DELETE succeeds.
        static func ofDeletion(_ status: Int) -> (name: ErrorCategory, reason: String) {
            (
                .nonRetryable,
                "\(status) of a DELETE may mean that an earlier attempt has deleted it, so that the command succeeds then"
            )
        }
        private static let pauses = ["ratelimit", "toomanyrequests", "throttl"]
        private static let outages = ["unavailable", "temporar", "tryagain", "overload"]

        /// The category that the words of a code suggest.
        ///
        /// - Parameter isOnce: whether the code is in a success of an endpoint that must not be sent twice.
        func category(code: String, isOpen: Bool, isOnce: Bool) -> (name: ErrorCategory, reason: String) {
            let word = NameText.folded(code).filter { $0.isLetter || $0.isNumber }
            func says(_ words: [String]) -> Bool { words.contains { word.contains($0) } }
            if hasSession, !isOpen,
                says([
                    "tokenexpired", "expiredtoken", "sessionexpired", "invalidtoken", "unauthenticated", "unauthorized",
                    "invalidauth", "tokenrevoked",
                ])
            {
                return (.requiresLogout, "the name of the code `\(code)` suggests that the session has ended")
            }
            if isOnce, says(Self.pauses + Self.outages) {
                return (
                    .nonRetryable,
                    "the server may send the code `\(code)` after it has carried out the request, and some of these endpoints have no idempotency key"
                )
            }
            if says(Self.pauses) {
                return (.retryable, "the name of the code `\(code)` suggests a pause")
            }
            if says(Self.outages) {
                return (.retryable, "the name of the code `\(code)` suggests a temporary failure")
            }
            return (.nonRetryable, "the document has the code `\(code)`, without a way to handle it")
        }

        func category(_ status: Int) -> (name: ErrorCategory, reason: String) {
            switch status {
            case 300...399:
                return (
                    .nonRetryable,
                    "\(status) is a redirect, and the client does not follow one that the contract names"
                )
            case 401 where hasSession: return (.requiresLogout, "401 means that the session has ended")
            case 429: return (.retryable, "429 asks for a pause")
            case 503: return (.retryable, "503 means that the service is temporarily unavailable")
            case 408, 425: return (.retryable, "\(status) means that the server did not process the request")
            case 502, 504:
                if isOnce.contains(status) {
                    return (
                        .nonRetryable,
                        "the server may send \(status) after it has carried out the request, and some of these endpoints have no idempotency key"
                    )
                }
                return (.retryable, "\(status) comes from a proxy that did not reach the service")
            case _ where retryAfter.contains(status) && status < 500:
                return (.retryable, "the response has `Retry-After`")
            case 500...: return (.nonRetryable, "\(status) does not tell whether the server carried out the request")
            default: return (.nonRetryable, "\(status) means that the same request fails again")
            }
        }
    }
}
