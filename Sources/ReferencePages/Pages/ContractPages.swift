import ContractChecks
import ContractModel
import SwiftEmitter

/// Makes all pages of one contract.
struct ContractPages {
    let contract: ResolvedContract
    let folder: String
    let format: PageFormat
    let templates: PageTemplates

    /// A page: its path below the site's folder, and its text.
    typealias Page = (path: String, text: String)

    /// The pages, and what the search finds.
    func pages() -> (pages: [Page], entries: [SearchIndex.Entry]) {
        var links = SiteLinks(contract, folder: folder, suffix: format.suffix)
        let explanations = contract.endpoints.compactMap { EndpointExplanation($0.name.value, in: contract) }
        let catalogue = ErrorCatalogue(contract, explanations)
        // An entry is as long with a link to another part, but for its number, so that the parts are known before the links are.
        let errorParts = split(catalogue.entries(links)) { errors($0, links, part: 1, of: 1) }
        let typeParts = split(TypeEntries(contract: contract, links: links).all) { types($0, links, part: 1, of: 1) }
        links.split(errors: errorParts.map { $0.map(\.name) }, types: typeParts.map { $0.map(\.anchor) })
        var pages: [Page] = []
        var position = 0
        let errorEntries = catalogue.entries(links)
        for (number, part) in errorParts.enumerated() {
            let entries = Array(errorEntries[position..<position + part.count])
            position += part.count
            pages.append(
                (
                    path(links.file(.errors, part: number + 1)),
                    errors(entries, links, part: number + 1, of: errorParts.count)
                ))
        }
        position = 0
        let typeEntries = TypeEntries(contract: contract, links: links).all
        for (number, part) in typeParts.enumerated() {
            let entries = Array(typeEntries[position..<position + part.count])
            position += part.count
            pages.append(
                (
                    path(links.file(.types, part: number + 1)),
                    types(entries, links, part: number + 1, of: typeParts.count)
                ))
        }
        let page = EndpointPage(
            contract: contract, links: links, calls: CallSample(contract), examples: ExchangeExamples(contract))
        for (endpoint, explanation) in zip(contract.endpoints, explanations) {
            let name = endpoint.name.value
            let input = page.input(endpoint, explanation, page: head(name, links, current: nil))
            pages.append((path(links.file(ofEndpoint: name)), templates.render(input, "endpoint")))
        }
        pages += indexPages(links, explanations)
        return (pages, searchEntries(links, explanations, typeEntries))
    }

    private func path(_ file: String) -> String { folder + "/" + file }

    // MARK: Lists

    private func errors(
        _ entries: [ErrorsInput.ErrorEntry], _ links: SiteLinks, part: Int, of count: Int
    ) -> String {
        templates.render(
            ErrorsInput(
                page: head("Errors", links, current: .errors), parts: parts(.errors, links, part, count),
                errors: entries),
            "errors")
    }

    private func types(_ entries: [TypesInput.TypeEntry], _ links: SiteLinks, part: Int, of count: Int) -> String {
        templates.render(
            TypesInput(
                page: head("Types", links, current: .types), parts: parts(.types, links, part, count), types: entries),
            "types")
    }

    private func parts(_ list: SiteLinks.List, _ links: SiteLinks, _ part: Int, _ count: Int) -> [Link] {
        guard count > 1 else { return [] }
        return (1...count).map { Link(name: "\($0)", href: links.file(list, part: $0), isCurrent: $0 == part) }
    }

    private func indexPages(_ links: SiteLinks, _ explanations: [EndpointExplanation]) -> [Page] {
        typealias Listed = (group: String?, entry: ContractInput.EndpointEntry)
        let listed: [Listed] = zip(contract.endpoints, explanations).map { endpoint, explanation in
            let doc = Prose.paragraphs(endpoint.definition.doc).first?.runs ?? []
            return (
                endpoint.group?.value,
                ContractInput.EndpointEntry(
                    name: endpoint.name.value, href: links.file(ofEndpoint: endpoint.name.value),
                    request: explanation.request, effect: EndpointPage.effect(endpoint.effect), doc: doc)
            )
        }
        let groups = contract.groups.map(\.name.value)
        // Endpoints without a group come first.
        let ordered =
            listed.filter { $0.group == nil }
            + groups.flatMap { group in listed.filter { $0.group == group } }
        func page(_ entries: [Listed], part: Int, of count: Int) -> String {
            templates.render(index(entries, links, part: part, of: count), "contract")
        }
        let parts = split(ordered) { page($0, part: 1, of: 1) }
        return parts.enumerated().map { number, entries in
            (path(links.file(.index, part: number + 1)), page(entries, part: number + 1, of: parts.count))
        }
    }

    private func index(
        _ listed: [(group: String?, entry: ContractInput.EndpointEntry)], _ links: SiteLinks, part: Int, of count: Int
    ) -> ContractInput {
        var groups: [ContractInput.GroupInput] = []
        var last: String??
        for (group, entry) in listed {
            if last != .some(group) {
                let definition = contract.groups.first { $0.name.value == group }
                groups.append(
                    ContractInput.GroupInput(
                        title: group ?? "Endpoints", doc: Prose.paragraphs(definition?.doc), endpoints: []))
                last = .some(group)
            }
            groups[groups.count - 1].endpoints.append(entry)
        }
        let common = contract.common
        let fields =
            common.query.map { ($0.field, "query" as String?) } + common.headers.map { ($0.field, "header") }
            + common.parameters.map { ($0.field, "query or body") }
        return ContractInput(
            page: head(contract.service.value, links, current: .index), name: contract.service.value,
            version: contract.version, stability: contract.stability.rawValue, doc: Prose.paragraphs(contract.doc),
            parts: parts(.index, links, part, count),
            servers: contract.servers.map {
                ContractInput.ServerInput(name: $0.name.value, url: CurlSample.text($0.url))
            },
            common: FieldRows(links: links).table("Parameters of every request", fields), groups: groups)
    }

    // MARK: Every page

    private func head(_ title: String, _ links: SiteLinks, current: SiteLinks.List?) -> PageHead {
        let service = contract.service.value
        return PageHead(
            title: title == service ? service : "\(title) – \(service)", root: "../",
            links: [
                Link(name: "All contracts", href: "../index" + format.suffix),
                Link(name: service, href: links.file(.index), isCurrent: current == .index),
                Link(name: "Errors", href: links.file(.errors), isCurrent: current == .errors),
                Link(name: "Types", href: links.file(.types), isCurrent: current == .types),
            ])
    }

    /// The entries of a list by pages, of which none is too large.
    private func split<Entry>(_ entries: [Entry], _ render: ([Entry]) -> String) -> [[Entry]] {
        let size = render(entries).utf8.count
        guard size > Site.mostBytes, entries.count > 1 else { return [entries] }
        let parts = size / Site.mostBytes + 1
        let length = max(1, min(entries.count - 1, (entries.count + parts - 1) / parts))
        return entries.chunks(of: length).flatMap { split(Array($0), render) }
    }

    private func searchEntries(
        _ links: SiteLinks, _ explanations: [EndpointExplanation], _ types: [TypesInput.TypeEntry]
    ) -> [SearchIndex.Entry] {
        func entry(_ name: String, _ kind: String, _ text: String, _ href: String) -> SearchIndex.Entry {
            SearchIndex.Entry(
                name: name, kind: "\(contract.service.value), \(kind)", text: text, href: folder + "/" + href)
        }
        var entries = zip(contract.endpoints, explanations).map { endpoint, explanation in
            entry(endpoint.name.value, "endpoint", explanation.request, links.file(ofEndpoint: endpoint.name.value))
        }
        for error in contract.errors {
            let name = error.name.value
            guard let href = links.href(ofError: name) else { continue }
            entries.append(entry(name, "error", Prose.bounded(error.message ?? "", 120), href))
        }
        for type in contract.types where type.inline == nil {
            guard let href = links.href(ofType: type.name.value) else { continue }
            entries.append(entry(type.name.value, "type", "", href))
        }
        return entries
    }
}
