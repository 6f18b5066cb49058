import Diagnostics
import SwiftEmitter

/// Templates that a user puts in the place of the built-in ones.
package enum TemplateFolder {
    /// The bytes of all templates of a folder.
    private static let mostBytes = 16 << 20

    /// The `*.mustache` files of a folder, by name.
    package static func read(_ path: String, in boundary: ProjectBoundary) -> (
        templates: [String: TemplateText], diagnostics: [Diagnostic]
    ) {
        var templates: [String: TemplateText] = [:]
        var diagnostics: [Diagnostic] = []
        if let refusal = boundary.refusal(ofReading: path) { return ([:], [refusal]) }
        var byteCount = 0
        do {
            guard try SystemCall.kind(of: path) == .folder else {
                return (
                    [:],
                    [
                        Diagnostic(
                            rule: .missingFile, message: "there is no folder `\(path)` with templates", file: path)
                    ]
                )
            }
            for name in try SystemCall.names(in: path) where name.hasSuffix(".mustache") {
                switch boundary.readSmall(path + "/" + name) {
                case .bytes(let bytes):
                    byteCount += bytes.count
                    guard byteCount <= mostBytes else {
                        let message = "the templates in `\(path)` have more than \(SizeLimits.text(mostBytes))"
                        return ([:], [Diagnostic(rule: .fileTooLarge, message: message, file: path)])
                    }
                    guard let text = String(validating: bytes, as: UTF8.self) else {
                        diagnostics.append(notUTF8(path + "/" + name, bytes))
                        continue
                    }
                    templates[name] = TemplateText(file: path + "/" + name, text: text)
                case .failure(let rule, let message, let help):
                    diagnostics.append(Diagnostic(rule: rule, message: message, file: path + "/" + name, help: help))
                }
            }
        } catch {
            diagnostics.append(
                Diagnostic(rule: .unreadableFile, message: "`\(path)` cannot be read: \(error.text)", file: path))
        }
        if templates.isEmpty, diagnostics.isEmpty {
            diagnostics.append(
                Diagnostic(
                    rule: .noTemplates, message: "the folder `\(path)` does not contain a template", file: path,
                    help: "end the name of each template in `.mustache`"))
        }
        return (templates, diagnostics)
    }

    private static func notUTF8(_ file: String, _ bytes: [UInt8]) -> Diagnostic {
        // Replacing invalid bytes keeps the number of line breaks before them.
        let valid = String(decoding: bytes, as: UTF8.self).prefix { $0 != "\u{FFFD}" }
        let line = valid.utf8.count { $0 == UInt8(ascii: "\n") } + 1
        return Diagnostic(
            rule: .templateNotUTF8, message: "line \(line) of the template contains bytes that are not UTF-8",
            file: file,
            help: "save the file as UTF-8")
    }
}

extension TemplateFolder {
    /// The templates that are generated from: the built-in ones, and those of a folder in their place.
    static func catalog(_ folder: String?, in boundary: ProjectBoundary) -> (
        catalog: TemplateCatalog?, diagnostics: [Diagnostic], sources: [String: [UInt8]], isReadable: Bool
    ) {
        var overrides: [String: TemplateText] = [:]
        if let folder {
            let read = Self.read(folder, in: boundary)
            guard read.diagnostics.isEmpty else { return (nil, read.diagnostics, [:], false) }
            overrides = read.templates
        }
        let loaded = TemplateCatalog.load(overrides: overrides)
        let sources = overrides.values.map { ($0.file, Array($0.text.utf8)) }
        return (loaded.catalog, loaded.diagnostics, Dictionary(sources) { first, _ in first }, true)
    }
}
