import Testing

@testable import ContractModel

/// `gateways`: the programs before a server, and what is refused.
@Suite struct GatewayTests {
    private static let servers =
        "servers: {main: {url: \"https://sample.example\", up: \"https://up.sample.example\"}}\n"

    @Test(
        arguments: [
            ("url: nginx", [Gateway.nginx], []), ("url: [nginx, haproxy]", [.nginx, .haproxy], []),
            ("roles: {up: [caddy, nginx]}", [], [.caddy, .nginx]),
            ("url: envoy, roles: {up: squid}", [.envoy], [.squid]),
        ] as [(String, [Gateway], [Gateway])])
    func aServerHasItsGatewaysByURL(_ keys: String, _ url: [Gateway], _ role: [Gateway]) throws {
        let text = ContractFixture("", saying: "", part: Self.servers + "gateways:\n  main: {\(keys)}\n").text
        let result = resolve(text)
        let contract = try #require(result.contract, "\(listing(result.diagnostics))")
        let server = try #require(contract.servers.first)
        let entry = try #require(contract.gateways(of: server))
        #expect(entry.gateways(of: nil) == url && entry.gateways(of: "up") == role && entry.gateways(of: "other") == [])
    }

    @Test(arguments: [
        ContractFixture("unknown-server", saying: "main", part: servers + "gateways:\n  «man»: {url: nginx}\n"),
        ContractFixture("unknown-value", saying: "nginx", part: servers + "gateways:\n  main: {url: «ngnix»}\n"),
        ContractFixture("missing-value", saying: "write a value", part: servers + "gateways:\n  main: {url: «[]»}\n"),
        ContractFixture(
            "missing-value", saying: "write a value", part: servers + "gateways:\n  main: {roles: {up: «[]»}}\n"),
        ContractFixture(
            "unknown-server-role", saying: "`up`", part: servers + "gateways:\n  main: {roles: {«upp»: nginx}}\n"),
        ContractFixture(
            "unknown-value", saying: "nginx", part: servers + "gateways:\n  main: {roles: {up: [nginx, «iis»]}}\n"),
    ])
    func whatCannotBeMeantIsRefused(_ fixture: ContractFixture) {
        expectIsFound(fixture)
    }
}
