import ContractChecks
import ContractModel
import Diagnostics

/// Explains the subject that a person names: the id of a finding, or an endpoint.
package enum Explain {
    package typealias Explanation = EndpointExplanation

    package enum Answer: Sendable {
        case page(FindingPage)
        case endpoint(Explanation)
        /// The subject doesn't exist, or its contract has errors. The findings tell which, and `sources` are the texts that
        /// they point into.
        case findings([Diagnostic], sources: [String: [UInt8]])
    }

    /// Looks for a finding of this id, and then for an endpoint of this name in the contracts.
    package static func run(_ name: String, contracts: [String], in boundary: ProjectBoundary) -> Answer {
        if let page = FindingPages.page(of: name) { return .page(page) }
        let search = EndpointSearch(contracts, boundary)
        switch search.answer({ _ in true }, name) {
        case .answer(let answer): return answer
        case .missing(let names): return missing(name, names, search)
        }
    }

    /// Finds the service among the contracts, regardless of case, and its endpoint.
    package static func run(
        service: String, endpoint: String, contracts: [String], in boundary: ProjectBoundary
    ) -> Answer {
        let search = EndpointSearch(contracts, boundary)
        if !search.diagnostics.isEmpty { return .findings(search.diagnostics, sources: [:]) }
        let services = search.services
        let file = contracts.joined(separator: ", ")
        guard services.contains(where: { $0.lowercased() == service.lowercased() }) else {
            let help =
                nearestSpelling(of: service, among: services).map { "did you mean `\($0)`?" }
                ?? (services.isEmpty ? nil : "the services are \(services.joined(separator: ", "))")
            return refusal(.unknownService, "no contract has the service `\(service)`", file, help)
        }
        switch search.answer({ $0.lowercased() == service.lowercased() }, endpoint) {
        case .answer(let answer): return answer
        case .missing(let names):
            let help =
                nearestSpelling(of: endpoint, among: names).map { "did you mean `\($0)`?" }
                ?? "it has \(names.joined(separator: ", "))"
            return refusal(.unknownEndpoint, "`\(service)` has no endpoint `\(endpoint)`", file, help)
        }
    }

    private static func missing(_ name: String, _ endpoints: [String], _ search: EndpointSearch) -> Answer {
        if let service = search.services.first(where: { $0.lowercased() == name.lowercased() }) {
            let own = search.endpoints(of: service)
            return refusal(
                .unknownEndpoint, "`\(service)` is a service; add the name of an endpoint", search.place,
                own.isEmpty ? nil : "name one: \(own.joined(separator: ", "))")
        }
        let ids = FindingPages.all.map(\.name)
        let near = nearestSpelling(of: name, among: endpoints + ids)
        // A subject with dashes can only be the id of a finding, and one with capitals only an endpoint.
        let subject =
            name.contains("-")
            ? "no finding has the id `\(name)`" : "no endpoint and no finding has the name `\(name)`"
        let rest = endpoints.isEmpty ? "" : "; the endpoints are \(endpoints.prefix(30).joined(separator: ", "))"
        let help = near.map { "did you mean `\($0)`?" } ?? "`errand rules` lists the findings\(rest)"
        let finding = Diagnostic(rule: .unknownEndpoint, message: subject, file: search.place, help: help)
        // A contract that could not be found or read may be the one that is meant.
        let others = near == nil && !name.contains("-") ? search.obstacles : []
        return .findings([finding] + others, sources: [:])
    }

    private static func refusal(_ rule: FindingKind, _ message: String, _ file: String, _ help: String?) -> Answer {
        .findings([Diagnostic(rule: rule, message: message, file: file, help: help)], sources: [:])
    }
}

/// The endpoints of some contracts, by their names.
private final class EndpointSearch {
    enum Found {
        case answer(Explain.Answer)
        /// The names that there are.
        case missing([String])
    }

    /// The searched place, as a message names it.
    let place: String
    /// Why contracts could not be found.
    let diagnostics: [Diagnostic]
    private let files: ContractFiles
    private let examinations: [ContractExamination]

    init(_ contracts: [String], _ boundary: ProjectBoundary) {
        files = ContractFiles(boundary)
        let found = ContractFiles.find(contracts, in: boundary)
        diagnostics = found.diagnostics
        place = contracts.joined(separator: ", ")
        let resolver = ContractResolver(provider: files, mostEndpoints: boundary.limits.endpoints)
        examinations = found.files.map { resolver.examine(path: $0) }
    }

    /// Why contracts could not be found or read. One of them may have what is searched for.
    var obstacles: [Diagnostic] { diagnostics + examinations.filter { $0.written == nil }.flatMap(\.findings) }

    var services: [String] { examinations.compactMap(\.written?.service.value) }

    func endpoints(of service: String) -> [String] {
        examinations.compactMap(\.written).filter { $0.service.value == service }.flatMap {
            $0.endpoints.map(\.name.value)
        }
    }

    /// The endpoint of the services that are meant.
    func answer(_ isMeant: (String) -> Bool, _ endpoint: String) -> Found {
        let meant = examinations.filter { $0.written.map { isMeant($0.service.value) } ?? false }
        let holders = meant.filter { $0.written?.endpoints.contains { $0.name.value == endpoint } ?? false }
        if holders.count > 1 {
            let services = holders.compactMap(\.written?.service.value)
            return .answer(
                .findings(
                    [
                        Diagnostic(
                            rule: .ambiguousName,
                            message: "\(services.joined(separator: " and ")) each have an endpoint `\(endpoint)`",
                            file: place, help: "add the service: `errand explain \(services[0]) \(endpoint)`")
                    ], sources: [:]))
        }
        guard let holder = holders.first else {
            // One that could not be read may be in a contract with errors.
            let names = meant.compactMap(\.written).flatMap { $0.endpoints.map(\.name.value) }
            if let broken = meant.first(where: { $0.written?.unreadableNames.contains(endpoint) == true }) {
                return .answer(.findings(broken.findings, sources: files.sources(of: broken.findings)))
            }
            return .missing(names)
        }
        guard let contract = holder.resolved, let explanation = EndpointExplanation(endpoint, in: contract) else {
            return .answer(.findings(holder.findings, sources: files.sources(of: holder.findings)))
        }
        return .answer(.endpoint(explanation))
    }
}
