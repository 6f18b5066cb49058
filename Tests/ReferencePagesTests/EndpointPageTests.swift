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
