import Foundation
import Testing

/// The arrows between targets stand once, in `Package.swift`. They run down a wing of `Sources` and into `Shared`, and the imports
/// follow them.
@Suite struct LayeringTests {
    /// The wings whose targets the targets of a wing use, besides those of their own.
    static let order: [String: Set<String>] = [
        "Shared": [], "Tool": ["Shared"], "Runtime": ["Shared"], "Transports": ["Shared", "Runtime"],
        "Testing": ["Shared", "Runtime"],
    ]

    /// The arrows between wings that are not in this order: user → used. The sockets of servers know neither half.
    static let crossings = ["MockHost": "ErrandHTTPServer"]

    /// What comes with the system. Which of it a target may use is checked below.
    static let system: Set<String> = [
        "Foundation", "FoundationEssentials", "FoundationNetworking", "FoundationXML", "Synchronization", "Darwin",
        "Glibc", "Musl",
        "Bionic", "Android",
        "Dispatch", "Network", "os", "RegexBuilder", "Security", "Observation", "Accessibility", "SwiftUI", "UIKit",
        "AppKit", "Combine", "CryptoKit",
    ]

    @Test func everyFolderIsATarget() throws {
        let manifest = try Manifest.ofCheckout()
        let folders = try SourceTree.folders(in: "Sources").flatMap { wing in
            try SourceTree.folders(in: "Sources/\(wing)").map { "Sources/\(wing)/\($0)" }
        }
        #expect(Set(folders) == Set(manifest.inWings.compactMap(\.path)))
        for target in manifest.inWings { #expect(target.path?.hasSuffix("/" + target.name) == true, "\(target)") }
    }

    @Test func importsFollowTheArrows() throws {
        var count = 0
        for target in try Manifest.ofCheckout().inWings {
            for file in try SourceTree.swiftFiles(of: target.name) {
                count += file.imports.count
                for found in Self.imports(of: file, against: target) { Issue.record("\(found)") }
            }
        }
        #expect(count > 1_000, "the imports are found")
    }

    @Test func arrowsRunDownAWing() throws {
        let manifest = try Manifest.ofCheckout()
        #expect(Set(manifest.inWings.compactMap(\.wing)) == Set(Self.order.keys))
        for found in Self.arrows(against: manifest) { Issue.record("\(found)") }
        for (user, used) in Self.crossings { #expect(manifest[user]?.targets.contains(used) == true, "\(user)") }
    }

    /// A check that cannot fail says nothing.
    @Test func anArrowAgainstTheOrderIsFound() {
        let manifest = Manifest(targets: [
            .init(name: "Meaning", path: "Sources/Shared/Meaning", targets: ["Sender"]),
            .init(name: "Early", path: "Sources/Tool/Early", targets: ["Meaning", "Late"]),
            .init(name: "Late", path: "Sources/Tool/Late", targets: ["Early", "Sender"]),
            .init(name: "Sender", path: "Sources/Runtime/Sender", targets: ["Meaning", "Early", "Socket"]),
            .init(name: "Socket", path: "Sources/Transports/Socket", targets: ["Sender"]),
            .init(name: "Simulation", path: "Sources/Testing/Simulation", targets: ["Sender", "Socket"]),
        ])
        #expect(
            Self.arrows(against: manifest) == [
                "Meaning of Shared uses Sender of Runtime", "Early uses Late, which is below it in Package.swift",
                "Late of Tool uses Sender of Runtime", "Sender of Runtime uses Early of Tool",
                "Sender of Runtime uses Socket of Transports", "Simulation of Testing uses Socket of Transports",
            ])
    }

    @Test func anImportThatTheManifestDoesNotListIsFound() {
        let file = SourceTree.File(
            path: "A.swift", text: "import Foundation\nimport Meaning\nimport Crypto\nimport Late\n")
        let target = Manifest.Target(
            name: "Early", targets: ["Meaning"], products: [.init(name: "Crypto", package: "swift-crypto")])
        #expect(Self.imports(of: file, against: target) == ["A.swift:4 imports Late, which Early does not use"])
    }

    private static func imports(of file: SourceTree.File, against target: Manifest.Target) -> [String] {
        file.imports.filter { !target.modules.contains($0.module) && !system.contains($0.module) }.map {
            "\(file.path):\($0.line) imports \($0.module), which \(target.name) does not use"
        }
    }

    private static func arrows(against manifest: Manifest) -> [String] {
        var found: [String] = []
        var earlier: Set<String> = []
        for target in manifest.inWings {
            for used in target.targets where crossings[target.name] != used {
                guard let wing = target.wing, let home = manifest[used]?.wing else { continue }
                if wing != home, order[wing]?.contains(home) != true {
                    found.append("\(target.name) of \(wing) uses \(used) of \(home)")
                } else if !earlier.contains(used) {
                    found.append("\(target.name) uses \(used), which is below it in Package.swift")
                }
            }
            earlier.insert(target.name)
        }
        return found
    }

    /// What both halves have the meaning of a contract from: leaves, which import nothing, not even of the system. Of each half one
    /// target imports them, and the list of what an app sees names types of them.
    static let meaning = ["ErrandPatterns", "ErrandSemantics"]

    @Test func theMeaningIsALeaf() throws {
        let manifest = try Manifest.ofCheckout()
        for name in Self.meaning {
            #expect(manifest[name]?.modules.isEmpty == true, "\(name)")
            for file in try SourceTree.swiftFiles(of: name) { #expect(file.imports.isEmpty, "\(file.path)") }
            let users = manifest.users(of: name).filter { $0 != "ErrandClient" && $0 != "ErrandService" }
            #expect(users == ["ContractModel", "ErrandRuntime"], "\(name)")
        }
    }

    /// The sockets of the servers of both halves, which know nothing of a contract. No client that an app ships contains them.
    @Test func theServerKnowsNothingOfEitherHalf() throws {
        let manifest = try Manifest.ofCheckout()
        #expect(manifest["ErrandHTTPServer"]?.modules == ["FlyingSocks"])
        #expect(manifest.users(of: "ErrandHTTPServer") == ["ErrandTestServer", "MockHost"])
    }

    /// Its inputs are texts, times and values of the shared meaning: it has no network, no clock and no module of the system.
    @Test func theServiceKnowsNothingOfEitherHalf() throws {
        let manifest = try Manifest.ofCheckout()
        #expect(manifest["ErrandService"]?.modules == ["ErrandSemantics"])
        #expect(manifest.users(of: "ErrandService") == ["ErrandTesting", "MockServer"])
        for file in try SourceTree.swiftFiles(of: "ErrandService") {
            #expect(file.imports.allSatisfy { $0.module == "ErrandSemantics" }, "\(file.path)")
        }
    }

    /// An app and generated code import `ErrandRuntime`, and the rest of the tool `ContractModel`. Nothing else has to be imported for
    /// a type of the shared meaning.
    @Test func bothHalvesExportTheSharedMeaning() throws {
        for half in ["ContractModel", "ErrandRuntime"] {
            let exported = try SourceTree.swiftFiles(of: half).contains { file in
                file.lines.contains("@_exported public import ErrandSemantics")
            }
            #expect(exported, "\(half)")
        }
        for folder in ["templates", "generated", "Examples"] {
            for file in try SourceTree.swiftFiles(below: folder) {
                #expect(!file.imports.contains { $0.module == "ErrandSemantics" }, "\(file.path)")
            }
        }
    }

    /// The first build of a package with a plugin compiles all of it. What needs a network client, TLS or the runtime stays out.
    @Test func aBuildCompilesTheGeneratorAlone() throws {
        let manifest = try Manifest.ofCheckout()
        var compiled: Set<String> = []
        var next = ["errand-build"]
        while let name = next.popLast() {
            guard compiled.insert(name).inserted else { continue }
            let target = try #require(manifest[name])
            #expect(target.products.allSatisfy { $0.name == "ArgumentParser" }, "\(name): \(target.products)")
            next += target.targets
        }
        #expect(
            compiled.sorted() == [
                "BuildCommands", "CLibYAML", "ContractChecks", "ContractModel", "Diagnostics", "ErrandPatterns",
                "ErrandSemantics", "GenerationTemplates", "JSONTree", "Pipeline", "SwiftEmitter", "TextCatalog",
                "YAMLTree", "errand-build",
            ])
        for plugin in manifest.targets where plugin.kind == "plugin" {
            #expect(plugin.targets == ["errand-build"], "\(plugin.name)")
        }
    }

    /// Code that touches the disk, a clock or the environment needs one of these modules.
    @Test func onlyTheShellReachesTheSystem() throws {
        // The messages of the language server are coded by Foundation, which is all that it is there for.
        let shell = [
            "Sources/Tool/Pipeline/FileAccess/", "Sources/Tool/BuildCommands/Console.swift",
            "Sources/Tool/LanguageServer/Messages/",
        ]
        for file in try SourceTree.swiftFiles(below: "Sources/Tool")
        where !shell.contains(where: { file.path.hasPrefix($0) }) {
            for (module, line) in file.imports where Self.system.contains(module) {
                Issue.record("\(file.path):\(line) imports \(module); only \(shell.joined(separator: " and ")) may")
            }
        }
    }
}
