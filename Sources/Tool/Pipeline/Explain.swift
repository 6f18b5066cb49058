import ContractChecks
import ContractModel
import Diagnostics

/// Explains the subject that a person names: the id of a finding, an endpoint, or an event.
package enum Explain {
    package typealias Explanation = EndpointExplanation
    package typealias EventExplanation = ContractChecks.EventExplanation

    package enum Answer: Sendable {
        case page(FindingPage)
        case endpoint(Explanation)
        case event(EventExplanation)
        /// The subject doesn't exist, or its contract has errors. The findings tell which, and `sources` are the texts that
        /// they point into.
        case findings([Diagnostic], sources: [String: [UInt8]])
    }

    /// Looks for a finding of this id, and then for an endpoint or an event of this name in the contracts.
    package static func run(_ name: String, contracts: [String], in boundary: ProjectBoundary) -> Answer {
        if let page = FindingPages.page(of: name) { return .page(page) }
        let search = SubjectSearch(contracts, boundary)
        switch search.answer({ _ in true }, name) {
        case .answer(let answer): return answer
        case .missing(let names): return missing(name, names, search)
        }
    }

    /// Finds the service among the contracts, regardless of case, and its endpoint or event.
    package static func run(
        service: String, name: String, contracts: [String], in boundary: ProjectBoundary
    ) -> Answer {
        let search = SubjectSearch(contracts, boundary)
        if !search.diagnostics.isEmpty { return .findings(search.diagnostics, sources: [:]) }
        let services = search.services
        let file = contracts.joined(separator: ", ")
        guard services.contains(where: { $0.lowercased() == service.lowercased() }) else {
            let help =
                nearestSpelling(of: service, among: services).map { "did you mean `\($0)`?" }
                ?? (services.isEmpty ? nil : "the services are \(services.joined(separator: ", "))")
            return refusal(.unknownService, "no contract has the service `\(service)`", file, help)
        }
        switch search.answer({ $0.lowercased() == service.lowercased() }, name) {
        case .answer(let answer): return answer
        case .missing(let names):
            let help =
                nearestSpelling(of: name, among: names.all).map { "did you mean `\($0)`?" }
                ?? "it has \(names.all.joined(separator: ", "))"
            let kinds = names.events.isEmpty ? "endpoint" : "endpoint and no event"
            return refusal(.unknownEndpoint, "`\(service)` has no \(kinds) `\(name)`", file, help)
        }
    }

    private static func missing(_ name: String, _ known: SubjectNames, _ search: SubjectSearch) -> Answer {
        if let service = search.services.first(where: { $0.lowercased() == name.lowercased() }) {
            let names = search.names(of: service)
            let own = names.all
            let kinds = names.events.isEmpty ? "an endpoint" : "an endpoint or an event"
            return refusal(
                .unknownEndpoint, "`\(service)` is a service; add the name of \(kinds)", search.place,
                own.isEmpty ? nil : "name one: \(own.joined(separator: ", "))")
        }
        let ids = FindingPages.all.map(\.name)
        let near = nearestSpelling(of: name, among: known.all + ids)
        // A subject with dashes can only be the id of a finding, and one with capitals only an endpoint or an event.
        let kinds = known.events.isEmpty ? "no endpoint and no finding" : "no endpoint, no event and no finding"
        let subject =
            name.contains("-") ? "no finding has the id `\(name)`" : "\(kinds) has the name `\(name)`"
        func list(_ kind: String, _ names: [String]) -> String {
            names.isEmpty ? "" : "; the \(kind) are \(names.prefix(30).joined(separator: ", "))"
        }
        let rest = list("endpoints", known.endpoints) + list("events", known.events)
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

/// The names of a contract that can be explained.
private struct SubjectNames {
    var endpoints: [String] = []
    var events: [String] = []

    var all: [String] { endpoints + events }

    init(_ contracts: [Contract]) {
        endpoints = contracts.flatMap { $0.endpoints.map(\.name.value) }
        events = contracts.flatMap { $0.events.map(\.name.value) }
    }
}

/// The endpoints and the events of some contracts, by their names.
private final class SubjectSearch {
    enum Found {
        case answer(Explain.Answer)
        /// The names that there are.
        case missing(SubjectNames)
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

    func names(of service: String) -> SubjectNames {
        SubjectNames(examinations.compactMap(\.written).filter { $0.service.value == service })
    }

    /// The endpoint or the event of the services that are meant.
    func answer(_ isMeant: (String) -> Bool, _ name: String) -> Found {
        let meant = examinations.filter { $0.written.map { isMeant($0.service.value) } ?? false }
        let holders = meant.filter { $0.written.map { SubjectNames([$0]).all.contains(name) } ?? false }
        if holders.count > 1 {
            let services = holders.compactMap(\.written?.service.value)
            return .answer(
                .findings(
                    [
                        Diagnostic(
                            rule: .ambiguousName,
                            message: "\(services.joined(separator: " and ")) each have the name `\(name)`",
                            file: place, help: "add the service: `errand explain \(services[0]) \(name)`")
                    ], sources: [:]))
        }
        guard let holder = holders.first else {
            // One that could not be read may be in a contract with errors.
            if let broken = meant.first(where: { $0.written?.unreadableNames.contains(name) == true }) {
                return .answer(.findings(broken.findings, sources: files.sources(of: broken.findings)))
            }
            return .missing(SubjectNames(meant.compactMap(\.written)))
        }
        if let contract = holder.resolved {
            if let endpoint = EndpointExplanation(name, in: contract) { return .answer(.endpoint(endpoint)) }
            if let event = EventExplanation(name, in: contract) { return .answer(.event(event)) }
        }
        return .answer(.findings(holder.findings, sources: files.sources(of: holder.findings)))
    }
}
