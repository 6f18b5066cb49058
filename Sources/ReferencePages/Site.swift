import ContractModel
import SwiftEmitter

/// Makes the reference pages of contracts: one site for all of them.
///
///     [ResolvedContract] ─ EndpointExplanation, ErrorCatalogue, samples ─▶ inputs ─ templates ─▶ [OutputFile]
///
/// Architecture invariants: the same contracts and templates give the same bytes, and no disk is touched. Text of a contract reaches
/// a page only as the value of a template's tag, and every such value is escaped.
package enum Site {
    /// A list that would make a longer page is split. A few links more cannot make a page larger than 300 kB.
    static let mostBytes = 270_000

    /// How much the first page says of each contract.
    private static let longestSummary = 400

    package static func files(of contracts: [ResolvedContract], _ templates: PageTemplates) -> [OutputFile] {
        let format = templates.format
        var folders = PageNames(taken: ["index", "style", "search"])
        var files: [OutputFile] = []
        var search: [SearchIndex.Entry] = []
        var entries: [SiteInput.ContractEntry] = []
        for contract in contracts {
            let folder = folders.name(for: contract.service.value)
            let made = ContractPages(contract: contract, folder: folder, format: format, templates: templates).pages()
            files += made.pages.map { OutputFile(path: $0.path, text: $0.text) }
            search += made.entries
            let count = contract.endpoints.count
            entries.append(
                SiteInput.ContractEntry(
                    name: contract.service.value, href: "\(folder)/index\(format.suffix)", version: contract.version,
                    doc: Prose(limits: PageLimits(text: longestSummary)).paragraphs(contract.doc).prefix(1) + [],
                    count: count == 1 ? "1 endpoint" : "\(count) endpoints"))
        }
        let page = PageHead(
            title: contracts.count == 1 ? contracts[0].service.value : "Contracts", root: "",
            links: [Link(name: "All contracts", href: "index" + format.suffix, isCurrent: true)])
        let first = SiteInput(page: page, contracts: entries)
        files.append(OutputFile(path: "index" + format.suffix, text: templates.render(first, "site")))
        if format == .html {
            files.append(OutputFile(path: "style.css", text: templates.file("style.css")))
            files.append(OutputFile(path: "search.js", text: templates.file("search.js")))
            let index = GeneratedMarker.line(as: .block) + "\n" + SearchIndex(entries: search).script
            files.append(OutputFile(path: "index.js", text: index))
        }
        return files
    }
}
