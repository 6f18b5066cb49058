import ContractModel
import Diagnostics

/// Swift names for one contract, if the contract itself cannot be changed. A contract's own `swift:` comes first.
package struct SwiftNames: Sendable, Equatable {
    /// The kinds of things that can have a Swift name. The words are keys of `errand.yaml`. An event is a type in Swift.
    package enum Kind: String, Sendable, CaseIterable {
        case types, errors, endpoints
        /// `Type.field`, `endpoint.field`, `error.field`, `event.field`, `endpoint.outcome.field` and `common.field`.
        case fields

        var one: String { String(rawValue.dropLast()) }

        /// The finding for a name that the contract does not have.
        var unknown: FindingKind {
            switch self {
            case .types: .unknownType
            case .errors: .unknownError
            case .endpoints: .unknownEndpoint
            case .fields: .unknownField
            }
        }
    }

    /// Names of the contract, and what they are in Swift.
    package struct Entry: Sendable, Equatable {
        package let name: Located<String>
        package let swiftName: Located<String>

        package init(_ name: Located<String>, is swiftName: Located<String>) {
            self.name = name
            self.swiftName = swiftName
        }
    }

    package var entries: [Kind: [Entry]]

    package init(_ entries: [Kind: [Entry]]) {
        self.entries = entries
    }

    /// Whether a text is valid in Swift as a name.
    package static func isIdentifier(_ text: String) -> Bool {
        SwiftIdentifier.isValid(text) && !ReservedNames.keywords.contains(text)
    }

    func apply(to contract: inout ResolvedContract, _ findings: inout [Diagnostic]) {
        var types = Wishes(entries[.types])
        for index in contract.types.indices {
            types.grant(contract.types[index].name.value, &contract.types[index].swiftName)
        }
        for index in contract.events.indices {
            types.grant(contract.events[index].name.value, &contract.events[index].swiftName)
        }
        var errors = Wishes(entries[.errors])
        for index in contract.errors.indices {
            errors.grant(contract.errors[index].name.value, &contract.errors[index].swiftName)
        }
        var endpoints = Wishes(entries[.endpoints])
        for index in contract.endpoints.indices {
            endpoints.grant(contract.endpoints[index].name.value, &contract.endpoints[index].swiftName)
        }
        var fields = Wishes(entries[.fields])
        if !fields.isEmpty {
            Self.eachField(of: &contract) { owner, field in
                var name = field.swiftName
                fields.grant(owner + "." + field.name.value, &name)
                if field.swiftName == nil, name != nil { field = field.inSwift(as: name) }
            }
        }
        for (kind, wishes) in [(Kind.types, types), (.errors, errors), (.endpoints, endpoints), (.fields, fields)] {
            for name in wishes.unmet {
                findings.append(
                    ContractCustomization.missing(kind.unknown, kind.one, name, in: contract, among: wishes.met))
            }
        }
    }

    /// Names that are wished for, and what was there to be named.
    private struct Wishes {
        private let entries: [Entry]
        private let byName: [String: Located<String>]
        private(set) var met: [String] = []
        private var granted = Set<String>()

        init(_ entries: [Entry]?) {
            self.entries = entries ?? []
            byName = Dictionary(
                self.entries.map { ($0.name.value, $0.swiftName) }, uniquingKeysWith: { first, _ in first })
        }

        var isEmpty: Bool { entries.isEmpty }
        var unmet: [Located<String>] { entries.map(\.name).filter { !granted.contains($0.value) } }

        mutating func grant(_ name: String, _ swiftName: inout Located<String>?) {
            if isEmpty { return }
            met.append(name)
            guard let wish = byName[name] else { return }
            granted.insert(name)
            swiftName = swiftName ?? wish
        }
    }
}

// MARK: Fields

extension SwiftNames {
    /// Visits every field with the name of what it is a field of.
    private static func eachField(of contract: inout ResolvedContract, _ visit: (String, inout FieldDefinition) -> Void)
    {
        func visitAll(_ owner: String, _ fields: inout [FieldDefinition]) {
            for index in fields.indices { visit(owner, &fields[index]) }
        }
        func visitData(_ owner: String, _ data: inout ErrorData?) {
            guard case .fields(var fields)? = data else { return }
            visitAll(owner, &fields)
            data = .fields(fields)
        }
        for index in contract.types.indices {
            guard case .structure(var fields) = contract.types[index].form else { continue }
            visitAll(contract.types[index].name.value, &fields)
            contract.types[index].form = .structure(fields)
        }
        for index in contract.errors.indices {
            visitData(contract.errors[index].name.value, &contract.errors[index].data)
        }
        for index in contract.events.indices {
            visitData(contract.events[index].name.value, &contract.events[index].data)
        }
        for index in contract.common.query.indices { visit("common", &contract.common.query[index].field) }
        for index in contract.common.headers.indices { visit("common", &contract.common.headers[index].field) }
        for index in contract.common.parameters.indices { visit("common", &contract.common.parameters[index].field) }
        for index in contract.endpoints.indices {
            var endpoint = contract.endpoints[index].definition
            let owner = endpoint.name.value
            visitPath(owner, &endpoint.target, visit)
            visitAll(owner, &endpoint.query)
            visitAll(owner, &endpoint.headers)
            visitAll(owner, &endpoint.cookies)
            if case .fields(var fields)? = endpoint.body?.content {
                visitAll(owner, &fields)
                endpoint.body?.content = .fields(fields)
            }
            if case .fields(var fields) = endpoint.response.value {
                visitAll(owner, &fields)
                endpoint.response.value = .fields(fields)
            }
            visitAll(owner, &endpoint.responseHeaders)
            for outcome in endpoint.outcomes.indices {
                visitData(owner + "." + endpoint.outcomes[outcome].name.value, &endpoint.outcomes[outcome].data)
            }
            contract.endpoints[index].definition = endpoint
        }
    }

    private static func visitPath(
        _ owner: String, _ target: inout EndpointDefinition.Target, _ visit: (String, inout FieldDefinition) -> Void
    ) {
        guard case .http(let method, var path) = target else { return }
        switch path.value {
        case .wholeURL(var field):
            visit(owner, &field)
            path.value = .wholeURL(field)
        case .path(let parts):
            path.value = .path(
                parts.map { part in
                    guard case .parameter(var field) = part else { return part }
                    visit(owner, &field)
                    return .parameter(field)
                })
        }
        target = .http(method, path)
    }
}
