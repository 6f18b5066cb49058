import Foundation
import Testing

@testable import Pipeline
@testable import ProjectTasks

/// Bodies of PATCH, sent by the client of an imported document: an absent member, null and a value are three things, at each level.
@Suite(.serialized) struct ImportedUpdateTests {
    private static let document = """
        openapi: 3.1.0
        info: {title: Desk, version: 1.0.0}
        servers: [{url: "https://desk.example"}]
        paths:
          /users/{id}:
            parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
            get:
              operationId: getUser
              responses: {200: {description: Fine, content: {application/json: {schema: {$ref: '#/components/schemas/User'}}}}, 404: {description: None}}
            patch:
              operationId: changeUser
              requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/User'}}}}
              responses: {204: {description: Done}, 404: {description: None}}
          /desk:
            patch:
              operationId: mergeDesk
              requestBody: {required: true, content: {application/merge-patch+json: {schema: {$ref: '#/components/schemas/Desk'}}}}
              responses: {204: {description: Done}, 404: {description: None}}
        components:
          schemas:
            User:
              type: object
              properties:
                bio: {type: [string, 'null']}
                age: {type: integer}
                home: {type: object, properties: {street: {type: [string, 'null']}, city: {type: string}}}
                pets: {type: array, items: {$ref: '#/components/schemas/Pet'}}
            Pet: {oneOf: [{$ref: '#/components/schemas/Cat'}], discriminator: {propertyName: kind, mapping: {cat: '#/components/schemas/Cat'}}}
            Cat: {type: object, required: [kind], properties: {kind: {type: string}, chip: {type: [integer, 'null']}}}
            Desk:
              type: object
              properties:
                title: {type: string}
                lamp: {type: object, properties: {watts: {type: integer}}}
                labels: {type: object, additionalProperties: {type: string}}
        """

    /// Commands in Swift, and the bodies that the server must get.
    private static let calls = [
        ("ChangeUser(id: 1, body: Desk.UserUpdate())", #"{}"#),
        ("ChangeUser(id: 1, body: Desk.UserUpdate(bio: .null))", #"{"bio":null}"#),
        (#"ChangeUser(id: 1, body: Desk.UserUpdate(bio: .value("x"), age: 3))"#, #"{"age":3,"bio":"x"}"#),
        ("ChangeUser(id: 1, body: Desk.UserUpdate(home: Desk.UserUpdateHome()))", #"{"home":{}}"#),
        (
            "ChangeUser(id: 1, body: Desk.UserUpdate(home: Desk.UserUpdateHome(street: .null)))",
            #"{"home":{"street":null}}"#
        ),
        (
            #"ChangeUser(id: 1, body: Desk.UserUpdate(home: Desk.UserUpdateHome(street: .value("a"), city: "b")))"#,
            #"{"home":{"city":"b","street":"a"}}"#
        ),
        (
            "ChangeUser(id: 1, body: Desk.UserUpdate(pets: [.cat(Desk.CatUpdate(chip: .null)), .cat(Desk.CatUpdate())]))",
            #"{"pets":[{"chip":null,"kind":"cat"},{"kind":"cat"}]}"#
        ),
        ("MergeDesk(body: Desk.DeskBody())", "{}"),
        (
            #"MergeDesk(body: Desk.DeskBody(title: .null, lamp: .value(Desk.DeskBodyLamp(watts: .null)), labels: .value(["a": nil, "b": "c"])))"#,
            #"{"labels":{"a":null,"b":"c"},"lamp":{"watts":null},"title":null}"#
        ),
        ("MergeDesk(body: Desk.DeskBody(lamp: .null, labels: .null))", #"{"labels":null,"lamp":null}"#),
    ]

    @Test func anUpdateSendsWhatTheAppSays() throws {
        let workplace = try Workplace()
        let document = workplace.url.appendingPathComponent("api.yaml")
        try Data(Self.document.utf8).write(to: document)
        var options = ImportOptions(document: document.path)
        options.output = workplace.url.appendingPathComponent("api.contract.yaml").path
        let written = try #require(Import.run(options).written)
        let contract = try String(contentsOfFile: written, encoding: .utf8)
        let verdict = try workplace.judge(["main.contract.yaml": contract], of: "Desk", into: "clients")
        #expect(verdict.isAccepted && verdict.contradictions == [], "\(verdict.generate.map(\.message))\n\(contract)")
        let calls = Self.calls.map { "        await send(Desk(on: dispatcher), Desk.\($0.0))\n" }.joined()
        let bodies = try workplace.answers(to: [], driver: Self.driver.replacing("// calls\n", with: calls))
        #expect(bodies.count == Self.calls.count)
        for (body, (call, wanted)) in zip(bodies, Self.calls) {
            let object = try JSONSerialization.jsonObject(with: Data(body.utf8))
            let sorted = try JSONSerialization.data(withJSONObject: object, options: .sortedKeys)
            #expect(String(decoding: sorted, as: UTF8.self) == wanted, "\(call)")
        }
    }

    private static let driver = """
        import ErrandRuntime

        @main struct Driver {
            static func main() async {
                let dispatcher = Dispatcher(transport: Printer())
        // calls
            }
        }

        struct Printer: Transport {
            func send(_ request: TransportRequest) async throws(TransportFault) -> TransportResponse {
                print(String(decoding: request.body ?? [], as: UTF8.self))
                return TransportResponse(status: 204, headers: [:], body: [])
            }
        }

        func send<C: Command>(_ client: C.Service, _ command: C) async where C.Service: ServiceClient {
            if case .failure(let failure) = await client.result(of: command) { print("\\(failure)") }
        }

        """
}
