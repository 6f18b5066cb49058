import Foundation
import Testing

@testable import LanguageServer

/// The published findings while contracts are edited, and their cost.
@Suite final class EditingTests {
    private let root = FileManager.default.temporaryDirectory.appendingPathComponent(
        "errand lsp ü \(UUID().uuidString)")

    deinit { try? FileManager.default.removeItem(at: root) }

    static let shop = """
        errand: 1
        service: Shop
        imports: [shared.contract.yaml]
        servers: {main: https://shop.example}
        defaults: {timeout: 10s}
        endpoints:
          getItem: {get: "/items/{id}", response: Item}

        """
    static let shared = "errand: 1\nservice: Shared\ntypes:\n  Item: {id: int}\nendpoints: {}\n"

    private struct Folder {
        let url: URL

        init(_ files: [String: String], in url: URL) throws {
            self.url = url
            for (name, text) in files { try write(text, to: name) }
        }

        func write(_ text: String, to name: String) throws {
            let file = url.appendingPathComponent(name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try text.write(to: file, atomically: true, encoding: .utf8)
        }

        func uri(_ name: String) -> String { url.appendingPathComponent(name).absoluteString }
    }

    @Test func typingCostsOneAnalysis() throws {
        let folder = try Folder(["shared.contract.yaml": Self.shared], in: root)
        let client = ScriptedClient()
        client.begin(in: folder.url)
        let uri = folder.uri("shop.contract.yaml")
        client.open(uri, Self.shop)
        for version in 2...200 {
            client.change(uri, to: Self.shop + String(repeating: "#", count: version), version: version)
        }
        #expect(client.run().analyses == 1)
        #expect(client.published.map(\.version) == [200])
    }

    /// A server that recurses over a pattern ends, and with it the editor's session.
    @Test func aPatternThatHurtsIsPublishedAsAFinding() throws {
        let folder = try Folder([:], in: root)
        let client = ScriptedClient()
        client.begin(in: folder.url)
        let uri = folder.uri("shop.contract.yaml")
        let text = "errand: 1\nservice: Shop\nendpoints: {ask: {get: /a, query: {n: {type: string, pattern: '[]'}}}}\n"
        client.open(uri, text.replacingOccurrences(of: "[]", with: String(repeating: "[", count: 3_000)))
        client.run()
        let rules = client.published.last?.rules
        #expect(rules?.contains("invalid-pattern") == true, "\(String(describing: rules))")
    }

    /// The client shows the message of a finding; the page of its id explains it. A text that is not YAML has no names to show,
    /// but its findings still have pages.
    @Test(arguments: [
        (Self.shop.replacingOccurrences(of: "Item}", with: "Itm}"), 6, 44, "**unknown-type** (error)"),
        ("errand: 1\nservice: Shop\nendpoints: {getItem: {get: /item}\n", 2, 11, "**yaml-unclosed-bracket** (error)"),
    ])
    func hoveringOverAFindingShowsItsPage(_ text: String, _ line: Int, _ character: Int, _ head: String) throws {
        let folder = try Folder(["shared.contract.yaml": Self.shared], in: root)
        let client = ScriptedClient()
        client.begin(in: folder.url)
        let uri = folder.uri("shop.contract.yaml")
        client.open(uri, text)
        var answer = 0
        client.run(then: [
            {
                answer = client.request(
                    "textDocument/hover",
                    ["textDocument": ["uri": uri], "position": ["line": line, "character": character]])
            }
        ])
        let hover = client.result(of: answer) as? [String: Any]
        let shown = (hover?["contents"] as? [String: Any])?["value"] as? String ?? ""
        #expect(shown.contains(head) && shown.contains("## Use instead"), "\(shown)")
    }

    @Test func everythingThatAsksSharesOneAnalysis() throws {
        let folder = try Folder(["shared.contract.yaml": Self.shared], in: root)
        let client = ScriptedClient()
        client.begin(in: folder.url)
        let uri = folder.uri("shop.contract.yaml")
        client.open(uri, Self.shop)
        let place: [String: Any] = ["textDocument": ["uri": uri], "position": ["line": 6, "character": 42]]
        for method in ["hover", "definition", "documentHighlight", "documentSymbol", "completion"] {
            client.request("textDocument/" + method, place)
        }
        #expect(client.run().analyses == 2, "this contract, and for the highlights the one that defines the type")
    }

    @Test func whatIsMendedOrClosedIsTakenBack() throws {
        let folder = try Folder(["shared.contract.yaml": Self.shared], in: root)
        let uri = folder.uri("shop.contract.yaml")
        let wrong = Self.shop.replacingOccurrences(of: "Item}", with: "Itm}")
        let client = ScriptedClient()
        client.begin(in: folder.url)
        client.open(uri, wrong)
        client.run(then: [
            { client.change(uri, to: Self.shop, version: 2) },
            { client.change(uri, to: wrong, version: 3) },
            { client.note("textDocument/didClose", ["textDocument": ["uri": uri]]) },
        ])
        #expect(client.published.map(\.version) == [1, 2, 3, nil])
        #expect(client.published.map { $0.rules.contains("unknown-type") } == [true, false, true, false])
        #expect(client.published.last?.rules == [])
    }

    @Test func anOpenTextWinsOverTheDiskAlsoForWhoImportsIt() throws {
        let folder = try Folder(["shop.contract.yaml": Self.shop, "shared.contract.yaml": Self.shared], in: root)
        let client = ScriptedClient()
        client.begin(in: folder.url)
        client.open(folder.uri("shop.contract.yaml"), Self.shop)
        client.open(folder.uri("shared.contract.yaml"), Self.shared.replacingOccurrences(of: "Item", with: "Article"))
        client.run()
        let last = client.published.last { $0.uri.hasSuffix("shop.contract.yaml") }
        #expect(last?.rules.contains("unknown-type") == true)
    }

    @Test func aChangeOnTheDiskIsLookedAt() throws {
        let folder = try Folder(["shared.contract.yaml": Self.shared], in: root)
        let client = ScriptedClient()
        client.begin(
            in: folder.url, capabilities: ["workspace": ["didChangeWatchedFiles": ["dynamicRegistration": true]]])
        client.open(folder.uri("shop.contract.yaml"), Self.shop)
        func tell(_ name: String, _ text: String) throws {
            try folder.write(text, to: name)
            client.note("workspace/didChangeWatchedFiles", ["changes": [["uri": folder.uri(name), "type": 2]]])
        }
        var failures: [any Error] = []
        func step(_ name: String, _ text: String) -> () -> Void {
            { do { try tell(name, text) } catch { failures.append(error) } }
        }
        client.run(then: [
            step("shared.contract.yaml", "errand: 1\nservice: Shared\nendpoints: {}\n"),
            step("errand.yaml", "lint: {rules: {list-without-pagination: off, unused-import: off}}"),
            step("errand.yaml", "lint: {rules: {missing-timeout: loud}}"),
        ])
        #expect(failures.isEmpty)
        #expect(client.heard.contains { $0["method"] as? String == "client/registerCapability" })
        #expect(client.published.count { $0.uri.hasSuffix("shop.contract.yaml") } >= 2)
        #expect(
            client.published.contains { $0.uri.hasSuffix("shop.contract.yaml") && $0.rules.contains("unknown-type") })
        #expect(
            client.published.last?.rules == ["unknown-value"]
                && client.published.last?.uri.hasSuffix("errand.yaml") == true)
    }

    @Test(arguments: [
        "", "\u{0}\u{1}\u{2}", "just text", "[1, 2]", "errand: 1\nservice: [", "\t\t:\n",
        "errand: 1\n\u{FEFF}service: A", "a: &x *x", "%YAML 9",
        String(repeating: "a: {", count: 5000), String(repeating: "- ", count: 50_000),
        String(repeating: "é🧾", count: 50_000),
    ])
    func noTextStopsIt(text: String) {
        let client = ScriptedClient()
        client.begin(in: FileManager.default.temporaryDirectory)
        let uris = [
            "untitled:new.contract.yaml", "file:///no/such/folder/%zz.contract.yaml",
            "git:/a/b.contract.yaml?ref=HEAD.contract.yaml",
        ]
        for uri in uris {
            client.open(uri, text)
            let place: [String: Any] = [
                "textDocument": ["uri": uri], "position": ["line": 3, "character": 7], "newName": "New",
                "context": ["includeDeclaration": true],
                "range": ["start": ["line": 0, "character": 0], "end": ["line": 9999, "character": 0]],
            ]
            for method in [
                "hover", "definition", "references", "documentSymbol", "completion", "codeAction", "prepareRename",
                "rename",
            ] {
                client.request("textDocument/" + method, place)
            }
        }
        let last = client.request("shutdown", [String: Any]())
        client.run()
        #expect(client.heard.contains { $0["id"] as? Int == last && $0["error"] == nil })
        #expect(!client.codes.contains(-32602))
        #expect(Set(client.published.filter { !$0.rules.isEmpty }.map(\.uri)) == Set(uris))
    }

    /// What cannot be read may say the name, too.
    @Test func aNameIsChangedOnlyWhereAllOfItsPlacesAreKnown() throws {
        for (other, isRefused) in [
            ("response: Item}", false), ("response: Item, odd: 1}", false), ("response: Item, odd: Item}", true),
            ("response: Item}\n  other: {gett: /b}", false), ("response: Item}\n  other: {gett: Item}", true),
            ("response: Item", true),
        ] {
            let files = [
                "contracts/shop.contract.yaml": Self.shop.replacingOccurrences(of: "response: Item}", with: other),
                "contracts/shared.contract.yaml": Self.shared,
            ]
            let folder = try Folder(files, in: root)
            let client = ScriptedClient()
            client.begin(in: folder.url)
            let uri = folder.uri("contracts/shared.contract.yaml")
            client.open(uri, Self.shared)
            let id = client.request(
                "textDocument/rename",
                [
                    "textDocument": ["uri": uri], "position": ["line": 3, "character": 4], "newName": "Article",
                ])
            client.run()
            let changes = (client.result(of: id) as? [String: Any])?["changes"] as? [String: [[String: Any]]]
            #expect((changes == nil) == isRefused, "\(other)")
            if !isRefused {
                #expect(changes?.mapValues(\.count) == [uri: 1, folder.uri("contracts/shop.contract.yaml"): 1])
            }
        }
    }

    private static let gallery = """
        errand: 1
        service: Gallery
        servers:
          production: {url: https://a.example, upload: https://u.example}
          local: {url: http://127.0.0.1, upload: http://127.0.0.1}
        roles: {upload: {sends: [common]}}
        common: {headers: {X-Device: uuid}}
        endpoints:
          add: {post: /pictures, server: upload, body: bytes}

        """

    /// A role is a key of `roles` and of each server, and the text of `server`.
    @Test(arguments: [(3, 42), (4, 36), (5, 10), (8, 36)])
    func aRoleOfServersIsCompletedShownAndRenamed(_ line: Int, _ character: Int) throws {
        let folder = try Folder(["gallery.contract.yaml": Self.gallery], in: root)
        let client = ScriptedClient()
        client.begin(in: folder.url)
        let uri = folder.uri("gallery.contract.yaml")
        client.open(uri, Self.gallery)
        var place: [String: Any] = [
            "textDocument": ["uri": uri], "position": ["line": line, "character": character], "newName": "media",
        ]
        let (rename, hover) = (
            client.request("textDocument/rename", place), client.request("textDocument/hover", place)
        )
        let completion = client.request("textDocument/completion", place)
        place["newName"] = "url"
        let refused = client.request("textDocument/rename", place)
        client.run()
        let changes = (client.result(of: rename) as? [String: Any])?["changes"] as? [String: [[String: Any]]]
        #expect(changes?[uri]?.count == 4, "\(String(describing: changes))")
        #expect(client.result(of: refused) == nil)
        let shown = ((client.result(of: hover) as? [String: Any])?["contents"] as? [String: Any])?["value"] as? String
        #expect(shown?.contains("**upload** (role of servers)") == true && shown?.contains("`common`") == true)
        let items = (client.result(of: completion) as? [String: Any])?["items"] as? [[String: Any]]
        #expect(items?.contains { $0["label"] as? String == "upload" } == true)
    }

    private static let club = """
        errand: 1
        service: Club
        session: {header: Authorization, login: logIn, token: token, identity: {from: me, at: id}}
        credentials: {key: {header: X-Key}, tenant: {header: X-Tenant}}
        errors: {full: {category: nonRetryable, when: {status: 409}, message: Full., data: {left: int}}}
        types: {Level: {enum: [low, high]}}
        endpoints:
          logIn: {post: /login, session: none, body: {name: string}, response: {token: string}}
          me: {get: /me, cache: http, response: {id: string}}
          list: {get: "/list/{level:Level}", query: {level: Level = low, key: string?}, response: "[string: [Level?]]"}
          join: {post: /members, credentials: key + tenant, errors: full, clears: [me], response: none, examples: {me: {full: {left: 1}}}}

        """

    /// What a key refers to is in the table of keys, so that a rename misses no place.
    @Test(arguments: [(8, 3, 3), (2, 79, 3), (3, 15, 2), (10, 38, 2), (4, 10, 3), (10, 113, 3), (5, 8, 4), (9, 30, 4)])
    func everyPlaceOfANameIsRenamed(_ line: Int, _ character: Int, _ count: Int) throws {
        let folder = try Folder(["club.contract.yaml": Self.club], in: root)
        let client = ScriptedClient()
        client.begin(in: folder.url)
        let uri = folder.uri("club.contract.yaml")
        client.open(uri, Self.club)
        let rename = client.request(
            "textDocument/rename",
            [
                "textDocument": ["uri": uri], "position": ["line": line, "character": character], "newName": "Other",
            ])
        client.run()
        let changes = (client.result(of: rename) as? [String: Any])?["changes"] as? [String: [[String: Any]]]
        #expect(changes?[uri]?.count == count, "\(String(describing: changes))")
    }

    private static let bank = """
        errand: 1
        service: Bank
        servers: {production: https://a.example, local: http://127.0.0.1}
        trust:
          production: {pins: [sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=], until: 2030-01-01}
        endpoints:
          ask: {get: /production, response: string}

        """

    /// A server is a key of `servers` and of `trust`.
    @Test(arguments: [(2, 12), (4, 5)])
    func aServerIsCompletedShownFoundAndRenamed(_ line: Int, _ character: Int) throws {
        let folder = try Folder(["bank.contract.yaml": Self.bank], in: root)
        let client = ScriptedClient()
        client.begin(in: folder.url)
        let uri = folder.uri("bank.contract.yaml")
        client.open(uri, Self.bank)
        var place: [String: Any] = [
            "textDocument": ["uri": uri], "position": ["line": line, "character": character], "newName": "main",
            "context": ["includeDeclaration": true],
        ]
        let rename = client.request("textDocument/rename", place)
        let requests = ["definition", "references", "hover", "completion"].map {
            client.request("textDocument/\($0)", place)
        }
        place["newName"] = "local"
        let refused = client.request("textDocument/rename", place)
        client.run()
        let changes = (client.result(of: rename) as? [String: Any])?["changes"] as? [String: [[String: Any]]]
        #expect(changes?[uri]?.count == 2, "\(String(describing: changes))")
        #expect(client.result(of: refused) == nil)
        func start(_ result: Any?) -> Int? {
            let range = (result as? [String: Any])?["range"] as? [String: [String: Any]]
            return range?["start"]?["line"] as? Int
        }
        let found = client.result(of: requests[0])
        #expect(start((found as? [Any])?.first ?? found) == 2)
        #expect((client.result(of: requests[1]) as? [Any])?.map(start) == [2, 4])
        let hover = client.result(of: requests[2]) as? [String: Any]
        let shown = (hover?["contents"] as? [String: Any])?["value"] as? String
        #expect(shown?.contains("**production** (server)") == true, "\(shown ?? "")")
        #expect(shown?.contains("https://a.example") == true && shown?.contains("until 2030-01-01") == true)
        let items = (client.result(of: requests[3]) as? [String: Any])?["items"] as? [[String: Any]]
        #expect(items?.contains { $0["label"] as? String == "production" } == true)
    }

    /// Also of a `trust` that is not complete yet, without the servers that have their pins already.
    @Test func theServersWithoutPinsAreOffered() throws {
        let text = Self.bank.replacingOccurrences(of: "endpoints:", with: "  l\nendpoints:")
        let folder = try Folder(["bank.contract.yaml": Self.bank], in: root)
        let client = ScriptedClient()
        client.begin(in: folder.url)
        let uri = folder.uri("bank.contract.yaml")
        client.open(uri, Self.bank)
        let place: [String: Any] = ["textDocument": ["uri": uri], "position": ["line": 5, "character": 3]]
        client.request("textDocument/hover", place)
        client.change(uri, to: text, version: 2)
        let completion = client.request("textDocument/completion", place)
        client.run()
        let items = (client.result(of: completion) as? [String: Any])?["items"] as? [[String: Any]]
        #expect(items?.compactMap { $0["label"] as? String } == ["local"])
    }

    @Test func ofVeryManyFindingsTheFirstAreShownAndThatThereAreMore() {
        let client = ScriptedClient()
        client.begin(in: FileManager.default.temporaryDirectory)
        let endpoints = (0..<1_500).map { "  e\($0): {get: /a\($0), gett: x}\n" }.joined()
        client.open("file:///tmp/many.contract.yaml", "errand: 1\nservice: Many\nendpoints:\n" + endpoints)
        client.run()
        #expect(client.published.last?.rules.count == 1_001)
        #expect(client.published.last?.rules.first == "more-findings")
    }

    @Test func yamlOfOthersIsLeftAlone() {
        let client = ScriptedClient()
        client.begin(in: FileManager.default.temporaryDirectory)
        client.open("file:///tmp/docker-compose.yaml", "services: {a: {image: b}}\nservices: twice\n")
        client.run()
        #expect(client.published.isEmpty)
    }
}
