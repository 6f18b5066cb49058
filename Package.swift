// swift-tools-version: 6.1
import PackageDescription

// The targets are in the order of the pipeline: text → tree → contract → Swift.
// `docs/architecture.md` lists the allowed dependencies; `Tests/ArchitectureTests` enforces them.

/// Dependencies of the tool. They aren't fetched for an app that names `traits: []`.
let forTool = TargetDependencyCondition.when(traits: ["Tool"])
/// The sockets of the mock server and of the server for tests.
let forHTTPServer = TargetDependencyCondition.when(traits: ["Tool", "TestServer"])
/// Dependencies for logs, metrics and traces.
let forObservability = TargetDependencyCondition.when(traits: ["Observability"])
/// Dependencies of the transport for servers.
let forAsyncHTTPClient = TargetDependencyCondition.when(traits: ["AsyncHTTPClient"])

/// Dependencies of the connections on SwiftNIO.
let forWebSocket = TargetDependencyCondition.when(traits: ["WebSocket"])

/// Digests for systems without CryptoKit. The default trait includes them, because this package's own samples are signed.
let forDigests = TargetDependencyCondition.when(
    platforms: [.linux, .android, .windows, .openbsd], traits: ["Digests", "Tool"])

/// The database of the outbox.
let forOutbox = TargetDependencyCondition.when(traits: ["Outbox"])

/// Combine for systems without it.
let forOpenCombine = TargetDependencyCondition.when(traits: ["OpenCombine"])

/// The prebuilt tool of a release, which `scripts/release-bundle` writes here. Nil in a checkout.
let releasedTool: Target? = nil

/// The tool that the plugins run in place of one that is built here. `ERRAND_BUNDLE=none` builds it in any case, for instance on
/// a system for which the release has none. Another value is the path of an artifact bundle inside this package.
let prebuiltTool: Target? =
    switch Context.environment["ERRAND_BUNDLE"] {
    case nil: releasedTool
    case "none"?: nil
    case let path?: .binaryTarget(name: "errand-released", path: path)
    }

/// A generated client: a folder of `generated/` that an app imports as a module.
func client(_ service: String, isSigned: Bool = false, readsXML: Bool = false) -> Target {
    .target(
        name: service + "Client",
        dependencies: ["ErrandClient", "ErrandRuntime", "ErrandTransport"] + (isSigned ? ["ErrandDigests"] : [])
            + (readsXML ? ["ErrandXML"] : []),
        path: "generated/" + service)
}

let package = Package(
    name: "errand",
    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9)],
    products: [
        .executable(name: "errand", targets: ["errand"]),
        .plugin(name: "ErrandBuildTool", targets: ["ErrandBuildTool"]),
        .plugin(name: "ErrandGenerate", targets: ["ErrandGenerate"]),
        .plugin(name: "ErrandLint", targets: ["ErrandLint"]),
        .plugin(name: "ErrandInit", targets: ["ErrandInit"]),
        .plugin(name: "ErrandExplain", targets: ["ErrandExplain"]),
        .library(name: "ErrandJSON", targets: ["ErrandJSON"]),
        .library(name: "ErrandRuntime", targets: ["ErrandRuntime", "ErrandClient"]),
        .library(name: "ErrandTransport", targets: ["ErrandTransport"]),
        .library(name: "ErrandURLSession", targets: ["ErrandURLSession"]),
        .library(name: "ErrandCurl", targets: ["ErrandCurl"]),
        .library(name: "ErrandDigests", targets: ["ErrandDigests"]),
        .library(name: "ErrandCompression", targets: ["ErrandCompression"]),
        .library(name: "ErrandXML", targets: ["ErrandXML"]),
        .library(name: "ErrandObservability", targets: ["ErrandObservability"]),
        .library(name: "ErrandAsyncHTTPClient", targets: ["ErrandAsyncHTTPClient"]),
        .library(name: "ErrandWebSocket", targets: ["ErrandWebSocket"]),
        .library(name: "ErrandOutbox", targets: ["ErrandOutbox"]),
        .library(name: "ErrandUI", targets: ["ErrandUI"]),
        .library(name: "ErrandStubs", targets: ["ErrandStubs"]),
        .library(name: "ErrandTesting", targets: ["ErrandTesting"]),
        .library(name: "ErrandTestServer", targets: ["ErrandTestServer"]),
        .library(name: "ErrandTransportConformance", targets: ["ErrandTransportConformance"]),
        .library(name: "AuthClient", targets: ["AuthClient"]),
        .library(name: "BankClient", targets: ["BankClient"]),
        .library(name: "ConversationsClient", targets: ["ConversationsClient"]),
        .library(name: "FriendsClient", targets: ["FriendsClient"]),
        .library(name: "LiveClient", targets: ["LiveClient"]),
        .library(name: "PresenceClient", targets: ["PresenceClient"]),
        .library(name: "VideoClient", targets: ["VideoClient"]),
    ],
    traits: [
        .trait(
            name: "Tool",
            description: "The errand command and what it is made of, and digests where there is no CryptoKit"),
        .trait(
            name: "Observability", description: "Commands in swift-log, swift-metrics and swift-distributed-tracing"),
        .trait(name: "AsyncHTTPClient", description: "The transport over AsyncHTTPClient, for servers"),
        .trait(name: "WebSocket", description: "Persistent connections over WebSocket on SwiftNIO"),
        .trait(name: "Outbox", description: "The store of durable commands on the disk, with SQLite"),
        .trait(name: "OpenCombine", description: "The publishers of ErrandUI where there is no Combine"),
        .trait(name: "TestServer", description: "The simulated server of tests on a socket"),
        .trait(name: "Digests", description: "Signatures and checksums where there is no CryptoKit"),
        // Only one trait is on by default. SwiftPM 6.3 passes several traits to the compiler in an order that changes with each
        // plan (swiftlang/swift-package-manager#10525), so an edit of a manifest would recompile everything.
        .default(enabledTraits: ["Tool"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        // What commands are logged, measured and traced with.
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.5.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.2.0"),
        // Servers only, and what of it names its errors.
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.30.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.26.0"),
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.36.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.30.0"),
        // Digests for systems without CryptoKit.
        .package(url: "https://github.com/apple/swift-crypto", "3.8.0"..<"5.0.0"),
        // SQLite for the outbox.
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.5.0"),
        // Combine for systems without it.
        .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
        // The sockets of the mock server, and what the services of tests and of the demo are on.
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
    ],
    targets: [
        // MARK: What both halves share

        // HTTP/1.1 and WebSocket on sockets, with failures of the wire: the mock server of the tool, and the simulated server of tests
        .target(
            name: "ErrandHTTPServer",
            dependencies: [.product(name: "FlyingSocks", package: "FlyingFox", condition: forHTTPServer)]),
        // what a service does with sessions, keys and pages: the mock server of the tool and the simulated server of tests
        .target(name: "ErrandService", dependencies: ["ErrandSemantics"]),
        // what a pattern is: the tool refuses what the runtime would not match
        .target(name: "ErrandPatterns"),
        // what a contract means: the tool says of a response what the runtime does with it
        .target(name: "ErrandSemantics"),

        // MARK: The tool

        // 1  libyaml, the reference parser in C
        .systemLibrary(
            name: "CLibYAML",
            pkgConfig: "yaml-0.1",
            providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]
        ),
        // 2  findings: problem, place and fix
        .target(name: "Diagnostics", dependencies: ["JSONTree"]),
        // 2  JSON that others wrote, with the order of its members
        .target(name: "JSONTree"),
        // 3  text → lossless tree with positions
        .target(name: "YAMLTree", dependencies: ["Diagnostics", "CLibYAML"]),
        // 4  tree → contract → resolved contract, the only thing later stages accept
        .target(name: "ContractModel", dependencies: ["YAMLTree", "Diagnostics", "ErrandPatterns", "ErrandSemantics"]),
        // 5  rules, one file each, over one contract as far as it could be read
        .target(name: "ContractChecks", dependencies: ["ContractModel", "YAMLTree", "Diagnostics"]),
        // 6  two versions of a contract → the changes, and what each breaks
        .target(name: "ContractDiff", dependencies: ["ContractChecks", "ContractModel", "YAMLTree", "Diagnostics"]),
        // 6  resolved contract → Swift; the texts of what is generated are a target of their own, which embeds them
        .target(
            name: "GenerationTemplates",
            path: "templates",
            sources: ["BuiltInTemplates.swift"],
            resources: [
                "alias", "client", "command", "commands", "confirmation", "enumeration", "envelope", "errors",
                "event", "failure", "group", "imports", "initializer", "loading", "members", "mirror", "pagination",
                "properties",
                "response",
                "session", "statement", "structure", "subscription", "types", "union",
            ].map { .embedInCode("\($0).mustache") }
        ),
        .target(name: "SwiftEmitter", dependencies: ["ContractModel", "Diagnostics", "GenerationTemplates"]),
        // 7  OpenAPI document → text of a contract, with what could not be carried over
        .target(name: "OpenAPIImport", dependencies: ["ContractModel", "YAMLTree", "Diagnostics"]),
        // 7  resolved contract → OpenAPI document
        .target(name: "OpenAPIExport", dependencies: ["ContractModel", "Diagnostics"]),
        // 7  resolved contract → the service that it describes: requests in, responses out, without a network
        .target(
            name: "MockServer",
            dependencies: [
                "ContractChecks", "ContractModel", "YAMLTree", "JSONTree", "Diagnostics", "ErrandService",
            ]),
        // 7  resolved contract → the texts of its errors, in a file that translators edit
        .target(name: "TextCatalog", dependencies: ["ContractModel", "JSONTree", "Diagnostics"]),
        // 8  recorded traffic and resolved contracts → what one has that the other does not say
        .target(
            name: "RecordedTraffic",
            dependencies: ["ContractChecks", "MockServer", "ContractModel", "JSONTree", "Diagnostics"]),
        // 8  resolved contracts → reference pages in HTML or Markdown, whose templates are embedded
        .target(
            name: "ReferencePages",
            dependencies: [
                "ContractChecks", "MockServer", "SwiftEmitter", "ContractModel", "JSONTree", "Diagnostics",
            ],
            resources: [
                "contract.html", "contract.md", "endpoint.html", "endpoint.md", "errors.html", "errors.md",
                "fields.html", "fields.md", "foot.html", "head.html", "head.md", "parts.html", "parts.md",
                "search.js", "site.html", "site.md", "style.css", "types.html", "types.md",
            ].map { .embedInCode("Templates/\($0).mustache") }),
        // 9  one entry function for each task of the tool; the only target that touches the disk
        .target(
            name: "Pipeline",
            dependencies: [
                "ContractChecks", "ContractDiff", "SwiftEmitter", "OpenAPIImport", "OpenAPIExport", "MockServer",
                "RecordedTraffic", "ReferencePages", "TextCatalog", "ContractModel", "YAMLTree", "Diagnostics",
            ]),
        // 8  the mock server on sockets
        .target(
            name: "MockHost",
            dependencies: ["MockServer", "ErrandHTTPServer", "ContractModel", "JSONTree"],
            resources: [.embedInCode("Page/page.html")]),
        // 9  the same for editors: messages in, responses and diagnostics out
        .target(
            name: "LanguageServer",
            dependencies: ["Pipeline", "ContractChecks", "ContractModel", "YAMLTree", "Diagnostics"]),
        // 10 arguments in, exit status out
        .executableTarget(
            name: "errand",
            dependencies: [
                "LanguageServer", "MockHost", "MockServer", "Pipeline", "Diagnostics",
                .product(name: "ArgumentParser", package: "swift-argument-parser", condition: forTool),
            ]
        ),
        // the tool as a part of a package: while a target is built, and as commands of `swift package`
        .plugin(name: "ErrandBuildTool", capability: .buildTool(), dependencies: ["errand"]),
        .plugin(
            name: "ErrandGenerate",
            capability: .command(
                intent: .custom(
                    verb: "errand-generate", description: "Write the Swift clients of contracts into the package"),
                permissions: [.writeToPackageDirectory(reason: "The clients are written into the package.")]
            ),
            dependencies: ["errand"]
        ),
        .plugin(
            name: "ErrandLint",
            capability: .command(
                intent: .custom(verb: "errand-lint", description: "Find what is wrong with contracts")),
            dependencies: ["errand"]
        ),
        .plugin(
            name: "ErrandInit",
            capability: .command(
                intent: .custom(verb: "errand-init", description: "Write a first contract into the package"),
                permissions: [.writeToPackageDirectory(reason: "The contract is written into the package.")]
            ),
            dependencies: ["errand"]
        ),
        .plugin(
            name: "ErrandExplain",
            capability: .command(
                intent: .custom(
                    verb: "errand-explain", description: "Print what a finding means, or what an endpoint's answers do")
            ),
            dependencies: ["errand"]
        ),

        // MARK: The runtime

        .target(name: "ErrandJSON"),
        .target(name: "ErrandRuntime", dependencies: ["ErrandJSON", "ErrandPatterns", "ErrandSemantics"]),
        // what an app sees of it
        .target(name: "ErrandClient", dependencies: ["ErrandRuntime", "ErrandJSON", "ErrandSemantics"]),
        // libcurl without its headers, loaded when the first request is sent
        .target(name: "CCurl", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
        // zlib: on Linux without its headers, loaded when the first body is compressed
        .target(
            name: "CZlib",
            linkerSettings: [
                .linkedLibrary("dl", .when(platforms: [.linux])),
                .linkedLibrary(
                    "z", .when(platforms: [.macOS, .macCatalyst, .iOS, .tvOS, .watchOS, .visionOS, .android])),
            ]),
        .target(name: "ErrandCompression", dependencies: ["ErrandRuntime", "CZlib"]),
        // the transport over the system's libcurl; empty on systems other than Linux
        .target(name: "ErrandCurl", dependencies: ["ErrandRuntime", "ErrandJSON", "ErrandCompression", "CCurl"]),
        // the transport over URLSession
        .target(name: "ErrandURLSession", dependencies: ["ErrandRuntime", "ErrandCompression"]),
        // what clients send over: the system's transport
        .target(
            name: "ErrandTransport",
            dependencies: [
                "ErrandClient", "ErrandRuntime", "ErrandURLSession",
                .byName(name: "ErrandCurl", condition: .when(platforms: [.linux])),
            ]
        ),
        // signatures of requests and checksums of downloads; without its trait, unavailable on systems without CryptoKit
        .target(
            name: "ErrandDigests",
            dependencies: ["ErrandRuntime", .product(name: "Crypto", package: "swift-crypto", condition: forDigests)]
        ),
        // documents in XML, with the system's parser
        .target(name: "ErrandXML", dependencies: ["ErrandRuntime", "ErrandJSON"]),
        // empty without its trait
        .target(
            name: "ErrandObservability",
            dependencies: [
                "ErrandRuntime",
                .product(name: "Logging", package: "swift-log", condition: forObservability),
                .product(name: "CoreMetrics", package: "swift-metrics", condition: forObservability),
                .product(name: "Tracing", package: "swift-distributed-tracing", condition: forObservability),
            ]
        ),
        // likewise
        .target(
            name: "ErrandAsyncHTTPClient",
            dependencies: [
                "ErrandRuntime", "ErrandJSON",
                .byName(name: "ErrandCompression", condition: forAsyncHTTPClient),
                .product(name: "AsyncHTTPClient", package: "async-http-client", condition: forAsyncHTTPClient),
                .product(name: "NIOCore", package: "swift-nio", condition: forAsyncHTTPClient),
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio", condition: forAsyncHTTPClient),
                .product(name: "NIOPosix", package: "swift-nio", condition: forAsyncHTTPClient),
                .product(name: "NIOHTTP1", package: "swift-nio", condition: forAsyncHTTPClient),
                .product(name: "NIOHTTP2", package: "swift-nio-http2", condition: forAsyncHTTPClient),
                .product(name: "NIOHTTPCompression", package: "swift-nio-extras", condition: forAsyncHTTPClient),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: forAsyncHTTPClient),
                .product(name: "Crypto", package: "swift-crypto", condition: forAsyncHTTPClient),
            ]
        ),

        // likewise
        .target(
            name: "ErrandWebSocket",
            dependencies: [
                "ErrandRuntime",
                .product(name: "NIOCore", package: "swift-nio", condition: forWebSocket),
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio", condition: forWebSocket),
                .product(name: "NIOPosix", package: "swift-nio", condition: forWebSocket),
                .product(name: "NIOHTTP1", package: "swift-nio", condition: forWebSocket),
                .product(name: "NIOWebSocket", package: "swift-nio", condition: forWebSocket),
                .product(name: "NIOTLS", package: "swift-nio", condition: forWebSocket),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: forWebSocket),
                .product(name: "Crypto", package: "swift-crypto", condition: forWebSocket),
            ]
        ),

        // likewise
        .target(
            name: "ErrandOutbox",
            dependencies: [
                "ErrandRuntime", .product(name: "GRDB", package: "GRDB.swift", condition: forOutbox),
            ]
        ),

        // what is shown of everything that goes wrong: the decisions, and adapters for SwiftUI, UIKit, AppKit and the terminal
        .target(
            name: "ErrandUI",
            dependencies: [
                "ErrandClient", "ErrandRuntime",
                .product(name: "OpenCombine", package: "OpenCombine", condition: forOpenCombine),
            ],
            exclude: ["Texts/Errand.xcstrings"]
        ),

        // what an app's previews run its clients on: a closure for each command
        .target(name: "ErrandStubs", dependencies: ["ErrandRuntime"]),
        // what an app's tests run its clients on: no sockets, no waiting, the same run for the same seed
        .target(name: "ErrandTesting", dependencies: ["ErrandStubs", "ErrandRuntime", "ErrandJSON", "ErrandService"]),
        // the same server on a socket; empty without a trait that brings the sockets
        .target(name: "ErrandTestServer", dependencies: ["ErrandHTTPServer", "ErrandTesting", "ErrandRuntime"]),
        // what a transport is tested against
        .target(name: "ErrandTransportConformance", dependencies: ["ErrandRuntime"]),

        // MARK: Where they meet

        client("Auth", isSigned: true),
        client("Bank"),
        client("Conversations"),
        client("Friends"),
        client("Live", isSigned: true),
        client("Presence"),
        client("Video", readsXML: true),

        // MARK: Demo and tests

        // the services that the contracts describe, played on real sockets
        .target(
            name: "TestServices",
            dependencies: [
                "ErrandRuntime", "TestDigests",
                .product(name: "FlyingFox", package: "FlyingFox", condition: forTool),
                .product(name: "FlyingSocks", package: "FlyingFox", condition: forTool),
            ],
            path: "Tests/Support/TestServices"
        ),
        .executableTarget(
            name: "BankDemo",
            dependencies: [
                "BankClient", "ConversationsClient", "PresenceClient", "VideoClient", "ErrandUI", "ErrandTesting",
                "ErrandTransportConformance", "TestServices",
            ],
            path: "Examples/Demo"),
        // what the screens of the sample app know: the rest of it is for Apple's systems, and only type-checked
        .target(
            name: "ScreenModels", dependencies: ["ErrandUI", "ErrandRuntime", "BankClient", "VideoClient"],
            path: "Examples/Screens/Models"),
        // random numbers that a seed repeats, and a counter for several tasks
        .target(name: "TestSeeds", path: "Tests/Support/TestSeeds"),
        // where the documents are that other people wrote
        .target(name: "TestDocuments", path: "Tests/Support/TestDocuments"),
        // what tests start: a Python, and a compiler
        .target(name: "TestPrograms", path: "Tests/Support/TestPrograms"),
        // a proxy of HTTP, which the tests of integrations link to
        .target(name: "TestProxy", path: "Tests/Support/TestProxy"),
        // a terminal of which a test has both ends
        .target(name: "TestTerminal", path: "Tests/Support/TestTerminal"),
        // digests after their RFCs, to compare with
        .target(name: "TestDigests", path: "Tests/Support/TestDigests"),
        // certificates that only tests trust, and what every transport does with them; the tests of integrations link to the latter
        .target(
            name: "TestCertificates", dependencies: ["ErrandRuntime", "ErrandTransportConformance", "TestProxy"],
            path: "Tests/Support/TestCertificates"),
        // a service with one list that can be walked in each way
        .target(name: "TestShelf", dependencies: ["ErrandRuntime"], path: "Tests/Support/TestShelf"),
        .testTarget(name: "ArchitectureTests"),
        .testTarget(name: "DiagnosticsTests", dependencies: ["Diagnostics"]),
        .testTarget(name: "YAMLTreeTests", dependencies: ["YAMLTree", "Diagnostics"]),
        .testTarget(
            name: "ContractModelTests", dependencies: ["ContractModel", "YAMLTree", "Diagnostics", "TestSeeds"]),
        .testTarget(
            name: "ContractChecksTests",
            dependencies: [
                "ContractChecks", "SwiftEmitter", "ContractModel", "YAMLTree", "Diagnostics",
            ],
            exclude: ["Cases"]
        ),
        .testTarget(name: "JSONTreeTests", dependencies: ["JSONTree"]),
        .testTarget(name: "TextCatalogTests", dependencies: ["TextCatalog", "ContractModel", "JSONTree"]),
        .testTarget(
            name: "RecordedTrafficTests",
            dependencies: [
                "RecordedTraffic", "MockServer", "ContractChecks", "ContractModel", "JSONTree", "Diagnostics",
            ]),
        .testTarget(
            name: "ReferencePagesTests",
            dependencies: [
                "ReferencePages", "MockServer", "SwiftEmitter", "ContractChecks", "ContractModel", "JSONTree",
                "Diagnostics", "TestPrograms",
            ]),
        .testTarget(
            name: "ContractDiffTests",
            dependencies: [
                "ContractDiff", "ContractChecks", "ContractModel", "YAMLTree", "Diagnostics", "TestSeeds",
            ], exclude: ["Cases"]),
        .testTarget(
            name: "SwiftEmitterTests", dependencies: ["SwiftEmitter", "ContractModel", "Diagnostics"],
            exclude: ["Cases"]),
        // the client of a contract that uses everything, as the tests of the emitter have recorded it
        .target(
            name: "EverythingClient",
            dependencies: ["ErrandClient", "ErrandRuntime", "ErrandTransport", "ErrandDigests", "ErrandXML"],
            path: "Tests/Support/GeneratedFixture/wanted/Everything"),
        // the same with conformances asked for
        .target(
            name: "NotesClient", dependencies: ["ErrandClient", "ErrandRuntime", "ErrandTransport"],
            path: "Tests/SwiftEmitterTests/Cases/conformances/wanted/Notes"),
        .testTarget(
            name: "GeneratedFixtureTests",
            dependencies: [
                "ErrandRuntime", "ErrandJSON", "ErrandURLSession",
                .byName(name: "ErrandCurl", condition: .when(platforms: [.linux])), "ErrandTransportConformance",
                "EverythingClient", "NotesClient",
            ],
            exclude: ["multipart_server.py"]),
        // the client of an imported document whose successes contain errors
        .target(
            name: "JobsClient", dependencies: ["ErrandClient", "ErrandRuntime", "ErrandTransport"],
            path: "Tests/OpenAPIImportTests/Cases/jobs/wanted/Jobs"),
        .testTarget(
            name: "OpenAPIImportTests",
            dependencies: [
                "OpenAPIImport", "Pipeline", "ContractDiff", "SwiftEmitter", "ContractChecks", "ContractModel",
                "Diagnostics",
                "ErrandTransport",
                "TestSeeds", "TestDocuments",
            ],
            exclude: ["Cases"]),
        .testTarget(
            name: "PipelineTests",
            dependencies: [
                "Pipeline", "ContractDiff", "OpenAPIImport", "SwiftEmitter", "TextCatalog", "ContractModel", "YAMLTree",
                "Diagnostics", "TestSeeds",
            ]),
        .testTarget(
            name: "OpenAPIExportTests",
            dependencies: [
                "OpenAPIExport", "OpenAPIImport", "Pipeline", "SwiftEmitter", "ContractModel", "Diagnostics",
                "TestPrograms",
            ],
            exclude: ["hostile.contract.yaml"]),
        // contracts that no person would write: what the tool accepts of them compiles
        .testTarget(
            name: "RandomContractTests",
            dependencies: [
                "Pipeline", "OpenAPIImport", "OpenAPIExport", "ContractChecks", "SwiftEmitter", "ContractModel",
                "ContractDiff", "MockServer", "JSONTree", "YAMLTree", "Diagnostics", "ErrandJSON", "ErrandTesting",
                "ErrandTransport", "ErrandXML", "TestSeeds", "TestDocuments", "TestPrograms",
            ],
            exclude: ["instances.py"]),
        .testTarget(
            name: "LanguageServerTests",
            dependencies: [
                "LanguageServer", "Pipeline", "ContractChecks", "ContractModel", "YAMLTree", "Diagnostics", "errand",
                "TestPrograms", "TestSeeds",
            ],
            exclude: ["Session"]
        ),
        .testTarget(
            name: "MockServerTests",
            dependencies: [
                "MockServer", "ErrandDigests", "ErrandRuntime", "ContractModel", "JSONTree", "Diagnostics",
            ]),
        .testTarget(
            name: "MockHostTests",
            dependencies: ["MockHost", "MockServer", "ErrandHTTPServer", "ContractModel", "JSONTree", "Diagnostics"]),
        .testTarget(
            name: "errandTests",
            dependencies: [
                "errand", "AuthClient", "BankClient", "ConversationsClient", "FriendsClient", "LiveClient",
                "PresenceClient", "VideoClient", "ErrandTransport", "MessageTeller", "TestPrograms", "TestServices",
            ],
            exclude: ["Schemas"]),
        .testTarget(name: "ErrandJSONTests", dependencies: ["ErrandJSON", "TestSeeds"]),
        .testTarget(name: "ErrandServiceTests", dependencies: ["ErrandService", "ErrandSemantics", "TestSeeds"]),
        .testTarget(name: "ErrandPatternsTests", dependencies: ["ErrandPatterns", "TestSeeds"]),
        .testTarget(
            name: "ErrandRuntimeTests",
            dependencies: [
                "ErrandRuntime", "ErrandTransport", "ErrandURLSession", "ErrandDigests", "ErrandStubs", "ErrandTesting",
                "ErrandTransportConformance", "BankClient", "TestCertificates", "TestShelf", "TestDigests",
                "TestPrograms",
                "TestProxy", "TestSeeds",
            ],
            exclude: ["Streams"]
        ),
        .testTarget(
            name: "ErrandXMLTests",
            dependencies: ["ErrandXML", "ErrandRuntime", "ErrandJSON", "TestPrograms", "TestSeeds"]),
        .testTarget(name: "ErrandDigestsTests", dependencies: ["ErrandDigests", "ErrandRuntime"]),
        .testTarget(
            name: "ErrandUITests",
            dependencies: [
                "ErrandUI", "ScreenModels", "ErrandTesting", "ErrandRuntime", "BankClient", "ConversationsClient",
                "PresenceClient", "VideoClient", "TestSeeds", "TestTerminal",
            ]),
        .testTarget(
            name: "ErrandCompressionTests",
            dependencies: [
                "ErrandCompression", "ErrandRuntime", "ErrandTransport", "ErrandURLSession", "TestSeeds",
            ],
            exclude: ["unpacking_server.py"]),
        .testTarget(
            name: "ErrandURLSessionTests",
            dependencies: [
                "ErrandURLSession", "ErrandTransport", "ErrandTransportConformance", "TestCertificates", "TestProxy",
            ]),
        .testTarget(
            name: "ErrandCurlTests",
            dependencies: [
                "ErrandCurl", "ErrandTransport", "ErrandTransportConformance", "BankClient", "TestCertificates",
                "TestPrograms", "TestProxy",
            ],
            exclude: ["http2_server.py"]),
        .testTarget(
            name: "ErrandTestingTests",
            dependencies: [
                "ErrandTesting", "ErrandStubs", "AuthClient", "BankClient", "ConversationsClient", "FriendsClient",
                "LiveClient", "PresenceClient", "VideoClient", "EverythingClient",
            ]
        ),
        .testTarget(
            name: "ErrandTestServerTests",
            dependencies: [
                "ErrandTestServer", "ErrandTesting", "ErrandRuntime", "BankClient", "PresenceClient",
                "EverythingClient", "TestServices",
            ]),
        .testTarget(
            name: "ErrandTransportConformanceTests",
            dependencies: ["ErrandTransportConformance", "ErrandTransport", "ErrandTesting", "ErrandRuntime"]),
        // the promises of the pipeline, each over many seeds, and over sockets what cannot be simulated
        .testTarget(
            name: "ReliabilityTests",
            dependencies: [
                "ErrandRuntime", "ErrandTransport", "ErrandTesting", "ErrandTransportConformance", "BankClient",
                "JobsClient", "PresenceClient", "TestServices", "TestShelf", "TestSeeds",
            ]),
        // a process of its own that shares a session with the tests
        .executableTarget(
            name: "SessionSharer", dependencies: ["AuthClient", "BankClient"], path: "Tests/Support/SessionSharer"),
        // a program with texts beside it, which shows them in the language of its environment
        .executableTarget(name: "MessageTeller", dependencies: ["LiveClient"], path: "Tests/Support/MessageTeller"),
        // what `scripts/check threads` must report before it looks for other races
        .executableTarget(name: "PlantedRace", dependencies: ["ErrandRuntime"], path: "Tests/Support/PlantedRace"),
        // all of it together, over sockets
        .testTarget(
            name: "GeneratedClientTests",
            dependencies: [
                "AuthClient", "BankClient", "ConversationsClient", "FriendsClient", "LiveClient",
                "PresenceClient", "VideoClient", "TestServices", "ErrandURLSession", "ErrandDigests", "ErrandStubs",
                "ErrandTesting", "SessionSharer", "MessageTeller", "TestSeeds",
            ]
        ),
        .testTarget(
            name: "TestServicesTests",
            dependencies: [
                "TestServices", "TestDigests", .product(name: "FlyingSocks", package: "FlyingFox", condition: forTool),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)

if let prebuiltTool {
    package.targets.append(prebuiltTool)
    for plugin in package.targets where plugin.type == .plugin {
        plugin.dependencies = [.target(name: prebuiltTool.name)]
    }
}
