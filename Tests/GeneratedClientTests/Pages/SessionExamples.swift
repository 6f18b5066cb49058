import ErrandRuntime

// The example of `docs/sessions.md` that `PageTests` runs. `scripts/check pages` compares it with the page.

/// Keeps the session where the rest of the app's secrets are.
struct VaultStore: SessionStore {
    let vault: Vault
    func load() async -> SessionTokens? { await vault.tokens }
    func save(_ tokens: SessionTokens?) async { await vault.keep(tokens) }
}

actor Vault {
    private(set) var tokens: SessionTokens?
    func keep(_ tokens: SessionTokens?) { self.tokens = tokens }
}
