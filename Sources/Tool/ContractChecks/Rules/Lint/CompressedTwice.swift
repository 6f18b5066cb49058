import ContractModel
import Diagnostics

package enum CompressedTwice: LintRule {
    package static let kind = FindingKind(
        "compressed-twice", .note,
        page: """
            `compression: gzip` for a body of a type that is already compressed, such as a JPEG, a video or an archive.

            ## Why is this bad
            Compressing it again takes time and battery, and the body does not get smaller.

            ## Example
            ```yaml
            savePhoto: {put: "/photos/{id}", body: {encoding: bytes, contentType: image/jpeg}, compression: gzip}
            ```
            ## Use instead
            ```yaml
            savePhoto: {put: "/photos/{id}", body: {encoding: bytes, contentType: image/jpeg}}
            ```
            If `defaults` has `compression: gzip`, write `compression: none` at the endpoint.
            """)

    package static let tags: [RuleTag] = [.http]

    private static let types: Set<String> = [
        "application/zip", "application/gzip", "application/x-gzip", "application/x-7z-compressed", "application/zstd",
        "application/x-bzip2", "application/x-xz", "application/vnd.rar", "application/java-archive", "font/woff",
        "font/woff2",
    ]
    private static let plain: Set<String> = ["image/svg+xml", "image/bmp", "image/tiff", "audio/wav", "audio/x-wav"]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        for endpoint in subject.endpoints {
            guard case .gzip? = endpoint.resolved.compression, let body = endpoint.resolved.body,
                case .bytes(let contentType) = body.content, isCompressed(contentType)
            else { continue }
            report.add(
                "a body of the type `\(contentType)` is already compressed", at: body.range,
                help: "write `compression: none`")
        }
    }

    /// Whether documents of a media type are compressed by themselves.
    static func isCompressed(_ contentType: String) -> Bool {
        let type = contentType.prefix { $0 != ";" && $0 != " " }.lowercased()
        if types.contains(type) { return true }
        return ["image/", "video/", "audio/"].contains(where: type.hasPrefix) && !plain.contains(type)
    }
}
