import ContractModel
import Diagnostics
import SwiftEmitter
import YAMLTree

/// The values of `endpoints` and `names` in `errand.yaml`, by service.
package struct ServiceCustomization: Sendable, Equatable {
    /// Which endpoints are generated.
    package enum Selections: Sendable, Equatable {
        case all
        /// Of the only contract that there is.
        case only([Located<String>])
        /// Of these services; of others all.
        case byService([Selection])
    }

    package struct Selection: Sendable, Equatable {
        package let service: Located<String>
        package let endpoints: [Located<String>]
    }

    package struct Names: Sendable, Equatable {
        package let service: Located<String>
        package let names: SwiftNames
    }

    package var selections = Selections.all
    package var names: [Names] = []
    /// Whether each client gets a protocol of its methods, `Calls`.
    package var hasProtocol = false

    package init() {}

    /// The customization of one service.
    func customization(for service: String) -> ContractCustomization {
        var customization = ContractCustomization(names: names.first { $0.service.value == service }?.names)
        switch selections {
        case .all: break
        case .only(let endpoints): customization.endpoints = endpoints
        case .byService(let list): customization.endpoints = list.first { $0.service.value == service }?.endpoints
        }
        return customization
    }

    /// The entries that name an unknown service, or none although there are several.
    func findings(services: [String]) -> [Diagnostic] {
        var named = names.map(\.service)
        var findings: [Diagnostic] = []
        switch selections {
        case .all: break
        case .only(let endpoints):
            guard services.count > 1, let first = endpoints.first else { break }
            findings.append(
                Diagnostic(
                    rule: .endpointsOfWhichService,
                    message: "`endpoints` is a list, but the project has \(services.count) contracts", at: first.range,
                    help: "write the service of the endpoints: `endpoints: {\(services.first ?? ""): [\(first.value)]}`"
                ))
        case .byService(let list): named += list.map(\.service)
        }
        for service in named where !services.contains(service.value) {
            let near = NearSpelling(of: service.value, among: services)
            let help =
                near.map { "did you mean `\($0.candidate)`?" }
                ?? (services.isEmpty ? nil : "the services are \(services.joined(separator: ", "))")
            findings.append(
                Diagnostic(
                    rule: .unknownService, message: "no contract has the service `\(service.value)`",
                    at: service.range, help: help, fix: near?.fix(at: service.range)
                ))
        }
        return findings
    }
}

extension ConfigurationDecoder {
    mutating func selections(_ node: YAMLNode, _ key: YAMLNode) -> ServiceCustomization.Selections {
        guard let mapping = node.mapping else { return .only(endpoints(node, key)) }
        return .byService(
            mapping.compactMap { pair in
                guard let service = pair.key.text else { return nil }
                return ServiceCustomization.Selection(
                    service: Located(service, at: pair.key.range), endpoints: endpoints(pair.value, pair.key))
            })
    }

    private mutating func endpoints(_ node: YAMLNode, _ key: YAMLNode) -> [Located<String>] {
        if let sequence = node.sequence, sequence.isEmpty {
            report(
                .missingValue, "`\(key.text ?? "endpoints")` is empty", key,
                help: "list the endpoints to generate, or remove the key to generate all")
        }
        return located(node, key.text ?? "endpoints")
    }

    mutating func names(_ node: YAMLNode) -> [ServiceCustomization.Names] {
        entries(node, "names").compactMap { key, value in
            guard let service = key.text else { return nil }
            var entries: [SwiftNames.Kind: [SwiftNames.Entry]] = [:]
            for (kindNode, names) in self.entries(value, service) {
                guard let kind = kindNode.text.flatMap(SwiftNames.Kind.init) else {
                    reportUnknown(kindNode, "`names` of a service", SwiftNames.Kind.allCases.map(\.rawValue))
                    continue
                }
                entries[kind] = self.entries(names, kind.rawValue).compactMap { name, swiftName in
                    guard let text = name.text, let wanted = self.text(swiftName, text) else { return nil }
                    return SwiftNames.Entry(Located(text, at: name.range), is: Located(wanted, at: swiftName.range))
                }
            }
            return ServiceCustomization.Names(service: Located(service, at: key.range), names: SwiftNames(entries))
        }
    }
}
