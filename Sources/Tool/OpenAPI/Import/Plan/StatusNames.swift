/// The names of errors for HTTP statuses.
enum StatusNames {
    private static let errors: [Int: String] = [
        300: "multipleChoices", 301: "movedPermanently", 302: "found", 303: "seeOther", 304: "notModified",
        307: "temporaryRedirect", 308: "permanentRedirect",
        400: "badRequest", 401: "unauthorized", 402: "paymentRequired", 403: "forbidden", 404: "notFound",
        405: "methodNotAllowed", 406: "notAcceptable", 407: "proxyAuthenticationRequired", 408: "requestTimedOut",
        409: "conflict", 410: "gone", 411: "lengthRequired", 412: "preconditionFailed", 413: "contentTooLarge",
        414: "addressTooLong", 415: "unsupportedMediaType", 416: "rangeNotSatisfiable", 417: "expectationFailed",
        421: "misdirectedRequest", 422: "unprocessable", 423: "locked", 424: "failedDependency", 425: "tooEarly",
        426: "upgradeRequired", 428: "preconditionRequired", 429: "tooManyRequests", 431: "headersTooLarge",
        451: "unavailableForLegalReasons",
        500: "internalServerError", 501: "notImplemented", 502: "badGateway", 503: "serviceUnavailable",
        504: "gatewayTimeout", 507: "insufficientStorage",
    ]

    private static let outcomes: [Int: String] = [
        200: "ok", 201: "created", 202: "accepted", 203: "changedOnTheWay", 204: "noContent", 205: "resetContent",
        206: "partialContent", 207: "multiStatus", 208: "alreadyReported",
    ]

    static func error(_ statuses: ClosedRange<Int>) -> String {
        if statuses.count == 1 { return errors[statuses.lowerBound] ?? "status\(statuses.lowerBound)" }
        switch statuses.lowerBound / 100 {
        case 3: return "redirected"
        case 4: return "clientError"
        default: return "serverError"
        }
    }

    static func outcome(_ status: Int) -> String { outcomes[status] ?? "status\(status)" }
}
