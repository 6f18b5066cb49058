/// The URL of a page that the page before it has named.
struct PageLink: Sendable, Hashable {
    /// Absolute, without a fragment.
    let url: String
    /// Whether it leads to another origin than the service's.
    let isForeign: Bool

    /// The URL with further parameters, which take the place of those of the same names.
    fileprivate func url(with query: String) -> String {
        if query.isEmpty { return url }
        let names = Set(query.split(separator: "&").map(Self.name))
        let parts = url.split(separator: "?", maxSplits: 1)
        let kept = (parts.dropFirst().first ?? "").split(separator: "&").filter { !names.contains(Self.name($0)) }
        return parts[0] + "?" + (kept.map(String.init) + [query]).joined(separator: "&")
    }

    /// The same as it may be printed.
    ///
    /// - Parameter sensitive: the names under which a value is blanked.
    fileprivate func printed(with query: String, hiding sensitive: Set<String>) -> String {
        let parts = url(with: query).split(separator: "?", maxSplits: 1)
        guard parts.count == 2 else { return url }
        let pairs = parts[1].split(separator: "&").map { pair in
            sensitive.contains(Self.name(pair)) ? pair.prefix { $0 != "=" } + "=" + Redaction.mark : String(pair)
        }
        return parts[0] + "?" + pairs.joined(separator: "&")
    }

    /// Whether its query has a parameter of one of these names.
    fileprivate func hasParameter(among names: Set<String>) -> Bool {
        let query = url.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
        return query.split(separator: "&").contains { names.contains(Self.name($0)) }
    }

    /// The name in `name=value`, decoded.
    private static func name(_ pair: Substring) -> String {
        PercentEncoding.decode(pair.prefix { $0 != "=" })
    }
}

extension RequestEncoder {
    /// Replaces path and query by a link, after the command has written itself.
    ///
    /// Parameters that are written later, such as common parameters, replace parameters of the same names in the link. A
    /// request to another origin carries no session, no common parameter, and only the headers that may go to any origin
    /// (`OriginRule`).
    ///
    /// - Parameter keepsSecrets: whether the command's own secret parameters replace those of the link.
    mutating func follow(_ link: PageLink, keepsSecrets: Bool) {
        if link.isForeign {
            absoluteURL = link.url
            // Any part may repeat a secret of the command. A token or a credential is repeated under its name.
            isAbsoluteURLSensitive = !secrets.isEmpty || link.hasParameter(among: sensitiveNames)
            leavesService = true
            isForURL = false
            headers = HTTPHeaders(headers.fields.filter(OriginRule.isOpen))
        } else {
            self.link = link
            hidesLink = !secrets.isEmpty
        }
        path = ""
        printedPath = nil
        // A server that does not know its own origin may repeat a secret parameter masked. Only a secret is printed in another way.
        var kept: [Substring] = []
        if keepsSecrets, let printedQuery {
            kept = zip(queryText.split(separator: "&"), printedQuery.split(separator: "&")).filter { $0 != $1 }.map(\.0)
        }
        queryText = kept.joined(separator: "&")
        printedQuery = nil
    }

    /// The URL of a request that follows a link, and the same as it may be printed.
    borrowing func linkURL(_ link: PageLink) -> (url: String, printed: String) {
        let printed =
            hidesLink
            ? "\(Origin(link.url)?.description ?? "")/\(Redaction.mark)"
            : link.printed(with: printedQuery ?? queryText, hiding: sensitiveNames)
        return (link.url(with: queryText), printed)
    }
}
