import ContractModel
import SwiftEmitter

/// Makes the reference pages of contracts: one site for all of them.
///
///     [ResolvedContract] ─ EndpointExplanation, ErrorCatalogue, samples ─▶ inputs ─ templates ─▶ [OutputFile]
///
/// Architecture invariants: the same contracts and templates give the same bytes, and no disk is touched. Text of a contract reaches
/// a page only as the value of a template's tag, and every such value is escaped.
package enum Site {
    /// How much the first page says of each contract.
    private static let longestSummary = 400

    package static func files(of contracts: [ResolvedContract], _ templates: PageTemplates) -> [OutputFile] {
        let format = templates.format
        var folders = PageNames(taken: ["index", "style", "search"])
        var files: [OutputFile] = []
        var search: [SearchIndex.Entry] = []
        var listed: [(contract: ResolvedContract, folder: String)] = []
        for contract in contracts {
            let folder = folders.name(for: contract.service.value)
            let made = ContractPages(contract: contract, folder: folder, format: format, templates: templates).pages()
            files += made.pages.map { OutputFile(path: $0.path, text: $0.text) }
            search += made.entries
            listed.append((contract, folder))
        }
        files += firstPages(listed, templates)
        if format == .html {
            files.append(OutputFile(path: "style.css", text: templates.file("style.css")))
            files.append(OutputFile(path: "search.js", text: templates.file("search.js")))
            let index = GeneratedMarker.line(as: .block) + "\n" + SearchIndex(entries: search).script
            files.append(OutputFile(path: "index.js", text: index))
        }
        return files
    }

    /// The pages that list the contracts, of which the first one is the site's.
    private static func firstPages(
        _ listed: [(contract: ResolvedContract, folder: String)], _ templates: PageTemplates
    ) -> [OutputFile] {
        let suffix = templates.format.suffix
        func file(_ part: Int) -> String { "index" + (part == 1 ? "" : ".\(part)") + suffix }
        func page(_ entries: [SiteInput.ContractEntry], _ limits: PageLimits, part: Int, of count: Int) -> String {
            let head = PageHead(
                title: listed.count == 1 ? listed[0].contract.service.value : "Contracts", root: "",
                links: [Link(name: "All contracts", href: file(1), isCurrent: part == 1)])
            let input = SiteInput(page: head, parts: Link.parts(part, of: count, file: file), contracts: entries)
            return templates.render(input, "site", limits)
        }
        let made = PageParts { limits in
            listed.map { entry($0.contract, href: "\($0.folder)/\(file(1))", limits) }
        } render: { entries, _, limits in
            page(entries, limits, part: 1, of: 1)
        }
        return made.parts.enumerated().map { number, entries in
            let text = page(entries, made.limits, part: number + 1, of: made.parts.count)
            return OutputFile(path: file(number + 1), text: text)
        }
    }

    private static func entry(
        _ contract: ResolvedContract, href: String, _ limits: PageLimits
    ) -> SiteInput.ContractEntry {
        let count = contract.endpoints.count
        let summary = contract.doc.map { Prose.shortened($0, longestSummary) }
        return SiteInput.ContractEntry(
            name: contract.service.value, href: href, version: contract.version,
            doc: Array(Prose(limits: limits).paragraphs(summary).prefix(1)),
            count: count == 1 ? "1 endpoint" : "\(count) endpoints")
    }
}
