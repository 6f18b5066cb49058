import ErrandJSON

/// Where a request carries one of the app's credentials.
public enum CredentialPlacement: Sendable, Hashable {
    /// In a header, with the contract's format around it: `Bearer {token}` has the prefix `Bearer `.
    case header(String, prefix: String = "", suffix: String = "")
    /// In `Authorization`, as `user:password` in Base64 (RFC 7617).
    case basic
    /// In a parameter of the query.
    case query(String)
    /// In a cookie.
    case cookie(String)
}

/// A credential that the app has given to a client.
struct GivenCredential: Sendable {
    /// Its name in the contract.
    let name: String
    let value: String
    let placement: CredentialPlacement

    /// The value in Base64.
    var encoded: String { JSONText.of(Array(value.utf8)) }

    /// The texts that must not be printed. A server may repeat the value without the blanks around it, or one part of what it has
    /// decoded. Some services take a key as the user. A short user beside a password is a word like any other.
    var secrets: [String] {
        guard case .basic = placement else { return [value, HTTPHeaders.trimmed(value)] }
        let parts = value.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let (user, password) = (parts.first ?? "", parts.dropFirst().first ?? "")
        let isUserSecret = password.isEmpty || user.utf8.count >= SecretSearch.shortestSearched
        return [value, encoded] + [isUserSecret ? user : "", password].filter { !$0.isEmpty }
    }
}

extension GivenCredential: CustomStringConvertible, CustomReflectable {
    var description: String { name }
    var customMirror: Mirror { Mirror(self, children: ["name": name], displayStyle: .struct) }
}

extension ServiceDescription {
    /// The credentials of the contract that an app has given. A text without characters counts as not given.
    func given(_ values: [String: String?]) -> [String: GivenCredential] {
        credentials.reduce(into: [:]) { given, credential in
            guard let value = values[credential.key] ?? nil, !value.isEmpty else { return }
            given[credential.key] = GivenCredential(name: credential.key, value: value, placement: credential.value)
        }
    }
}
