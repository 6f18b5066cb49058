import Foundation
import Testing

/// The arrows of `docs/architecture.md`. A target may import what is after it here and nothing else of the package.
@Suite struct LayeringTests {
    static let arrows: [String: Set<String>] = [
        "ErrandPatterns": [],
        "ErrandSemantics": [],
        "ErrandService": ["ErrandSemantics"],
        "ErrandHTTPServer": ["FlyingSocks"],
        "CLibYAML": [],
        "Diagnostics": ["JSONTree"],
        "JSONTree": [],
        "YAMLTree": ["Diagnostics", "CLibYAML"],
        "ContractModel": ["YAMLTree", "Diagnostics", "ErrandPatterns", "ErrandSemantics"],
        "ContractChecks": ["ContractModel", "YAMLTree", "Diagnostics"],
        "ContractDiff": ["ContractChecks", "ContractModel", "YAMLTree", "Diagnostics"],
        "SwiftEmitter": ["ContractModel", "Diagnostics", "GenerationTemplates"],
        "OpenAPIImport": ["ContractModel", "YAMLTree", "Diagnostics"],
        "OpenAPIExport": ["ContractModel", "Diagnostics"],
        "MockServer": ["ContractChecks", "ContractModel", "YAMLTree", "JSONTree", "Diagnostics", "ErrandService"],
        "MockHost": ["MockServer", "ErrandHTTPServer", "ContractModel", "JSONTree"],
        "TextCatalog": ["ContractModel", "JSONTree", "Diagnostics"],
        "RecordedTraffic": ["ContractChecks", "MockServer", "ContractModel", "JSONTree", "Diagnostics"],
        "ReferencePages": [
            "ContractChecks", "MockServer", "SwiftEmitter", "ContractModel", "JSONTree", "Diagnostics",
        ],
        "Pipeline": [
            "ContractChecks", "ContractDiff", "SwiftEmitter", "OpenAPIImport", "OpenAPIExport", "MockServer",
            "RecordedTraffic", "ReferencePages", "TextCatalog", "ContractModel", "YAMLTree", "Diagnostics",
        ],
        "LanguageServer": ["Pipeline", "ContractChecks", "ContractModel", "YAMLTree", "Diagnostics"],
        "errand": ["LanguageServer", "MockHost", "MockServer", "Pipeline", "Diagnostics", "ArgumentParser"],
        "ErrandJSON": [],
        "ErrandRuntime": ["ErrandJSON", "ErrandPatterns", "ErrandSemantics"],
        "ErrandClient": ["ErrandRuntime", "ErrandJSON", "ErrandSemantics"],
        "CCurl": [],
        "ErrandCurl": ["ErrandRuntime", "ErrandJSON", "ErrandCompression", "CCurl"],
        "ErrandURLSession": ["ErrandRuntime", "ErrandCompression"],
        "ErrandTransport": ["ErrandClient", "ErrandRuntime", "ErrandURLSession", "ErrandCurl"],
        "ErrandDigests": ["ErrandRuntime", "Crypto"],
        "ErrandXML": ["ErrandRuntime", "ErrandJSON"],
        "CZlib": [],
        "ErrandCompression": ["ErrandRuntime", "CZlib"],
        "ErrandAsyncHTTPClient": [
            "ErrandRuntime", "ErrandJSON", "ErrandCompression", "AsyncHTTPClient", "NIOCore", "NIOConcurrencyHelpers",
            "NIOPosix",
            "NIOHTTP1",
            "NIOHTTP2", "NIOHTTPCompression", "NIOSSL", "Crypto",
        ],
        "ErrandWebSocket": [
            "ErrandRuntime", "NIOCore", "NIOConcurrencyHelpers", "NIOPosix", "NIOHTTP1", "NIOWebSocket", "NIOSSL",
            "NIOTLS", "Crypto",
        ],
        "ErrandObservability": ["ErrandRuntime", "Logging", "CoreMetrics", "Tracing"],
        "ErrandOutbox": ["ErrandRuntime", "GRDB"],
        "ErrandUI": ["ErrandClient", "ErrandRuntime", "OpenCombine"],
        "ErrandStubs": ["ErrandRuntime"],
        "ErrandTesting": ["ErrandStubs", "ErrandRuntime", "ErrandJSON", "ErrandService"],
        "ErrandTestServer": ["ErrandHTTPServer", "ErrandTesting", "ErrandRuntime"],
        "ErrandTransportConformance": ["ErrandRuntime"],
    ]

    /// The packages that a target may import: those of the tool, and those that require a trait of their own.
    static let packages: Set<String> = [
        "ArgumentParser", "Logging", "CoreMetrics", "Tracing", "AsyncHTTPClient", "NIOCore",
        "NIOConcurrencyHelpers",
        "NIOPosix", "NIOHTTP1", "NIOHTTP2", "NIOHTTPCompression", "NIOSSL", "NIOTLS", "NIOWebSocket", "OpenCombine",
        "Crypto", "GRDB", "FlyingSocks",
    ]

    /// What comes with the system. Which of it a target may use is checked below.
    static let system: Set<String> = [
        "Foundation", "FoundationEssentials", "FoundationNetworking", "FoundationXML", "Synchronization", "Darwin",
        "Glibc", "Musl",
        "Bionic", "Android",
        "Dispatch", "Network", "os", "RegexBuilder", "Security", "Observation", "Accessibility", "SwiftUI", "UIKit",
        "AppKit", "Combine", "CryptoKit",
    ]

    @Test func everyTargetIsListed() throws {
        #expect(
            Set(try SourceTree.folders(in: "Sources")) == Set(Self.arrows.keys),
            "a new target gets its arrows here and in docs/architecture.md")
    }

    @Test func importsFollowTheArrows() throws {
        for (target, allowed) in Self.arrows {
            for file in try SourceTree.swiftFiles(below: "Sources/\(target)") {
                for (module, line) in file.imports where !allowed.contains(module) && !Self.system.contains(module) {
                    Issue.record(
                        "\(file.path):\(line) imports \(module); \(target) may import \(allowed.sorted().joined(separator: ", "))"
                    )
                }
            }
        }
    }

    /// What both halves share: leaves, which import nothing, not even of the system. Of each half one target imports them, and the
    /// list of what an app sees names types of them.
    static let shared: Set<String> = ["ErrandPatterns", "ErrandSemantics"]

    /// What the servers of both halves share, which knows nothing of a contract. No client that an app ships contains it.
    static let server = "ErrandHTTPServer"
    static let service = "ErrandService"

    @Test func whatIsSharedIsALeaf() throws {
        for target in Self.shared {
            #expect(Self.arrows[target]?.isEmpty == true, "\(target)")
            for file in try SourceTree.swiftFiles(below: "Sources/\(target)") {
                #expect(file.imports.isEmpty, "\(file.path)")
            }
            let users = Self.arrows.filter {
                $1.contains(target) && $0 != "ErrandClient" && $0 != Self.service
            }.keys.sorted()
            #expect(users == ["ContractModel", "ErrandRuntime"], "\(target)")
        }
    }

    @Test func theServerKnowsNothingOfEitherHalf() {
        #expect(Self.arrows[Self.server] == ["FlyingSocks"])
        let users = Self.arrows.filter { $1.contains(Self.server) }.keys.sorted()
        #expect(users == ["ErrandTestServer", "MockHost"])
    }

    /// Its inputs are texts, times and values of the shared meaning: it has no network, no clock and no module of the system.
    @Test func theServiceKnowsNothingOfEitherHalf() throws {
        #expect(Self.arrows[Self.service] == ["ErrandSemantics"])
        let users = Self.arrows.filter { $1.contains(Self.service) }.keys.sorted()
        #expect(users == ["ErrandTesting", "MockServer"])
        for file in try SourceTree.swiftFiles(below: "Sources/\(Self.service)") {
            #expect(file.imports.allSatisfy { $0.module == "ErrandSemantics" }, "\(file.path)")
        }
    }

    /// An app and generated code import `ErrandRuntime`, and the rest of the tool `ContractModel`. Nothing else has to be imported for
    /// a type of the shared meaning.
    @Test func bothHalvesExportTheSharedMeaning() throws {
        for half in ["ContractModel", "ErrandRuntime"] {
            let exported = try SourceTree.swiftFiles(below: "Sources/\(half)").contains { file in
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

    @Test func theToolNeverImportsTheRuntimeNorTheReverse() throws {
        let runtime: Set<String> = [
            "ErrandJSON", "ErrandRuntime", "ErrandClient", "CCurl", "ErrandCurl", "ErrandURLSession", "ErrandDigests",
            "ErrandAsyncHTTPClient", "ErrandObservability", "ErrandUI", "ErrandStubs", "ErrandTesting",
            "ErrandCompression", "CZlib", "ErrandWebSocket", "ErrandXML", "ErrandOutbox", "ErrandTransport",
            "ErrandTestServer", "ErrandTransportConformance",
        ]
        for (target, arrows) in Self.arrows
        where !Self.shared.contains(target) && target != Self.server && target != Self.service {
            let allowed = arrows.subtracting([Self.server, Self.service])
            if runtime.contains(target) {
                #expect(allowed.subtracting(Self.packages).subtracting(Self.shared).isSubset(of: runtime), "\(target)")
            } else {
                #expect(allowed.isDisjoint(with: runtime), "\(target)")
            }
        }
    }

    /// `Package.swift` and the table must agree, so that no dependency is added unnoticed.
    @Test func theManifestDrawsTheSameArrows() throws {
        let manifest = try String(contentsOf: SourceTree.root.appendingPathComponent("Package.swift"), encoding: .utf8)
        for (target, allowed) in Self.arrows where !allowed.isEmpty {
            guard
                let start = manifest.range(of: "arget(name: \"\(target)\"")
                    ?? manifest.range(of: "arget(\n            name: \"\(target)\"")
            else {
                Issue.record("Package.swift has no target \(target)")
                continue
            }
            let end = manifest[start.upperBound...].range(of: "arget(")?.lowerBound ?? manifest.endIndex
            let text = manifest[start.upperBound..<end]
            let declared = Set(Self.arrows.keys).union(Self.packages).union(["GenerationTemplates"]).filter { name in
                text.contains("\"\(name)\"")
            }
            #expect(declared.subtracting([target]) == allowed, "\(target) in Package.swift")
        }
    }

    /// Code that touches the disk, a clock or the environment needs one of these modules.
    @Test func onlyTheShellReachesTheSystem() throws {
        // The messages of the language server are coded by Foundation, which is all that it is there for.
        let shell = [
            "Sources/Pipeline/FileAccess/", "Sources/errand/Console.swift", "Sources/LanguageServer/Messages/",
        ]
        for target in [
            "Diagnostics", "YAMLTree", "ContractModel", "ContractChecks", "SwiftEmitter", "OpenAPIImport", "MockServer",
            "RecordedTraffic", "ReferencePages",
            "Pipeline", "LanguageServer", "errand",
        ] {
            for file in try SourceTree.swiftFiles(below: "Sources/\(target)")
            where !shell.contains(where: { file.path.hasPrefix($0) }) {
                for (module, line) in file.imports where Self.system.contains(module) {
                    Issue.record("\(file.path):\(line) imports \(module); only \(shell.joined(separator: " and ")) may")
                }
            }
        }
    }
}
