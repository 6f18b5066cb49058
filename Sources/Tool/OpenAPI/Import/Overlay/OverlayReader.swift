import Diagnostics
import YAMLTree

/// One change of a document: an update, a copy, or else a removal.
struct OverlayAction {
    let element: Element
    let target: JSONPath
    var update: YAMLNode?
    /// The part of the document to copy.
    var source: JSONPath?
}

/// Reads overlays (version 1.0 or 1.1), and reports the errors of all of them together. The rules of 1.1 hold for both.
struct OverlayReader {
    private let documents: DocumentSet
    /// The path of the document that the overlays change.
    private let document: String
    private var isValid = true

    /// The actions of all overlays; nil if one of them has an error.
    static func actions(of paths: [String], for document: String, _ documents: DocumentSet) -> [OverlayAction]? {
        var reader = OverlayReader(documents: documents, document: document)
        let actions = paths.flatMap { reader.actions(of: $0) }
        return reader.isValid ? actions : nil
    }

    private mutating func actions(of path: String) -> [OverlayAction] {
        guard let file = documents.root(of: path) else {
            isValid = false
            return []
        }
        let root = Element(root: file.withoutMerges, file: file.file)
        check(root, ["overlay", "info", "extends", "actions"], "an overlay")
        if let info = root["info"] { check(info, ["title", "version", "description"], "`info` of an overlay") }
        let version = root.text("overlay")?.split(separator: ".").prefix(2).joined(separator: ".")
        guard version == "1.0" || version == "1.1" else {
            let help = "begin it with `overlay: 1.1.0`"
            return fail("`\(path)` is not an overlay of version 1.0 or 1.1", root["overlay"] ?? root, help) ?? []
        }
        if let extends = root["extends"], let text = extends.text, !isDocument(text, beside: path) {
            documents.findings.add(
                .openAPIOverlayElsewhere, "the overlay is for `\(text)`, and is applied to `\(document)`", at: extends)
        }
        let actions = root["actions"]?.items ?? []
        if actions.isEmpty { return fail("the overlay has no list `actions`", root["actions"] ?? root) ?? [] }
        return actions.compactMap { action($0, hasCopy: version == "1.1") }
    }

    private func isDocument(_ text: String, beside path: String) -> Bool {
        guard text.contains("://") else { return DocumentSet.joined(path, text) == DocumentSet.joined("", document) }
        return text.split(separator: "/").last == document.split(separator: "/").last
    }

    private mutating func action(_ element: Element, hasCopy: Bool) -> OverlayAction? {
        check(element, ["target", "description", "update", "copy", "remove"], "an action of an overlay")
        guard let target = element["target"] else { return fail("an action needs a `target`", element) }
        let (update, copy, remove) = (element["update"], element["copy"], element["remove"])
        if let remove, !["true", "false"].contains(remove.text) { return fail("`remove` is true or false", remove) }
        if let copy, !hasCopy { return fail("`copy` needs version 1.1", copy, "write `overlay: 1.1.0`") }
        guard remove?.text == "true" else {
            if let copy, update != nil { return fail("an action has `update` or `copy`, and not both", copy) }
            if update == nil, copy == nil { return fail("an action needs `update`, `copy` or `remove: true`", element) }
            let source = copy.flatMap { query($0) }
            guard let path = query(target), source != nil || copy == nil else { return nil }
            return OverlayAction(element: element, target: path, update: update?.node, source: source)
        }
        for other in [update, copy].compactMap({ $0 }) {
            let message = "`\(other.name)` has no effect beside `remove: true`"
            documents.findings.add(.openAPIKeywordUnknown, message, at: other)
        }
        return query(target).map { OverlayAction(element: element, target: $0) }
    }

    private mutating func query(_ element: Element) -> JSONPath? {
        guard let scalar = element.node.scalar else {
            return fail("`\(element.name)` is a query, and not a list", element)
        }
        do throws(JSONPathProblem) { return try JSONPathReader.read(scalar.value) } catch {
            isValid = false
            documents.findings.add(
                Diagnostic(
                    rule: .openAPIOverlayInvalid, message: error.message, at: scalar.range(ofValue: error.range),
                    help: error.help))
            return nil
        }
    }

    private func check(_ element: Element, _ keys: [String], _ what: String) {
        for (key, value) in element.named where !keys.contains(key) {
            let near = nearestSpelling(of: key, among: keys).map { "did you mean `\($0)`?" }
            documents.findings.add(.openAPIKeywordUnknown, "there is no key `\(key)` in \(what)", at: value, help: near)
        }
    }

    private mutating func fail<Result>(_ message: String, _ element: Element, _ help: String? = nil) -> Result? {
        isValid = false
        documents.findings.add(.openAPIOverlayInvalid, message, at: element, help: help)
        return nil
    }
}
