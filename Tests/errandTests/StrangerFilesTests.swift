import Foundation
import Testing

/// What a stranger's checkout may read and write: its own files. A private file beside the checkout must not be in any output.
@Suite struct StrangerFilesTests {
    /// In every private file of these tests, in a form that each reader of the tool takes.
    static let secret = "hunter2"
    static let contract = "errand: 1\nservice: Private\ntypes: {Token: {word: \(secret)}}\nendpoints: {}\n"

    static func shop(_ more: String = "") -> String {
        """
        errand: 1
        service: Shop
        \(more)
        servers: {main: https://shop.example}
        defaults: {timeout: 10s}
        endpoints:
          listItems: {get: /items, response: "[string]"}

        """
    }

    /// A folder with private files in `outside`, and a checkout in `checkout`.
    final class Place {
        let folder: ProjectFolder
        var checkout: URL { folder.url.appendingPathComponent("checkout") }

        init(isRepository: Bool, _ files: [String: String]) throws {
            folder = try ProjectFolder()
            try folder.write(StrangerFilesTests.contract, to: "outside/s.yaml")
            try folder.write(StrangerFilesTests.contract, to: "outside/s.contract.yaml")
            try folder.write(
                "{\"auths\": {\"description\": \"hunter2\", \"type\": \"string\"}}\n", to: "outside/conf.json")
            try folder.write("access: hunter2\n", to: "outside/errand.yaml")
            try folder.write("{{hunter2}}\n", to: "outside/structure.mustache")
            for (name, text) in files { try folder.write(text, to: "checkout/" + name) }
            if isRepository { try GitRepository.run(["init", "--quiet"], in: checkout) }
        }

        func link(_ name: String, to target: String) throws {
            try FileManager.default.createSymbolicLink(
                atPath: folder.path("checkout/" + name), withDestinationPath: folder.path(target))
        }

        func run(_ arguments: [String], in subfolder: String = "") throws -> CommandRun {
            try CommandRun(arguments, in: subfolder.isEmpty ? checkout : checkout.appendingPathComponent(subfolder))
        }
    }

    private static func isRefused(_ run: CommandRun, _ label: String = "") {
        let text = run.output + run.complaints
        #expect(run.status != 0 && text.contains("[outside-project]"), "\(label): \(text)")
        #expect(!text.contains(secret), "\(label): \(text)")
    }

    // MARK: Reading

    @Test(arguments: [true, false])
    func anImportLiesInTheProject(_ isRepository: Bool) throws {
        for path in ["../../outside/s.yaml", "../../outside/none.yaml"] {
            for key in ["imports: [\"\(path)\"]", "session: {from: \"\(path)\"}"] {
                let place = try Place(isRepository: isRepository, ["contracts/shop.contract.yaml": Self.shop(key)])
                for command in [
                    ["lint"], ["generate"], ["explain", "listItems"], ["lint", "contracts/shop.contract.yaml"],
                ] {
                    Self.isRefused(try place.run(command), "\(command) \(key)")
                }
                Self.isRefused(
                    try place.run(["export", "openapi", "contracts/shop.contract.yaml"]), key)
            }
        }
    }

    @Test func aLinkCountsAsThePlaceThatItLeadsTo() throws {
        let place = try Place(
            isRepository: true,
            [
                "contracts/shop.contract.yaml": Self.shop("imports: [s.yaml]"), "contracts/money.yaml": Self.shop(),
                "inside/s.yaml": "errand: 1\nservice: S\nendpoints: {}\n",
            ])
        try place.link("contracts/s.yaml", to: "outside/s.yaml")
        Self.isRefused(try place.run(["lint"]))
        // A link to nothing does not tell that nothing is there.
        try FileManager.default.removeItem(atPath: place.folder.path("checkout/contracts/s.yaml"))
        try place.link("contracts/s.yaml", to: "outside/none.yaml")
        Self.isRefused(try place.run(["lint"]))
        try FileManager.default.removeItem(atPath: place.folder.path("checkout/contracts/s.yaml"))
        try place.link("contracts/s.yaml", to: "checkout/inside/s.yaml")
        let inside = try place.run(["lint", "--fail-on", "error"])
        #expect(inside.status == 0, "\(inside.output)")
    }

    @Test func aLinkedContractFolderOrConfigurationIsRefused() throws {
        for (name, target, command) in [
            ("s.contract.yaml", "outside/s.contract.yaml", ["lint", "s.contract.yaml"]),
            ("contracts", "outside", ["lint"]), ("contracts", "outside", ["lint", "contracts"]),
            ("contracts", "outside", ["lint", "contracts/s.contract.yaml"]), ("contracts", "outside", ["generate"]),
            ("errand.yaml", "outside/errand.yaml", ["lint"]),
        ] {
            let place = try Place(isRepository: true, ["readme": ""])
            try place.link(name, to: target)
            Self.isRefused(try place.run(command), "\(command)")
            Self.isRefused(
                try place.run(command.map { $0.contains("contract") ? place.checkout.path + "/" + $0 : $0 }),
                "\(command), absolute")
        }
    }

    /// Many build servers keep a token in `.git/config`.
    @Test func gitsOwnFilesAreNoFilesOfTheProject() throws {
        for path in ["../.git/config", "../.GIT/config", "../.git/../.git/config"] {
            let place = try Place(isRepository: true, ["contracts/shop.contract.yaml": Self.shop("imports: [\(path)]")])
            try GitRepository.run(["config", "http.extraheader", "Authorization: hunter2"], in: place.checkout)
            let run = try place.run(["lint"])
            #expect(run.status == 1 && !run.output.contains(Self.secret), "\(run.output)")
            #expect(path.contains("GIT") || run.output.contains("[outside-project]"), "\(run.output)")
        }
        let place = try Place(isRepository: true, ["contracts/shop.contract.yaml": Self.shop("imports: [c.yaml]")])
        try place.link("contracts/c.yaml", to: "checkout/.git/config")
        Self.isRefused(try place.run(["lint"]))
    }

    @Test func aReferenceOfADocumentLiesInTheProject() throws {
        let deep = String(repeating: "../", count: 40)
        for reference in [
            "/etc/passwd", "../outside/conf.json#/auths", "\(deep)etc/passwd", "..%2Foutside/conf.json#/auths",
            "linked.json#/auths",
        ] {
            let document = """
                openapi: 3.1.0
                info: {title: Shop, version: 1.0.0}
                servers: [{url: https://shop.example}]
                paths:
                  /items:
                    get:
                      operationId: getItem
                      responses:
                        200: {description: Fine, content: {application/json: {schema: {$ref: "\(reference)"}}}}
                        404: {description: None}

                """
            let place = try Place(isRepository: false, ["api.yaml": document])
            try place.link("linked.json", to: "outside/conf.json")
            let run = try place.run(["import", "openapi", "api.yaml", "-o", place.folder.path("a.contract.yaml")])
            let text = run.output + run.complaints + (place.folder.text("a.contract.yaml") ?? "")
            #expect(
                run.status == 1 && text.contains("out of the project") || text.contains("is outside the project"),
                "\(text)")
            #expect(!text.contains(Self.secret) && !text.contains("root:"), "\(reference): \(text)")
        }
    }

    @Test func aBaselineThatIsALinkOutIsRefused() throws {
        let place = try Place(isRepository: true, ["contracts/shop.contract.yaml": Self.shop()])
        try place.link("baseline", to: "outside/s.yaml")
        Self.isRefused(try place.run(["lint", "--baseline", "baseline"]))
        // A place outside that the command line names is the person's.
        let named = try place.run(["lint", "--baseline", "../outside/known", "--update-baseline"])
        #expect(named.status == 0, "\(named.complaints)")
    }

    // MARK: What is allowed

    @Test func theCommandLineAllowsAnyFolder() throws {
        let place = try Place(
            isRepository: true,
            ["contracts/shop.contract.yaml": Self.shop("imports: [../../shared/money.yaml]")])
        try place.folder.write("errand: 1\nservice: Money\nendpoints: {}\n", to: "shared/money.yaml")
        Self.isRefused(try place.run(["lint"]))
        for command in [["lint", "--fail-on", "error"], ["generate"], ["explain", "listItems"]] {
            let run = try place.run(command + ["--allow-folder", "../shared"])
            #expect(run.status == 0, "\(run.output)\(run.complaints)")
        }
    }

    /// The settings are as much a stranger's as the contracts: they reach the files of the same repository.
    @Test func theSettingsAllowFoldersOfTheRepository() throws {
        let files = [
            "service/errand.yaml": "allow: [../shared]\n",
            "shared/money.yaml": "errand: 1\nservice: M\nendpoints: {}\n",
            "service/contracts/shop.contract.yaml": Self.shop("imports: [../../shared/money.yaml]"),
        ]
        let place = try Place(isRepository: true, files)
        let allowed = try place.run(["lint", "--fail-on", "error"], in: "service")
        #expect(allowed.status == 0, "\(allowed.output)\(allowed.complaints)")
        let named = try place.run(["lint", "--fail-on", "error", "service/contracts"])
        #expect(named.status == 0, "\(named.output)\(named.complaints)")
        try place.folder.write("output: generated\n", to: "checkout/service/errand.yaml")
        Self.isRefused(try place.run(["lint"], in: "service"))
        for folder in ["../../outside", "/etc", "link"] {
            try place.folder.write("allow: [\(folder)]\n", to: "checkout/service/errand.yaml")
            if folder == "link" { try place.link("service/link", to: "outside") }
            let run = try place.run(["lint"], in: "service")
            Self.isRefused(run, folder)
            #expect(run.complaints.contains("errand.yaml:1:9: error: "), "\(run.complaints)")
        }
        try place.folder.write("contracts: [../../outside]\n", to: "checkout/service/errand.yaml")
        Self.isRefused(try place.run(["lint"], in: "service"))
    }

    @Test func aFolderOutsideThatTheCommandLineNamesIsAProjectToo() throws {
        let place = try Place(isRepository: true, ["contracts/shop.contract.yaml": Self.shop()])
        try place.folder.write(Self.shop("imports: [money.yaml]"), to: "other/shop.contract.yaml")
        try place.folder.write("errand: 1\nservice: Money\nendpoints: {}\n", to: "other/money.yaml")
        for path in ["../other", "../other/shop.contract.yaml", place.folder.path("other")] {
            let run = try place.run(["lint", "--fail-on", "error", path])
            #expect(run.status == 0, "\(run.output)\(run.complaints)")
        }
    }

    // MARK: Writing

    @Test func theSettingsWriteIntoTheProject() throws {
        for output in [
            "../elsewhere", "/tmp/elsewhere", "link", "link/more", "none/../../elsewhere", ".git/hooks", ".git",
        ] {
            let place = try Place(
                isRepository: true,
                ["contracts/shop.contract.yaml": Self.shop(), "errand.yaml": "output: \(output)\n"])
            try place.link("link", to: "outside")
            let before = place.folder.contents.keys.sorted()
            for command in [["lint"], ["generate"]] { Self.isRefused(try place.run(command), "\(command) \(output)") }
            #expect(place.folder.contents.keys.sorted() == before)
            let inside = try place.run(["generate", "--output", "generated"])
            #expect(inside.status == 0, "\(inside.complaints)")
        }
    }

    @Test func theCommandLineWritesWhereItSays() throws {
        let place = try Place(isRepository: true, ["contracts/shop.contract.yaml": Self.shop()])
        let outside = try place.run(["generate", "--output", "../elsewhere"])
        #expect(outside.status == 0 && place.folder.text("elsewhere/Shop/Shop.swift") != nil, "\(outside.complaints)")
        try place.link("generated", to: "outside")
        try place.link(".errand", to: "outside")
        let before = place.folder.contents.keys.sorted()
        for command in [
            ["generate"], ["generate", "--output", "generated"], ["generate", "--output", ".git"],
            ["generate", "--output", place.checkout.path + "/.git/hooks"],
            ["lint", "--baseline", ".errand/baseline", "--update-baseline"],
            ["schema", "--output", ".errand/schema.json"],
            ["export", "openapi", "contracts/shop.contract.yaml", "--output", "generated/api.yaml"],
        ] { Self.isRefused(try place.run(command), "\(command)") }
        #expect(place.folder.contents.keys.sorted() == before)
    }

    /// An archive has no repository. The working folder is the limit for what is named in it.
    @Test func aLinkInAnArchiveLeadsNowhereEither() throws {
        let place = try Place(isRepository: false, ["sound/shop.contract.yaml": Self.shop()])
        for (link, target) in [("contracts", "outside"), ("generated", "outside")] { try place.link(link, to: target) }
        let before = place.folder.contents.keys.sorted()
        for command in [
            ["lint", "contracts"], ["lint", "contracts/s.contract.yaml"], ["generate", "sound"],
            ["generate", "sound", "--output", "generated"], ["generate", "sound", "--output", "generated/more"],
            ["schema", "--output", "generated/schema.json"],
        ] { Self.isRefused(try place.run(command), "\(command)") }
        #expect(place.folder.contents.keys.sorted() == before)
        let sound = try place.run(["generate", "sound", "--output", "clients"])
        #expect(
            sound.status == 0 && place.folder.text("checkout/clients/Shop/Shop.swift") != nil, "\(sound.complaints)")
    }

    @Test func templatesLieInTheProject() throws {
        for (templates, file) in [("../outside", ""), ("linked", ""), ("mine", "mine/structure.mustache")] {
            let place = try Place(
                isRepository: true,
                [
                    "contracts/shop.contract.yaml": Self.shop(), "errand.yaml": "templates: \(templates)\n",
                    "mine/readme": "",
                ])
            try place.link("linked", to: "outside")
            if !file.isEmpty { try place.link(file, to: "outside/structure.mustache") }
            for command in [["lint"], ["generate"]] {
                Self.isRefused(try place.run(command), "\(command) \(templates)")
            }
        }
        let place = try Place(isRepository: true, ["contracts/shop.contract.yaml": Self.shop()])
        let named = try place.run(["generate", "--templates", "../outside"])
        #expect(named.status == 1 && named.complaints.contains("[template-"), "\(named.complaints)")
    }

    @Test func aBuildStepReadsTheTarget() throws {
        let place = try Place(
            isRepository: true, ["App/shop.contract.yaml": Self.shop(), "App/errand.yaml": "access: internal\n"])
        try place.link("App/s.contract.yaml", to: "outside/s.contract.yaml")
        Self.isRefused(
            try place.run([
                "build-contract", "s.contract.yaml", "--target", place.checkout.path + "/App", "--among",
                "s.contract.yaml", "--output", place.folder.path("built"), "--file-stem", "S",
            ]))
    }
}
