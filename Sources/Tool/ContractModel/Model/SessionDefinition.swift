import Diagnostics

/// The proof of identity in requests, and the way to obtain it.
package struct SessionDefinition: Sendable {
    package enum Placement: Sendable, Equatable {
        /// `format` cut around `{token}`.
        case header(name: String, prefix: String, suffix: String)
        /// A parameter: in the query for GET, HEAD and DELETE, in the body otherwise.
        case parameter(String)
        /// The command `attach` presents it, once on each connection.
        case attached
    }

    /// Who is logged in.
    package enum Identity: Sendable, Equatable {
        /// A path of the login's (and the refresh's) response.
        case path(FieldPath)
        /// A claim of the access token, which is a JSON Web Token.
        case claim(String)
        /// The response of another endpoint, which is asked with the new token.
        case endpoint(IdentityQuestion)
    }

    /// The endpoint that says who is logged in, and where its response says so.
    package struct IdentityQuestion: Sendable, Equatable {
        package var endpoint: Located<String>
        package var path: Located<FieldPath>

        package init(endpoint: Located<String>, path: Located<FieldPath>) {
            (self.endpoint, self.path) = (endpoint, path)
        }
    }

    package var placement: Located<Placement>?
    /// The endpoint that starts a session.
    package var login: Located<String>?
    /// Where the login's response carries the token, and what else comes with it.
    package var token: Located<FieldPath>?
    package var expiresIn: Located<FieldPath>?
    package var refreshToken: Located<FieldPath>?
    /// The place in the login's response that identifies the user.
    package var identity: Located<Identity>?
    /// The endpoint that renews a session by its refresh token.
    package var refresh: Located<String>?
    package var logout: Located<String>?
    /// The endpoint that presents the token on a new connection.
    package var attach: Located<String>?
    /// The contract whose session is shared.
    package var from: Located<String>?
    package var range: SourceRange

    package init(range: SourceRange) {
        self.range = range
    }
}

/// How requests are signed.
package struct SigningDefinition: Sendable {
    package enum Algorithm: String, Sendable, CaseIterable {
        case hmacSHA256 = "hmac-sha256"
        case hmacSHA1 = "hmac-sha1"
        case md5
    }

    package enum Placement: Sendable, Equatable {
        case header(String)
        case query(String)
        /// A field of the body; a parameter of the query if the request has no such body.
        case body(String)
    }

    package enum LetterCase: String, Sendable, CaseIterable { case lower, upper }

    package var algorithm: Located<Algorithm>
    /// The name of the key. The app supplies the value.
    package var key: Located<String>
    /// Text that is added to the parameters before the digest, with `{key}` for the key; cut around `{key}`.
    package var append: Located<[ServerDefinition.Part]>?
    package var skipsEmpty = false
    package var trims = false
    package var encodesValues = false
    /// The case of the digest's hexadecimal digits.
    package var letterCase: LetterCase = .lower
    package var placement: Located<Placement>
    /// The headers that are signed among the parameters.
    package var headers: [Located<String>] = []
    /// All parameters also travel as headers, with their raw values.
    package var sendsHeaders = false

    /// The text that is added, as the contract writes it.
    package var appendedText: String? { append?.value.text }

    package init(algorithm: Located<Algorithm>, key: Located<String>, placement: Located<Placement>) {
        self.algorithm = algorithm
        self.key = key
        self.placement = placement
    }
}

extension SessionDefinition {
    /// The endpoints that begin, renew, end and present it.
    package var endpoints: [Located<String>] { [login, refresh, logout, attach].compactMap { $0 } }

    /// The endpoint that says who is logged in.
    package var identification: Located<String>? {
        if case .endpoint(let question)? = identity?.value { question.endpoint } else { nil }
    }
}
