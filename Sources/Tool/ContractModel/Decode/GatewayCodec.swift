import Diagnostics
import YAMLTree

extension Codec where Value == [GatewayDefinition] {
    /// Name of a server → the programs before it.
    static var gateways: Codec {
        .named(
            .mapping { ServiceKeys.gateway.description },
            read: { decoder, name, node in
                var gateways = GatewayDefinition(server: name)
                return decoder.read(node, as: ServiceKeys.gateway, into: &gateways) ? gateways : nil
            }, name: { $0.server.value }, write: { .mapping(ServiceKeys.gateway.pairs(of: $0, $1)) })
    }
}

extension Codec where Value == [(name: Located<String>, gateways: [Located<Gateway>])] {
    /// Name of a role → the programs before its URL.
    static var rolesOfGateways: Codec {
        .named(
            .oneOrMore(Codec<Gateway>.word.shape, atLeast: 1),
            read: { decoder, name, node in
                guard node.sequence?.isEmpty != true else {
                    decoder.report(
                        .missingValue, "`\(name.value)` is an empty list", at: node.range,
                        help: "write a value, or remove `\(name.value)`")
                    return nil
                }
                let valueName = ValueName(key: name.value, isElement: node.sequence != nil)
                let gateways = decoder.elements(node, name.value).compactMap {
                    Codec<Gateway>.word.read(&decoder, $0, valueName)
                }
                return (name, gateways)
            }, name: { $0.name.value },
            write: { role, _ in
                let words = role.gateways.map { PrintedNode.text($0.value.rawValue) }
                return words.count == 1 ? words[0] : .list(words)
            })
    }
}
