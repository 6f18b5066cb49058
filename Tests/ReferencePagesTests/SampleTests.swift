import ContractModel
import JSONTree
import SwiftEmitter
import Testing

@testable import ReferencePages

/// Calls, commands and examples on the pages.
@Suite struct SampleTests {
    private let contract = """
        errand: 1
        service: Shop
        servers: {main: https://shop.example/v1}
        common: {headers: {X-App: {const: web}}, query: {region: string}}
        session: {header: Authorization, format: "Bearer {token}", login: logIn, token: token}
        errors:
          soldOut: {category: nonRetryable, when: {status: 409}, message: Gone., data: {left: int, until: string?}}
          barred: {category: nonRetryable, when: {status: 403}, message: No.}
          expired: {category: requiresLogout, when: {status: 401}, message: Over.}
        defaults: {errors: [barred, expired]}
        types: {Rating: {stars: int}}
        endpoints:
          logIn: {post: /login, body: {name: string}, response: {token: string}, effect: idempotent, session: none, timeout: 5s}
          buy:
            post: /purchases
            effect: keyed
            query: {tag: string?, page: int?}
            body: {item: int, note: string?}
            response: {number: int, note: string?}
            errors: [soldOut]
            timeout: 5s
            examples:
              plain: {request: {item: 3, tag: red}, response: {number: 7}}
              gone: {request: {item: 4}, soldOut: {left: 0}}
              question: {request: {item: 5}}
          upload:
            post: /files
            effect: idempotent
            body: {encoding: multipart, fields: {file: file, title: string}}
            response: none
            timeout: 5s
          ping: {get: /ping, response: none, session: none, timeout: 5s}
          rate:
            post: "/rates/{item:int}"
            effect: idempotent
            body: Rating
            response: none
            timeout: 5s
            examples:
              plain: {request: {item: 3}}
        """

    private func page(_ name: String) throws -> ReadPage {
        try ReadPage(SampleSite.files([SampleSite.contract(text: contract)])["Shop/\(name).html"] ?? "")
    }

    private func curl(_ name: String) throws -> CurlSample.Command {
        let contract = try SampleSite.contract(text: contract)
        let endpoint = try #require(contract.endpoints.first { $0.name.value == name })
        return try #require(CurlSample(contract).command(for: endpoint))
    }

    @Test func anExampleIsShownAsItsAuthorWroteIt() throws {
        let contract = try SampleSite.contract(text: contract)
        let endpoint = try #require(contract.endpoints.first { $0.name.value == "buy" })
        let examples = ExchangeExamples(contract).of(endpoint, PageLimits())
        func compact(_ text: String?) -> String? { text.map { $0.filter { !$0.isWhitespace } } }
        let plain = try #require(examples.first { $0.name == "plain" })
        #expect(compact(plain.request) == #"{"item":3,"tag":"red"}"#)
        #expect(compact(plain.response) == #"{"number":7}"#)
        let gone = try #require(examples.first { $0.name == "gone" })
        #expect(gone.status == "409" && gone.response?.contains("until") == false, "\(gone)")
        let question = try #require(examples.first { $0.name == "question" })
        #expect(question.response == nil && compact(question.request) == #"{"item":5}"#)
    }

    @Test func aCommandHasWhatTheExampleHas() throws {
        let command = try curl("buy").text
        #expect(command.contains("tag=red") && !command.contains("page=") && !command.contains("note"), "\(command)")
        #expect(command.contains(#"--data-raw '{"item":3}'"#), "\(command)")
    }

    /// An example of a path's parameter alone says nothing of the body, which the types give.
    @Test func aBodyOfATypeIsThereWithoutAnExampleOfIt() throws {
        let command = try curl("rate").text
        #expect(command.contains("/rates/3") && command.contains(#"--data-raw '{"stars":"#), "\(command)")
    }

    @Test func aFormInPartsHasTokenAndCommonParameters() throws {
        let command = try curl("upload")
        for argument in [
            "-H 'Authorization: Bearer TOKEN'", "-H 'X-App: web'", "region=", "-F 'file=@FILE'",
            "--form-string 'title=",
        ] {
            #expect(command.text.contains(argument), "\(command.text)")
        }
        #expect(!command.text.contains("VALUE"))
        #expect(command.remarks.contains("`FILE` is a file with the bytes"))
    }

    @Test func eachErrorIsCaught() throws {
        let contract = try SampleSite.contract(text: contract)
        let calls = CallSample(contract)
        func catches(_ name: String) throws -> [String] {
            let endpoint = try #require(contract.endpoints.first { $0.name.value == name })
            return try #require(calls.call(of: endpoint)).split(separator: "\n").filter { $0.hasPrefix("} catch") }.map
            {
                String($0.dropFirst("} catch ".count))
            }
        }
        #expect(
            try catches("buy") == [
                ".soldOut(let failure) {", ".unconfirmed(let receipt) {", ".shared(.barred(let failure)) {",
                ".shared(.expired(let failure)) {", ".shared(.fault(let fault)) {", "{",
            ])
        #expect(
            try catches("upload") == [".barred(let failure) {", ".expired(let failure) {", ".fault(let fault) {", "{"])
        #expect(try !catches("ping").contains { $0.contains("expired") }, "it has no session")
    }

    @Test func theSearchFindsEventsAndBuiltInErrors() throws {
        let index = try SampleSite.files(["presence", "bank"].map { try SampleSite.contract($0) })["index.js"] ?? ""
        let presence = try SampleSite.contract("presence")
        let event = try #require(presence.events.first).name.value
        #expect(index.contains("[\"\(event)\",\"Presence, event\""), "\(index.prefix(2000))")
        #expect(index.contains("[\"timedOut\",\"Bank, error\"") && index.contains("Bank/errors.html#timedOut"))
        #expect(index.contains("[\"insufficientFunds\",\"Bank, error\""))
    }

    /// Also an error that every contract has says which endpoints have it.
    @Test func theCatalogueNamesTheEndpointsOfBuiltInErrors() throws {
        var text = contract
        for number in 0..<30 {
            text += "\n  read\(number): {get: /reads/\(number), response: none, timeout: 5s}"
        }
        let page = try SampleSite.files([SampleSite.contract(text: text)])["Shop/errors.html"] ?? ""
        let entries = page.components(separatedBy: "<section class=\"entry\"").filter {
            $0.contains("Every contract has this error.")
        }
        #expect(entries.count > 5)
        // Those of a session are not at all endpoints.
        #expect(entries.contains { $0.components(separatedBy: "href=\"read").count == 31 && !$0.contains("ping.html") })
        for entry in entries { #expect(!ReadPage("<section" + entry).text.contains(/[0-9]+ endpoints/)) }
    }
}
