import ContractModel
import Diagnostics

package enum ShortUploadTimeout: LintRule {
    package static let kind = FindingKind(
        "short-upload-timeout", .note,
        page: """
            An upload of a video, a recording or an archive with a timeout below 30 seconds.

            ## Why is this bad
            The timeout bounds one attempt, and the upload is a part of it. On a phone that sends one megabit per second, 10 seconds are enough for
            one megabyte. Every attempt with more ends as `timedOut`, and the next one begins from the start.

            ## Example
            ```yaml
            saveFilm: {put: "/films/{id}", body: {encoding: bytes, contentType: video/mp4}}
            ```
            with a timeout of 10 seconds.

            ## Use instead
            ```yaml
            saveFilm: {put: "/films/{id}", body: {encoding: bytes, contentType: video/mp4}, timeout: 5m, deadline: 20m}
            ```
            """)

    package static let tags: [RuleTag] = [.http, .retry]

    private static let shortest = 30_000

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        for endpoint in subject.endpoints {
            guard let timeout = endpoint.resolved.timeout, timeout.any < shortest, let body = endpoint.resolved.body,
                isLarge(body, of: endpoint, subject)
            else { continue }
            report.add(
                "an upload of `\(endpoint.name)` ends after \(TimeText.of(timeout.any)), its timeout", at: body.range,
                help: "write a `timeout` that is enough for the largest upload on a slow network, such as `5m`")
        }
    }

    /// Names of what is seldom below ten megabytes.
    private static let words: Set<String> = [
        "video", "videos", "film", "films", "movie", "movies", "recording", "recordings", "backup", "backups",
        "archive",
        "archives", "dump",
    ]

    private static func isLarge(_ body: BodyDefinition, of endpoint: LintedEndpoint, _ subject: LintSubject) -> Bool {
        var files: [String?]
        switch body.content {
        case .bytes(let contentType): files = [contentType]
        case .fields(let fields): files = self.files(among: fields)
        case .type(let type, _): files = self.files(among: subject.structureFields(of: type))
        }
        guard !files.isEmpty else { return false }
        return files.contains { $0.map(isLarge) ?? false }
            || NameWords.of(endpoint.name).contains(where: words.contains)
    }

    /// The media types of files in a form, as far as the contract names them.
    private static func files(among fields: [FieldDefinition]) -> [String?] {
        fields.filter(\.isFile).map { $0.contentType?.value }
    }

    private static func isLarge(_ contentType: String) -> Bool {
        let type = contentType.prefix { $0 != ";" && $0 != " " }.lowercased()
        return CompressedTwice.isCompressed(type) && !type.hasPrefix("image/") && !type.hasPrefix("font/")
    }
}
