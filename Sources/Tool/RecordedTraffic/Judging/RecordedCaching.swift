/// Whether the cache of a client can use a recorded response again (RFC 9111).
enum RecordedCaching {
    /// Why it cannot; nil if it can.
    static func reasonAgainst(_ entry: RecordedEntry) -> String? {
        let control = entry.responseHeaders.filter { $0.name.lowercased() == "cache-control" }
            .flatMap { $0.value.split(separator: ",") }
            .map { $0.prefix { $0 != "=" }.trimmingPrefix { $0 == " " || $0 == "\t" }.lowercased() }
            .map { $0.split(separator: " ").first.map(String.init) ?? "" }
        if control.contains("no-store"), !control.contains("must-understand") {
            return "forbids to keep it (`Cache-Control: no-store`)"
        }
        if entry.responseHeader("vary")?.contains("*") == true { return "is for no other request (`Vary: *`)" }
        let lasts = ["max-age", "stale-while-revalidate", "stale-if-error"].contains(where: control.contains)
        let isTold =
            lasts || ["expires", "etag", "last-modified"].contains { entry.responseHeader($0)?.isEmpty == false }
        return isTold ? nil : "says neither how long it is fresh nor which version it is"
    }
}
