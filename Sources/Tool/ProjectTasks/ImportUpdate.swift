import Diagnostics
import OpenAPI
import Pipeline

/// The starting point of an update: the current contract, and the contract that the last import made.
///
/// Every import saves its result in `.errand/NAME.imported.yaml` beside the contract. Teams commit it with the contract. Its
/// changes are those of the document, without a person's edits.
struct ImportUpdate {
    var own = ""
    var base = ""
    /// The endpoints that the last import was limited to.
    var only: [String] = []
    var service: String?
    /// Whether the last import made groups of the tags.
    var hasGroups = false
    var failures: [Diagnostic] = []

    /// The overlays that the last import applied.
    var overlays: [String] = []

    private static let onlyMark = "# only: "
    private static let overlayMark = "# overlays: "

    /// `contracts/.errand/shop.imported.yaml` of `contracts/shop.contract.yaml`.
    static func basePath(of contract: String) -> String {
        var parts = contract.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        let name = parts.removeLast()
        let stem = name.hasSuffix(".contract.yaml") ? String(name.dropLast(".contract.yaml".count)) : name
        return (parts + [".errand", stem + ".imported.yaml"]).joined(separator: "/")
    }

    static func reading(_ contract: String, in boundary: ProjectBoundary) -> ImportUpdate {
        var update = ImportUpdate()
        let (path, missing) = (basePath(of: contract), FindingKind.missingFile)
        switch (boundary.readNamed(contract), boundary.readNamed(path)) {
        case (.bytes(let own), .bytes(let base)):
            update.own = String(decoding: own, as: UTF8.self)
            update.base = String(decoding: base, as: UTF8.self)
        case (.failure(missing, _, _), _):
            update.failures = [
                Diagnostic(
                    rule: missing, message: "there is no contract `\(contract)` to update", file: contract,
                    help: "run the import without `--update` first")
            ]
        case (.bytes, .failure(missing, _, _)):
            update.failures = [
                Diagnostic(
                    rule: .openAPIUpdateWithoutBase,
                    message: "`\(path)` does not exist, which records the last import", file: contract,
                    help:
                        "import the earlier document with `-o other.contract.yaml`, and move `.errand/other.imported.yaml` to this path"
                )
            ]
        case (.failure(let rule, let message, let help), _), (_, .failure(let rule, let message, let help)):
            update.failures = [Diagnostic(rule: rule, message: message, file: contract, help: help)]
        }
        for line in update.base.split(separator: "\n").prefix(8) {
            if line.hasPrefix(onlyMark) {
                update.only = line.dropFirst(onlyMark.count).split(separator: "\t").map(String.init)
            }
            if line.hasPrefix(overlayMark) {
                update.overlays = line.dropFirst(overlayMark.count).split(separator: "\t").map(String.init)
            }
            if line.hasPrefix("service: ") { update.service = String(line.dropFirst("service: ".count)) }
        }
        update.hasGroups = update.base.split(separator: "\n").contains("groups:")
        return update
    }

    /// Sets what the command leaves open to what the last import did.
    ///
    /// - Returns: whether a result with the options before is not the same.
    func complete(_ options: inout OpenAPIImporter.Options) -> Bool {
        guard failures.isEmpty else { return false }
        let isOther = hasGroups && !options.hasGroups || options.overlays.isEmpty && !overlays.isEmpty
        options.hasGroups = options.hasGroups || hasGroups
        if options.overlays.isEmpty { options.overlays = overlays }
        guard options.only.isEmpty, options.service == nil else { return isOther }
        (options.only, options.service) = (only, service)
        return true
    }

    static func unreadable(_ contract: String) -> Diagnostic {
        Diagnostic(
            rule: .openAPIUpdateWithoutBase,
            message: "`\(contract)` or `\(basePath(of: contract))` cannot be read as YAML", file: contract,
            help: "`errand lint` shows the errors of the contract")
    }

    /// Remembers an import for the next update.
    static func write(
        _ contract: String, _ options: OpenAPIImporter.Options, beside path: String, in boundary: ProjectBoundary
    ) -> [Diagnostic] {
        var text = """
            # What `errand import` last made of the document, before anybody edited it. Commit it: `errand import --update` tells
            # by it what the document has changed since.
            #
            """
        text += "\n"
        for (mark, words) in [(onlyMark, options.only), (overlayMark, options.overlays)] where !words.isEmpty {
            text += mark + words.joined(separator: "\t") + "\n"
        }
        let base = basePath(of: path)
        if let refusal = boundary.finding(aboutWriting: FilePath.folder(of: base)) { return [refusal] }
        do {
            try SystemCall.makeFolder(
                base.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/"))
        } catch {
            return [
                Diagnostic(rule: .outputUnwritable, message: "`\(base)` cannot be written: \(error.text)", file: base)
            ]
        }
        return ContractFiles.replace(base, with: Array((text + contract).utf8), in: boundary)
    }
}
