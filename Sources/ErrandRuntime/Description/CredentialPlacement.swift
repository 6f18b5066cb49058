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

    /// The texts that must not be printed. A server may repeat what it has decoded, or the password alone.
    var secrets: [String] {
        guard case .basic = placement else { return [value] }
        let password = value.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).dropFirst().first
        return [value, encoded] + [password].compactMap { $0 }.filter { !$0.isEmpty }.map(String.init)
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
