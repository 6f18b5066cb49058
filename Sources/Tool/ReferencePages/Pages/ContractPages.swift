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
        let explanations = contract.endpoints.map { EndpointExplanation($0, in: contract) }
        let catalogue = ErrorCatalogue(contract, explanations)
        // A list has the same parts with the numbers of its parts in the links, so that these are made twice.
        let errorParts = PageParts {
            catalogue.entries(links, $0)
        } render: { entries, _, limits in
            errors(entries, links, limits, part: 1, of: 1)
        }
        let typeParts = PageParts {
            TypeEntries(contract: contract, links: links, limits: $0).all
        } render: { entries, _, limits in
            types(entries, links, limits, part: 1, of: 1)
        }
        links.split(
            errors: errorParts.parts.map { $0.map(\.name) }, types: typeParts.parts.map { $0.map(\.anchor) })
        var pages: [Page] = []
        let errorEntries = catalogue.entries(links, errorParts.limits)
        for (number, part) in errorParts.divided(errorEntries).enumerated() {
            let text = errors(part, links, errorParts.limits, part: number + 1, of: errorParts.parts.count)
            pages.append((path(links.file(.errors, part: number + 1)), text))
        }
        let typeEntries = TypeEntries(contract: contract, links: links, limits: typeParts.limits).all
        for (number, part) in typeParts.divided(typeEntries).enumerated() {
            let text = types(part, links, typeParts.limits, part: number + 1, of: typeParts.parts.count)
            pages.append((path(links.file(.types, part: number + 1)), text))
        }
        let page = EndpointPage(
            contract: contract, links: links, calls: CallSample(contract), examples: ExchangeExamples(contract))
        for (endpoint, explanation) in zip(contract.endpoints, explanations) {
            let name = endpoint.name.value
            let head = head(name, links, current: nil)
            let text = PageLimits.fitting {
                var page = page
                page.limits = $0
                return templates.render(page.input(endpoint, explanation, page: head), "endpoint", $0)
            } isTooLarge: {
                $0.utf8.count > PageLimits.mostBytes
            }
            pages.append((path(links.file(ofEndpoint: name)), text))
        }
        pages += indexPages(links, explanations)
        return (pages, searchEntries(links, explanations, errorEntries))
    }

    private func path(_ file: String) -> String { folder + "/" + file }

    // MARK: Lists

    private func errors(
        _ entries: [ErrorsInput.ErrorEntry], _ links: SiteLinks, _ limits: PageLimits, part: Int, of count: Int
    ) -> String {
        templates.render(
            ErrorsInput(
                page: head("Errors", links, current: .errors), parts: parts(.errors, links, part, count),
                places: EnvelopePlaces.paragraphs(of: contract, limits), errors: entries),
            "errors", limits)
    }

    private func types(
        _ entries: [TypesInput.TypeEntry], _ links: SiteLinks, _ limits: PageLimits, part: Int, of count: Int
    ) -> String {
        templates.render(
            TypesInput(
                page: head("Types", links, current: .types), parts: parts(.types, links, part, count), types: entries),
            "types", limits)
    }

    private func parts(_ list: SiteLinks.List, _ links: SiteLinks, _ part: Int, _ count: Int) -> [Link] {
        Link.parts(part, of: count) { links.file(list, part: $0) }
    }

    private func indexPages(_ links: SiteLinks, _ explanations: [EndpointExplanation]) -> [Page] {
        let groups = contract.groups.map(\.name.value)
        func listed(_ limits: PageLimits) -> [ListedEndpoint] {
            let prose = Prose(limits: limits)
            let all = zip(contract.endpoints, explanations).map { endpoint, explanation in
                ListedEndpoint(
                    group: endpoint.group?.value,
                    entry: ContractInput.EndpointEntry(
                        name: endpoint.name.value, href: links.file(ofEndpoint: endpoint.name.value),
                        request: explanation.request,
                        effect: EndpointPage.effect(endpoint.effect),
                        doc: prose.paragraphs(endpoint.definition.doc).first?.runs ?? []))
            }
            // Endpoints without a group come first.
            let grouped = Dictionary(grouping: all, by: \.group)
            var listed = (grouped[nil] ?? []) + groups.flatMap { grouped[$0] ?? [] }
            for position in listed.indices.dropFirst() {
                listed[position].beginsGroup = listed[position].group != listed[position - 1].group
            }
            return listed
        }
        let made = PageParts(listed) { entries, isFirst, limits in
            let input = index(entries, links, limits, part: isFirst ? 1 : 2, of: isFirst ? 1 : 2)
            return templates.render(input, "contract", limits)
        }
        return made.parts.enumerated().map { number, entries in
            let input = index(entries, links, made.limits, part: number + 1, of: made.parts.count)
            return (path(links.file(.index, part: number + 1)), templates.render(input, "contract", made.limits))
        }
    }

    private struct ListedEndpoint {
        var group: String?
        var entry: ContractInput.EndpointEntry
        var beginsGroup = true
    }

    /// A part of the list of endpoints. What the contract says of itself is on the first part, and what it says of a group is where the
    /// group begins: these texts can be as long as a page.
    private func index(
        _ listed: [ListedEndpoint], _ links: SiteLinks, _ limits: PageLimits, part: Int, of count: Int
    ) -> ContractInput {
        let prose = Prose(limits: limits)
        let docs = Dictionary(contract.groups.map { ($0.name.value, $0.doc) }) { $1 }
        var groups: [ContractInput.GroupInput] = []
        var last: String??
        for endpoint in listed {
            if last != .some(endpoint.group) {
                let doc = endpoint.beginsGroup ? endpoint.group.flatMap { docs[$0] ?? nil } : nil
                groups.append(
                    ContractInput.GroupInput(
                        title: endpoint.group ?? "Endpoints", doc: prose.paragraphs(doc), endpoints: []))
                last = .some(endpoint.group)
            }
            groups[groups.count - 1].endpoints.append(endpoint.entry)
        }
        var input = ContractInput(
            page: head(contract.service.value, links, current: .index), name: contract.service.value,
            version: contract.version, stability: contract.stability.rawValue, doc: [],
            parts: parts(.index, links, part, count), servers: [], common: nil, groups: groups)
        guard part == 1 else { return input }
        let common = contract.common
        let fields =
            common.query.map { ($0.field, "query" as String?) } + common.headers.map { ($0.field, "header") }
            + common.parameters.map { ($0.field, "query or body") }
        input.doc = prose.paragraphs(contract.doc)
        input.servers = contract.servers.prefix(limits.rows).map {
            ContractInput.ServerInput(name: $0.name.value, url: CurlSample.text($0.url))
        }
        let serversLeft = contract.servers.count - input.servers.count
        if serversLeft > 0 {
            input.servers.append(ContractInput.ServerInput(name: "…", url: "The contract has \(serversLeft) more."))
        }
        input.common = FieldRows(links: links, limits: limits).table("Parameters of every request", fields)
        return input
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

    private func searchEntries(
        _ links: SiteLinks, _ explanations: [EndpointExplanation], _ errors: [ErrorsInput.ErrorEntry]
    ) -> [SearchIndex.Entry] {
        func entry(_ name: String, _ kind: String, _ text: String, _ href: String) -> SearchIndex.Entry {
            SearchIndex.Entry(
                name: name, kind: "\(contract.service.value), \(kind)", text: text, href: folder + "/" + href)
        }
        var entries = zip(contract.endpoints, explanations).map { endpoint, explanation in
            entry(endpoint.name.value, "endpoint", explanation.request, links.file(ofEndpoint: endpoint.name.value))
        }
        for error in errors where !error.isContinued {
            guard let href = links.href(ofError: error.name) else { continue }
            let message = error.message.compactMap { $0.text ?? $0.code }.joined()
            entries.append(entry(error.name, "error", Prose.shortened(message, 120), href))
        }
        for type in contract.types where type.inline == nil {
            guard let href = links.href(ofType: type.name.value) else { continue }
            entries.append(entry(type.name.value, "type", "", href))
        }
        for event in contract.events {
            guard let href = links.href(ofEvent: event.name.value) else { continue }
            entries.append(entry(event.name.value, "event", "", href))
        }
        return entries
    }
}
