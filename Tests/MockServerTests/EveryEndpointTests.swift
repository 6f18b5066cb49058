import ContractModel
import JSONTree
import Testing

@testable import MockServer

/// Every endpoint of every shipped contract: a request that fits the contract succeeds, its response fits the contract, and each
/// failure is the one that the decision table reads.
@Suite struct EveryEndpointTests {
    static let seeds: [UInt64] = [0, 1, 2, 77]

    @Test(arguments: MockFixture.shipped, seeds) func aRequestThatFitsGetsAResponseThatFits(
        _ name: String, _ seed: UInt64
    ) throws {
        let contract = try MockFixture.contract(name)
        var count = 0
        for endpoint in contract.endpoints {
            var engine = try MockFixture.engine(name, seed: seed)
            let token = engine.issueAccess(user: 1)
            let refresh = engine.issueRefresh(user: 1)
            let sample = RequestSample(contract, seed: seed, token: token, refresh: refresh)
            // A read that confirms a command finds nothing without the command.
            let isConfirmation = contract.endpoints.contains { command in
                command.definition.confirm?.endpoint.value == endpoint.name.value
            }
            guard !isConfirmation, let request = sample.request(of: endpoint, base: engine.basePath) else { continue }
            let reply = engine.respond(to: request, at: .zero)
            let context = "\(endpoint.name.value), seed \(seed): \(reply.entry.text) \(reply.entry.findings)"
            #expect(reply.entry.findings.isEmpty, "\(context)")
            #expect(reply.entry.result == .success || reply.entry.result == .outcome, "\(context)")
            guard reply.entry.result == .success else { continue }
            count += 1
            expectPayload(of: reply, endpoint, contract, context)
        }
        #expect(count > 3)
    }

    private func expectPayload(
        of reply: MockReply, _ endpoint: ResolvedEndpoint, _ contract: ResolvedContract, _ context: String
    ) {
        let composer = ResponseComposer(endpoint, in: contract)
        guard !endpoint.isXMLResponse, endpoint.delivery == .reply, endpoint.method != .head else { return }
        if case .bytes = endpoint.response.value { return }
        let bytes = reply.response.body.bytes
        let body = bytes.isEmpty ? JSONNode.object([]) : (try? JSONParser.parse(bytes)) ?? .null
        #expect(composer.isSuccess(status: reply.response.status, body), "\(context)")
        var check = ValueCheck(contract)
        let payload = body.value(at: composer.payloadPath[...]) ?? .null
        switch endpoint.response.value {
        case .none, .bytes: break
        case .fields(let fields): check.check(payload, fields: fields, at: "payload")
        case .type(let type, _, _): check.check(payload, type: type.unwrapped, [], coerces: false, at: "payload")
        }
        #expect(
            check.problems.isEmpty && check.oddities.isEmpty,
            "\(context): \(check.problems) \(check.oddities) \(payload)")
    }

    @Test(arguments: MockFixture.shipped) func eachDeclaredFailureIsReadAsItself(_ name: String) throws {
        let contract = try MockFixture.contract(name)
        var engine = try MockFixture.engine(name)
        let names = FailureNames(contract)
        var count = 0
        for endpoint in contract.endpoints {
            let sample = RequestSample(contract, seed: 0, token: "none", refresh: "none")
            guard var request = sample.request(of: endpoint, base: engine.basePath) else { continue }
            for failure in names.declared(at: endpoint) {
                request.headers.removeAll { $0.name == MockEngine.failureHeader }
                request.headers.append((MockEngine.failureHeader, failure))
                let reply = engine.respond(to: request, at: .zero)
                let body = (try? JSONParser.parse(reply.response.body.bytes)) ?? .object([])
                // The response to HEAD has no body, which only its status can be read from.
                let composer = ResponseComposer(endpoint, in: contract)
                #expect(reply.entry.name == failure, "\(endpoint.name.value) \(reply.entry.text)")
                if endpoint.method == .head { continue }
                #expect(
                    composer.row(status: reply.response.status, body)?.verdict.name == failure,
                    "\(endpoint.name.value): \(failure) was \(reply.response.status) \(body)")
                count += 1
            }
        }
        #expect(count > 5)
    }

    /// A built-in failure means nothing that the contract declares, unless the contract has a meaning for all of its statuses.
    @Test func builtInFailuresAreNotThoseOfTheContract() throws {
        let contract = try MockFixture.contract("bank")
        var client = MockClient(try MockFixture.engine("bank"))
        for (failure, statuses) in [
            ("throttled", [429]), ("requestTimeout", [408]), ("unavailable", [502, 504]), ("serverFault", [500]),
            ("rejected", [400]),
        ] {
            let answer = try client.send("GET", "/v1/accounts", headers: [("errand-mock", failure)])
            #expect(statuses.contains(answer.status), "\(failure): \(answer.status)")
            let composer = ResponseComposer(contract.endpoints[2], in: contract)
            #expect(composer.row(status: answer.status, answer.json) == nil)
            #expect(!composer.isSuccess(status: answer.status, answer.json))
        }
        #expect(
            try client.send("GET", "/v1/accounts", headers: [("Errand-Mock", "malformed")]).json == .string("not JSON"))
    }

    @Test func theSameSeedGivesTheSameResponses() throws {
        func responses(_ seed: UInt64) throws -> [[UInt8]] {
            var client = MockClient(try MockFixture.engine("bank", seed: seed))
            try client.logIn()
            return try ["/v1/accounts", "/v1/accounts/3", "/v1/accounts/3/transfers"].map {
                try client.send("GET", $0).reply.response.body.bytes
            }
        }
        #expect(try responses(5) == responses(5))
        #expect(try responses(5) != responses(6))
    }
}
