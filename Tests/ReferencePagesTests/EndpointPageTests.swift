import ContractChecks
import ContractModel
import Foundation
import JSONTree
import MockServer
import SwiftEmitter
import Testing

@testable import ReferencePages

/// What the pages of endpoints, errors and types say.
@Suite struct EndpointPageTests {
    private func pages(_ name: String) throws -> [String: String] {
        try SampleSite.files([SampleSite.contract(name)])
    }

    @Test func anEndpointSaysWhatExplainSays() throws {
        let contract = try SampleSite.contract("bank")
        let files = try SampleSite.files([contract])
        for endpoint in contract.endpoints {
            let explanation = try #require(EndpointExplanation(endpoint.name.value, in: contract))
            let page = ReadPage(files["Bank/\(endpoint.name.value).html"] ?? "")
            let text = page.text
            #expect(text.contains(explanation.request))
            for row in explanation.rows {
                #expect(text.contains(row.answer.replacing("`", with: "")), "\(endpoint.name.value) \(row.answer)")
                #expect(text.contains(row.then.replacing("`", with: "")))
            }
            // The drawing has a bar for each attempt, and says in words what it shows.
            #expect(page.elements.count { $0.name == "rect" } == explanation.attempts.steps.count)
            let drawing = try #require(page.elements.first { $0.name == "svg" })
            #expect(drawing["role"] == "img" && drawing["aria-labelledby"] == "timeline-title timeline-description")
            #expect(page.elements.contains { $0.name == "title" && $0["id"] == "timeline-title" })
            #expect(page.elements.contains { $0.name == "desc" && $0["id"] == "timeline-description" })
        }
    }

    @Test func aCommandIsSafeOrNotSafeToSendAgain() throws {
        let files = try pages("bank")
        func text(_ name: String) -> String { ReadPage(files["Bank/\(name).html"] ?? "").text }
        #expect(text("listAccounts").contains("Safe to send again: it only reads."))
        #expect(text("transferFunds").contains("The server recognizes it by its key for 24 h"))
        #expect(text("orderCard").contains("Not safe to send again."))
    }

    @Test func aResponseHasTheStatusThatTheContractSays() throws {
        let contract = try SampleSite.contract(
            text: """
                errand: 1
                service: Shop
                endpoints:
                  addBook: {post: /books, body: {title: string}, response: {id: int}, status: 201}
                  getBook: {get: "/books/{id:int}", response: {id: int}}
                """)
        let files = try SampleSite.files([contract])
        func text(_ name: String) -> String { ReadPage(files["Shop/\(name).html"] ?? "").text }
        #expect(text("addBook").contains("Its status is 201.") && !text("getBook").contains("Its status"))
        #expect(text("addBook").contains("status 200..299 (usually 201)"))
        #expect(text("addBook").contains("Response with status 201"), "an example is what the mock server responds")
        let markdown = try SampleSite.files([contract], .markdown)["Shop/addBook.md"] ?? ""
        #expect(markdown.contains("Its status is 201"))
    }

    @Test func theCatalogueHasEachErrorWithAllOfItsEndpoints() throws {
        let contract = try SampleSite.contract("bank")
        let page = try SampleSite.files([contract])["Bank/errors.html"] ?? ""
        let entries = page.components(separatedBy: "<section class=\"entry\"").dropFirst()
        #expect(
            ReadPage(page).headings.map { $0.text }.filter { contract.error(named: $0) != nil }
                == contract.errors.map(\.name.value))
        for (error, entry) in zip(contract.errors, entries) {
            let text = ReadPage("<section" + entry).text
            #expect(text.contains(error.category.value.rawValue))
            #expect(text.contains(error.message?.value ?? ""), "\(error.name.value)")
            for condition in error.conditions { #expect(text.contains(condition.answer)) }
            for endpoint in contract.endpoints {
                #expect(
                    entry.contains("\(endpoint.name.value).html\"") == endpoint.errors.contains(error.name.value),
                    "\(error.name.value) \(endpoint.name.value)")
            }
        }
        for error in [BuiltInError.timedOut, .throttled, .malformed] {
            #expect(page.contains("id=\"\(error.rawValue)\""))
        }
    }

    @Test func typesLinkToEachOther() throws {
        let files = try pages("bank")
        let types = files["Bank/types.html"] ?? ""
        #expect(types.contains("<a href=\"types.html#AccountStatus\"><code>AccountStatus</code></a>"))
        let text = ReadPage(types).text
        #expect(text.contains("Length: from 15 to 34.") && text.contains("Sensitive: logs do not show it."))
        #expect(text.contains("On the wire: D") && text.contains("It has no other values: a client refuses them."))
    }

    /// The signature of a page is the one of the client, up to line breaks.
    @Test(arguments: SampleSite.shipped) func signaturesAreThoseOfTheClient(_ name: String) throws {
        let contract = try SampleSite.contract(name)
        let catalog = try #require(TemplateCatalog.load().catalog)
        let client = ClientEmitter(templates: catalog).emit(contract).files.map {
            String(decoding: $0.bytes, as: UTF8.self)
        }.joined()
        func plain(_ text: String) -> String { text.filter { !$0.isWhitespace }.replacing(",)", with: ")") }
        let all = plain(client)
        let calls = CallSample(contract)
        for endpoint in contract.endpoints {
            let signature = calls.signature(of: endpoint)
            #expect(all.contains(plain(signature) + "{"), "\(signature)")
            if let call = calls.call(of: endpoint) {
                #expect(call.contains(" \(contract.service.value.lowercased())."))
            }
        }
    }

    /// The request of a page is one that the service takes.
    @Test(arguments: SampleSite.shipped) func examplesOfRequestsFitTheContract(_ name: String) throws {
        let contract = try SampleSite.contract(name)
        guard contract.connection == nil else { return }
        for endpoint in contract.endpoints where endpoint.session == .none {
            let engine = MockEngine(contract)
            let sample = RequestSample(contract, seed: 0, token: "TOKEN", refresh: "REFRESH")
            for example in endpoint.definition.examples {
                guard let request = sample.request(of: endpoint, base: engine.basePath, example: example.request) else {
                    continue
                }
                var fresh = engine
                #expect(fresh.respond(to: request, at: .zero).entry.findings.isEmpty, "\(endpoint.name.value)")
            }
        }
    }

    /// Each request of a page fits the contract, with all keys of the language: lists, maps and forms, common parameters, keys and tokens.
    @Test(arguments: ["everything"] + SampleSite.shipped, [false, true])
    func everyRequestFitsTheContract(_ name: String, completesExamples: Bool) throws {
        let contract = name == "everything" ? try SampleSite.everything() : try SampleSite.contract(name)
        try expectFit(contract, completesExamples)
    }

    @Test func listsAndParametersAreInTheRequest() throws {
        let contract = try SampleSite.contract(
            text: """
                errand: 1
                service: Shop
                servers: {main: "https://shop.example/v1"}
                session: {parameter: token, login: logIn, token: token}
                common: {parameters: {app: {const: web}}}
                types:
                  Item: {price: int}
                  Order: {item: int}
                endpoints:
                  logIn: {post: /s, body: {name: string}, response: {token: {type: string, sensitive: true}}, session: none, effect: idempotent}
                  find:
                    get: /find
                    query: {ids: "[int]", tags: {type: "[string]?", joined: commas}}
                    response: none
                    session: none
                    examples: {one: {request: {ids: [7, 8], tags: [a, "b c"]}}}
                  pay:
                    post: /pay
                    session: none
                    effect: once
                    body: {encoding: form, fields: {customer: string, items: "[Item]", metadata: "[string: string]"}}
                    response: none
                    examples: {one: {request: {customer: c1, items: [{price: 5}], metadata: {a: b}}}}
                  sendOrder: {post: /orders, body: Order, response: none, effect: {keyed: {field: key, lifetime: 24h}}}

                """)
        func sample(_ name: String) throws -> MockRequest {
            let endpoint = try #require(contract.endpoints.first { $0.name.value == name })
            let sample = RequestSample(
                contract, seed: 0, token: "TOKEN", refresh: "REFRESH", completesExamples: false)
            let example = endpoint.definition.examples.lazy.compactMap(\.request).first
            return try #require(sample.request(of: endpoint, base: "/v1", example: example))
        }
        #expect(try sample("find").query == "ids=7&ids=8&tags=a,b%20c&app=web")
        let form = String(decoding: try sample("pay").body, as: UTF8.self)
        #expect(form == "customer=c1&items%5B0%5D%5Bprice%5D=5&metadata%5Ba%5D=b&app=web")
        #expect(try sample("sendOrder").query == "key=key-1&app=web&token=TOKEN")
        try expectFit(contract, false)
    }

    /// A map that is empty has no pair.
    @Test func aFormWithoutPairsOfAnEmptyMapFits() throws {
        let contract = try SampleSite.contract(
            text: """
                errand: 1
                service: Shop
                servers: {main: "https://shop.example/v1"}
                endpoints:
                  pay: {post: /pay, effect: once, body: {encoding: form, fields: {customer: string, metadata: "[string: string]"}}, response: none}

                """)
        var engine = MockEngine(contract)
        var request = MockRequest(method: "POST", path: engine.basePath + "/pay")
        request.headers = [("Content-Type", "application/x-www-form-urlencoded")]
        request.body = Array("customer=c1".utf8)
        #expect(engine.respond(to: request, at: .zero).entry.findings == [])
    }

    private func expectFit(_ contract: ResolvedContract, _ completesExamples: Bool) throws {
        let base = MockEngine(contract).basePath
        let routes = RouteTable(contract)
        let samples = RequestSample(
            contract, seed: 0, token: "TOKEN", refresh: "REFRESH", completesExamples: completesExamples)
        // One of another origin has another base path.
        for endpoint in contract.endpoints where endpoint.frame == nil && endpoint.definition.server == nil {
            for example in [nil] + endpoint.definition.examples.map(\.request) {
                guard let request = samples.request(of: endpoint, base: base, example: example) else { continue }
                let found = routes.matches(method: request.method, path: request.path).first {
                    contract.endpoints[$0.endpoint].name.value == endpoint.name.value
                }
                let match = try #require(found, "\(endpoint.name.value): \(request.path)")
                let content = RequestContent(request, of: endpoint)
                let check = RequestCheck.run(recorded: request, content, match, of: endpoint, in: contract)
                #expect(check.problems + check.oddities == [], "\(endpoint.name.value): \(request)")
            }
        }
    }

    @Test func aRequestIsOneArgumentOfAShell() throws {
        let text = HostileContract.contract("it's $(touch x) `y` \\")
        let contract = try SampleSite.contract(text: text)
        let command = try #require(CurlSample(contract).command(for: contract.endpoints[0])).text
        #expect(command.contains(#"it'\''s $(touch x) `y` \\"#), "\(command)")
        #expect(command.hasPrefix("curl -X POST \\\n  'https://shop.example/v1/products' \\\n"))
    }

    /// A shell reads each hostile text as a part of one argument, in which it is what the contract has.
    @Test func noTextEndsAnArgumentOfAShell() throws {
        func words(_ text: String) throws -> [String] {
            let contract = try SampleSite.contract(text: HostileContract.contract(text))
            let command = try #require(CurlSample(contract).command(for: contract.endpoints[0])).text
            return try #require(Self.words(ofShell: command), "\(command)")
        }
        let count = try words("harmless").count
        for text in HostileContract.texts {
            let words = try words(text)
            #expect(words.count == count, "\(words)")
            #expect(JSONNode.parsed(Array((words.last ?? "").utf8))?["note"] == .string(text), "\(words)")
        }
    }

    /// The words of one command with single quotes and backslashes (POSIX 2.2); nil if anything else means something to the shell.
    private static func words(ofShell command: String) -> [String]? {
        var words = [""]
        var isQuoted = false
        var isEscaped = false
        for scalar in command.unicodeScalars {
            if isEscaped {
                if scalar != "\n" { words[words.count - 1].unicodeScalars.append(scalar) }
                isEscaped = false
            } else if scalar == "'" {
                isQuoted.toggle()
            } else if isQuoted {
                words[words.count - 1].unicodeScalars.append(scalar)
            } else if scalar == "\\" {
                isEscaped = true
            } else if scalar == " " {
                if words.last?.isEmpty == false { words.append("") }
            } else if scalar.isASCII, scalar.properties.isAlphabetic || scalar == "-" {
                words[words.count - 1].unicodeScalars.append(scalar)
            } else {
                return nil
            }
        }
        return isQuoted || isEscaped ? nil : words
    }

    @Test func markdownHasTheSamePages() throws {
        let contract = try SampleSite.contract("bank")
        let html = try SampleSite.files([contract])
        let markdown = try SampleSite.files([contract], .markdown)
        let pages = html.keys.filter { $0.hasSuffix(".html") }.map { $0.replacing(".html", with: ".md") }
        #expect(Set(pages) == Set(markdown.keys))
        let page = markdown["Bank/transferFunds.md"] ?? ""
        #expect(
            page.contains("\n## What a response means\n")
                && page.contains("[<code>insufficientFunds</code>](errors.md&#35;insufficientFunds)"))
    }
}
