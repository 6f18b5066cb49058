import Foundation

/// The sessions that a service has handed out.
struct Tokens {
    enum Form {
        /// A text that only the service can read something from.
        case opaque
        /// A JSON Web Token (RFC 7519) whose `sub` is the owner.
        case webToken
    }

    private var owners: [String: Int] = [:]
    private var made = 0
    private let prefix: String
    private let form: Form

    init(prefix: String, form: Form = .opaque) {
        self.prefix = prefix
        self.form = form
    }

    /// How many sessions were ever started.
    var count: Int { made }

    mutating func make(for owner: Int) -> String {
        made += 1
        let name = "\(prefix)-\(made)-\(UInt64.random(in: .min ... .max))"
        let token = form == .opaque ? name : Self.webToken(of: owner, name)
        owners[token] = owner
        return token
    }

    private static func webToken(of owner: Int, _ name: String) -> String {
        let parts = [#"{"alg":"none"}"#, #"{"sub":"\#(owner)","jti":"\#(name)"}"#, name].map { text in
            Data(text.utf8).base64EncodedString()
                .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        }
        return parts.joined(separator: ".")
    }

    func owner(of token: String?) -> Int? { token.flatMap { owners[$0] } }

    mutating func revoke(_ token: String?) {
        if let token { owners[token] = nil }
    }

    mutating func revokeAll() { owners = [:] }
}

/// The response to each idempotency key, so that a second request with it books nothing.
struct KeyedAnswers {
    private var answers: [String: (fingerprint: String, answer: ServedAnswer)] = [:]

    enum Lookup {
        case new
        case replay(ServedAnswer)
        case misused
    }

    /// - Parameter fingerprint: what has to be the same in each request with that key.
    func lookUp(_ key: String, fingerprint: String) -> Lookup {
        guard let earlier = answers[key] else { return .new }
        return earlier.fingerprint == fingerprint ? .replay(earlier.answer) : .misused
    }

    mutating func keep(_ answer: ServedAnswer, for key: String, fingerprint: String) {
        answers[key] = (fingerprint, answer)
    }
}
