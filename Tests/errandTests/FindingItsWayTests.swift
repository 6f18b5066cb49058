import Foundation
import Testing

/// The command line in the places that a person runs it in, and with the arguments that a person thinks of.
@Suite struct FindingItsWayTests {
    private static let bank = """
        errand: 1
        service: Bank
        servers: {main: https://bank.example}
        defaults: {timeout: 10s}
        endpoints:
          listAccounts: {get: /accounts, response: "[int]"}
          placeOrder: {post: /orders, body: {amount: decimal}, response: {number: int}, effect: keyed}

        """

    private func project(_ files: [String: String]) throws -> ProjectFolder {
        let folder = try ProjectFolder()
        for (name, text) in files { try folder.write(text, to: name) }
        return folder
    }

    @Test func aTargetsFolderHasItsContractsBesideItsSources() throws {
        let folder = try project([
            "Sources/App/bank.contract.yaml": Self.bank, "Sources/App/errand.yaml": "access: internal\n",
            "Sources/App/App.swift": "",
        ])
        let target = folder.url.appendingPathComponent("Sources/App")
        let lint = try CommandRun(["lint"], in: target)
        #expect(lint.status == 0, "\(lint.complaints)")
        #expect(lint.output.contains("in 1 contract"))
        let generate = try CommandRun(["generate"], in: target)
        #expect(generate.status == 0, "\(generate.complaints)")
        #expect(folder.text("Sources/App/Generated/Bank/Bank.swift")?.contains("internal") == true)
        #expect(try CommandRun(["generate", "--check"], in: target).status == 0)
        let explain = try CommandRun(["explain", "placeOrder"], in: target)
        #expect(explain.status == 0 && explain.output.hasPrefix("POST /orders"), "\(explain.complaints)")
        // In the package's folder the message says where they are.
        let lost = try CommandRun(["lint"], in: folder.url)
        #expect(lost.status == 2 && lost.complaints.contains("Sources/App/bank.contract.yaml"), "\(lost.complaints)")
    }

    /// A named folder with a configuration means what it means in that folder, and names files from where the person is.
    @Test(arguments: ["Sources/App", "Sources/App/", "./Sources/App", "Sources/App/bank.contract.yaml"])
    func aNamedFoldersConfigurationHolds(_ path: String) throws {
        let folder = try project([
            "Sources/App/bank.contract.yaml": Self.bank.replacing("decimal", with: "double"),
            "Sources/App/errand.yaml":
                "access: internal\nlint: {paths: {bank.contract.yaml: {money-as-double: off}}}\n",
            "Sources/App/App.swift": "",
        ])
        let lint = try CommandRun(["lint", path], in: folder.url)
        #expect(lint.status == 0, "\(lint.output)\(lint.complaints)")
        #expect(try CommandRun(["generate", path], in: folder.url).status == 0)
        #expect(folder.text("Sources/App/Generated/Bank/Bank.swift")?.contains("internal") == true)
        let inThere = folder.url.appendingPathComponent("Sources/App")
        #expect(try CommandRun(["generate", "--check"], in: inThere).status == 0)
        // The problem of that configuration is shown with its text.
        try folder.write("acess: internal\n", to: "Sources/App/errand.yaml")
        let misspelled = try CommandRun(["lint", path], in: folder.url)
        #expect(misspelled.status == 2 && misspelled.complaints.contains("Sources/App/errand.yaml:1:1"))
        #expect(misspelled.complaints.contains("acess: internal"), "\(misspelled.complaints)")
        // The working folder's own configuration comes first.
        try folder.write("lint: {rules: {money-as-double: error}}\n", to: "errand.yaml")
        #expect(try CommandRun(["lint", path], in: folder.url).status == 1)
    }

    @Test func aWordAboutContractsInTheConfigurationHolds() throws {
        let folder = try project([
            "bank.contract.yaml": Self.bank, "errand.yaml": "contracts: [other]\n",
            "other/shop.contract.yaml": Self.bank,
        ])
        let run = try CommandRun(["generate"], in: folder.url)
        #expect(run.status == 0 && run.output.contains("other/shop.contract.yaml → generated/Bank"), "\(run.output)")
    }

    @Test(arguments: [
        ["contracts"], ["contracts/"], ["contracts/bank.contract.yaml"], ["contracts/bank.contract.yaml", "more"],
        ["./contracts", "more/shop.contract.yaml"],
    ])
    func eachCommandTakesPathsInOneWay(_ paths: [String]) throws {
        let folder = try project([
            "contracts/bank.contract.yaml": Self.bank,
            "more/shop.contract.yaml": Self.bank.replacing("service: Bank", with: "service: Shop").replacing(
                "placeOrder", with: "buyItem"),
        ])
        #expect(try CommandRun(["lint"] + paths, in: folder.url).status == 0)
        #expect(try CommandRun(["generate"] + paths, in: folder.url).status == 0)
        let one = try CommandRun(["explain", "placeOrder"] + paths, in: folder.url)
        #expect(one.status == 0, "\(one.complaints)")
        let both = try CommandRun(["explain", "bank", "placeOrder"] + paths, in: folder.url)
        #expect(both.status == 0 && both.output == one.output, "\(both.complaints)")
    }

    @Test(arguments: [
        (["explain", "placeOder"], "did you mean `placeOrder`?"),
        (["explain", "placeorder"], "did you mean `placeOrder`?"),
        (["explain", "bank"], "listAccounts, placeOrder"),
        (["explain", "unreachable-eror"], "did you mean `unreachable-error`?"),
        (["explain", "somethingElse"], "the endpoints are listAccounts, placeOrder"),
        (["explain", "Bnk", "placeOrder"], "did you mean `Bank`?"),
        (["explain", "placeOrder", "nowhere.contract.yaml"], "nowhere.contract.yaml"),
    ])
    func whatIsNotThereGetsASuggestion(_ arguments: [String], _ help: String) throws {
        let folder = try project(["contracts/bank.contract.yaml": Self.bank])
        let run = try CommandRun(arguments, in: folder.url)
        #expect(run.status == 2 && run.output.isEmpty)
        #expect(run.complaints.contains(help), "\(run.complaints)")
    }

    private static let lobby = """
        errand: 1
        service: Lobby
        servers: {main: wss://lobby.example}
        connection: {payload: data}
        defaults: {timeout: 10s}
        endpoints:
          askPrice: {frame: price.ask, body: {of: string}, response: {price: decimal}, effect: read}
        types:
          Change: {user: int}
        events:
          notice: {frame: note, data: {text: string, until: timestamp?}}
          changed: {frame: changed, data: Change}

        """

    @Test func anEventIsExplained() throws {
        let folder = try project(["contracts/lobby.contract.yaml": Self.lobby])
        let notice = try CommandRun(["explain", "notice"], in: folder.url)
        #expect(notice.status == 0, "\(notice.complaints)")
        #expect(notice.output.hasPrefix("EVENT note: the server sends it without a request"), "\(notice.output)")
        for words in [
            "text   string\nuntil  timestamp?\n", "in the member `data`", "any number of followers",
            "asks for nothing again", "`.gap`", "is dropped",
        ] {
            #expect(notice.output.contains(words), "\(words) in \(notice.output)")
        }
        let changed = try CommandRun(["explain", "lobby", "changed"], in: folder.url)
        #expect(changed.status == 0 && changed.output.contains("a value of `Change`"), "\(changed.output)")
    }

    @Test(arguments: [
        (["explain", "notise"], "did you mean `notice`?"),
        (["explain", "somethingElse"], "no endpoint, no event and no finding has the name `somethingElse`"),
        (["explain", "somethingElse"], "the endpoints are askPrice; the events are notice, changed"),
        (["explain", "lobby"], "name one: askPrice, notice, changed"),
        (["explain", "lobby", "notise"], "did you mean `notice`?"),
        (["explain", "lobby", "somethingElse"], "`lobby` has no endpoint and no event `somethingElse`"),
    ])
    func anUnknownNameMayBeThatOfAnEvent(_ arguments: [String], _ words: String) throws {
        let folder = try project(["contracts/lobby.contract.yaml": Self.lobby])
        let run = try CommandRun(arguments, in: folder.url)
        #expect(run.status == 2 && run.output.isEmpty)
        #expect(run.complaints.contains(words), "\(run.complaints)")
    }

    @Test func anEndpointOfTwoServicesIsAskedAbout() throws {
        let folder = try project([
            "contracts/a.contract.yaml": Self.bank,
            "contracts/b.contract.yaml": Self.bank.replacing("service: Bank", with: "service: Shop"),
        ])
        let run = try CommandRun(["explain", "placeOrder"], in: folder.url)
        #expect(run.status == 2 && run.complaints.contains("`errand explain Bank placeOrder`"), "\(run.complaints)")
    }

    @Test func anOpenAPIDocumentIsRecognizedWhateverItsNameIs() throws {
        let folder = try project(["petstore.json": "{\"openapi\": \"3.1.0\", \"paths\": {}}"])
        for command in ["lint", "generate"] {
            let run = try CommandRun([command, "petstore.json"], in: folder.url)
            #expect(run.status == 1)
            #expect(
                (run.output + run.complaints).contains(
                    "`errand import openapi petstore.json -o contracts/petstore.contract.yaml`"))
        }
    }
}
