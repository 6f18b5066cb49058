/// One entry of `trust`: the public keys that a server may have.
package struct TrustDefinition: Sendable {
    /// The server, by its name in `servers`.
    package var server: Located<String>
    /// As `sha256/` and the hash of the key in Base64 (RFC 7469 section 2.4).
    package var pins: [Located<String>] = []
    /// The first day on which the pins no longer apply; nil if they apply for ever.
    package var until: Located<CalendarDay>?

    package init(server: Located<String>) { self.server = server }
}
