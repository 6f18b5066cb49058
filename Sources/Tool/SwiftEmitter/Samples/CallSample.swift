import ContractModel

/// The Swift of a call, for pages about a contract: the method's signature, the call, and a `catch` for each of its failures.
package struct CallSample {
    private let context: EmissionContext
    /// The names of the methods of each group.
    private let groups: [String: GroupNames]
    private let groupIdentifiers: [String: String]

    package init(_ contract: ResolvedContract) {
        context = EmissionContext(contract, EmitterOptions())
        groups = Dictionary(
            uniqueKeysWithValues: contract.groupedEndpoints.map { name, endpoints in
                (name, GroupNames(name, endpoints.map(\.identifier)))
            })
        groupIdentifiers = Dictionary(contract.groups.map { ($0.name.value, $0.identifier) }) { $1 }
    }

    /// The declaration of the client's method.
    package func signature(of endpoint: ResolvedEndpoint) -> String {
        let members = CommandPlan(context, endpoint).parameters
        let response = ResponsePlan(context, endpoint)
        let parameters = members.map { property in
            "\(property.name): \(Self.text(property.type))"
                + (property.initial.map { " = \(Self.text($0))" } ?? "")
        }
        let effects =
            response.isStream ? "" : " async throws(\(Self.text(context.inside(endpoint.failureName))))"
        let result = response.result.map { " -> \(Self.text($0))" } ?? ""
        return "func \(SwiftIdentifier.spelled(endpoint.identifier))\(Self.list(parameters))\(effects)\(result)"
    }

    /// The call with the arguments that have no default, in a `do` statement. Nil for a command that only the runtime makes.
    package func call(of endpoint: ResolvedEndpoint) -> String? {
        guard endpoint.name.value != context.contract.session?.attach else { return nil }
        let members = CommandPlan(context, endpoint).parameters
        let arguments = members.filter { $0.initial == nil }.map { "\($0.label): \($0.name)" }
        let call = method(of: endpoint) + Self.list(arguments, step: "  ")
        let response = ResponsePlan(context, endpoint)
        var lines = ["do throws(\(Self.text(context.inside(endpoint.failureName)))) {"]
        if response.isStream {
            lines += ["  for try await element in \(call) {", "    show(element)", "  }"]
        } else if !endpoint.outcomes.isEmpty {
            lines.append("  switch try await \(call) {")
            lines.append(
                endpoint.hasPayload ? "  case .completed(let response): show(response)" : "  case .completed: show()")
            for outcome in endpoint.outcomes {
                let name = SwiftIdentifier.spelled(outcome.identifier)
                lines.append(
                    outcome.data == nil ? "  case .\(name): show()" : "  case .\(name)(let details): show(details)")
            }
            lines.append("  }")
        } else {
            lines.append(response.result == nil ? "  try await \(call)" : "  let response = try await \(call)")
            if response.result != nil { lines.append("  show(response)") }
        }
        lines += catches(of: endpoint)
        return lines.joined(separator: "\n")
    }

    /// A `catch` for each error of the endpoint, for those that it shares with others, and for the built-in ones.
    private func catches(of endpoint: ResolvedEndpoint) -> [String] {
        let contract = context.contract
        func name(_ error: String) -> String? {
            contract.error(named: error).map { SwiftIdentifier.spelled($0.identifier) }
        }
        var lines: [String] = []
        let listed = endpoint.declaresOwnErrors ? endpoint.listedErrors : []
        for error in listed.compactMap(name) {
            lines += ["} catch .\(error)(let failure) {", "  show(failure.message)"]
        }
        if endpoint.mayStayOpen {
            lines += ["} catch .unconfirmed(let receipt) {", "  show(receipt)  // it may have taken effect"]
        }
        // A failure of its own has the shared ones inside it.
        let isInside = endpoint.failureName != ResolvedEndpoint.sharedFailure
        func pattern(_ name: String, _ value: String) -> String {
            isInside ? ".shared(.\(name)(let \(value)))" : ".\(name)(let \(value))"
        }
        let possible = Set(endpoint.errors).subtracting(listed)
        let shared = contract.sharedErrors.filter(possible.contains)
        for error in shared.compactMap(name) {
            lines += ["} catch \(pattern(error, "failure")) {", "  show(failure.message)"]
        }
        lines += [
            "} catch \(pattern("fault", "fault")) {",
            "  show(fault.context.message)  // a timeout, an outage or another built-in error: `fault.kind`",
            "} catch {", "  show(error.context.message)", "}",
        ]
        return lines
    }

    /// `bank.transferFunds`, or `bank.accounts.list` in a group.
    private func method(of endpoint: ResolvedEndpoint) -> String {
        let client = SwiftIdentifier.spelled(SwiftIdentifier.make(from: context.contract.service.value, .value))
        guard let group = endpoint.group?.value, let names = groups[group],
            let identifier = groupIdentifiers[group]
        else { return "\(client).\(SwiftIdentifier.spelled(endpoint.identifier))" }
        let short = SwiftIdentifier.spelled(names.name(of: endpoint.identifier))
        return "\(client).\(SwiftIdentifier.spelled(identifier)).\(short)"
    }

    /// Parameters or arguments: on one line, or each on a line of its own.
    private static func list(_ elements: [String], step: String = "") -> String {
        let line = elements.joined(separator: ", ")
        guard line.count > 72 else { return "(\(line))" }
        return "(\n\(elements.map { step + "  " + $0 }.joined(separator: ",\n"))\n\(step))"
    }

    private static func text(_ type: SwiftType) -> String { line { $0.add(type) } }
    private static func text(_ expression: Expression) -> String { line { $0.add(expression) } }

    private static func line(_ add: (inout SwiftPrinter) -> Void) -> String {
        let text = SwiftPrinter.layout(add).printed
        return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }
}

extension ResolvedEndpoint {
    /// Whether a success has a value for the app.
    fileprivate var hasPayload: Bool {
        if case .none = response.value { false } else { true }
    }
}
