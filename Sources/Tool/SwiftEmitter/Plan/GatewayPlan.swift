import ContractModel

/// Plans what a client knows of the programs before a server: those of their responses that prove something, and no others.
enum GatewayPlan {
    /// The rules under `url` and under the names of roles, where there are any.
    static func rules(of entry: GatewayDefinition) -> [(String, Expression)] {
        let urls = [("url", entry.gateways(of: nil))] + entry.roles.map { ($0.name.value, $0.gateways.map(\.value)) }
        return urls.filter { GatewayDefinition.hasRefusals($0.1) }.map { ($0.0, rules($0.1)) }
    }

    private static func rules(_ gateways: [Gateway]) -> Expression {
        let refusals = gateways.uniqued.flatMap { gateway in
            gateway.refusals.map { refusal in
                Expression.implicit(
                    "init",
                    [
                        Argument(.integer(refusal.status)), Argument(DecisionTablePlan.value(refusal.mark)),
                        Argument(.string(refusal.reason(of: gateway))),
                    ])
            }
        }
        var arguments = [Argument(.array(refusals))]
        let repeats = gateways.uniqued.flatMap(\.repeats).map(self.repeat)
        if !repeats.isEmpty { arguments.append(Argument("repeats", .array(repeats))) }
        return SwiftType.nested(.named("ErrandRuntime"), "GatewayRules").make(arguments)
    }

    private static func `repeat`(_ rule: GatewayRepeat) -> Expression {
        var arguments: [Argument] = []
        if let methods = rule.methods { arguments.append(Argument(.strings(methods))) }
        if !rule.exceptions.isEmpty { arguments.append(Argument("except", .strings(rule.exceptions))) }
        if rule.isBodiless { arguments.append(Argument("bodiless", .bool(true))) }
        if rule.isKeyed { arguments.append(Argument("keyed", .bool(true))) }
        return .implicit("init", arguments)
    }
}
