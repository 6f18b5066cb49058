// swift-tools-version: 6.1
import PackageDescription

// The targets are in the order of the wings, and in a wing each comes after those that it uses. `docs/architecture.md` says what they
// do. `Tests/ArchitectureTests` reads from here which target uses which, and checks the page, the imports and `scripts/swift-test`.

// MARK: Traits, and what they enable

let traits: KeyValuePairs = [
    "Tool": "The errand command and what it is made of, and digests where there is no CryptoKit",
    "Observability": "Commands in swift-log, swift-metrics and swift-distributed-tracing",
    "AsyncHTTPClient": "The transport over AsyncHTTPClient, for servers",
    "WebSocket": "Persistent connections over WebSocket on SwiftNIO",
    "Outbox": "The store of durable commands on the disk, with SQLite",
    "TestServer": "The simulated server of tests on a socket",
    "Digests": "Signatures and checksums where there is no CryptoKit",
]

/// Products, by their packages. They are only fetched for an app with one of the traits.
func products(
    _ packages: KeyValuePairs<String, String>, for traits: Set<String>, on platforms: [Platform] = []
) -> [Target.Dependency] {
    let condition = TargetDependencyCondition.when(platforms: platforms, traits: traits)
    return packages.flatMap { package, names in
        words(names).map { .product(name: $0, package: package, condition: condition) }
    }
}

let commandLine = products(["swift-argument-parser": "ArgumentParser"], for: ["Tool"])
let sockets = products(["FlyingFox": "FlyingSocks"], for: ["Tool", "TestServer"])
let testSockets = products(["FlyingFox": "FlyingSocks"], for: ["Tool"])
let testServer = products(["FlyingFox": "FlyingFox"], for: ["Tool"])
// SQLite itself is for what GRDB has no call for: the room of a file.
let outbox = products(["GRDB.swift": "GRDB GRDBSQLite"], for: ["Outbox"])
// The runtime takes an algorithm as a function, so only a target that depends on ErrandDigests compiles swift-crypto. The transports
// over SwiftNIO use swift-crypto as well, to compare keys with pins. On Apple's systems, CryptoKit takes its place. The default trait
// includes digests, because this package's own samples are signed.
let digests = products(
    ["swift-crypto": "Crypto"], for: ["Digests", "Tool"], on: [.linux, .android, .windows, .openbsd])
let observability = products(
    ["swift-log": "Logging", "swift-metrics": "CoreMetrics", "swift-distributed-tracing": "Tracing"],
    for: ["Observability"])
let webSocket = products(
    [
        "swift-nio": "NIOCore NIOConcurrencyHelpers NIOPosix NIOHTTP1 NIOWebSocket NIOTLS", "swift-nio-ssl": "NIOSSL",
        "swift-crypto": "Crypto",
    ], for: ["WebSocket"])
let asyncHTTPClient = products(
    [
        "async-http-client": "AsyncHTTPClient", "swift-nio": "NIOCore NIOConcurrencyHelpers NIOPosix NIOHTTP1",
        "swift-nio-http2": "NIOHTTP2", "swift-nio-extras": "NIOHTTPCompression", "swift-nio-ssl": "NIOSSL",
        "swift-crypto": "Crypto",
    ], for: ["AsyncHTTPClient"])
let compression = Target.Dependency.byName(name: "ErrandCompression", condition: .when(traits: ["AsyncHTTPClient"]))
let curl = Target.Dependency.byName(name: "ErrandCurl", condition: .when(platforms: [.linux]))

// MARK: The kinds of targets

func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }
func named(_ names: String) -> [Target.Dependency] { words(names).map { .byName(name: $0) } }

/// A target, which has the name of its folder. The first part of its path is its wing.
func target(
    _ path: String, in root: String = "Sources", uses names: String = "", _ products: [Target.Dependency] = [],
    excludes: [String] = [], embeds files: [String] = [], links libraries: [LinkerSetting]? = nil
) -> Target {
    .target(
        name: path.split(separator: "/").last.map(String.init) ?? path, dependencies: named(names) + products,
        path: root + "/" + path, exclude: excludes, resources: files.map { .embedInCode($0) },
        linkerSettings: libraries)
}

/// A generated client, which an app imports as a module.
func client(_ service: String, in folder: String = "generated", uses names: String = "") -> Target {
    .target(
        name: service + "Client", dependencies: named("ErrandClient ErrandRuntime ErrandTransport " + names),
        path: folder + "/" + service)
}

func program(
    _ name: String, in folder: String, uses names: String, _ products: [Target.Dependency] = []
) -> Target {
    .executableTarget(name: name, dependencies: named(names) + products, path: folder)
}

/// A command of `swift package` that runs the tool.
func command(_ name: String, _ description: String, writes subject: String? = nil) -> Target {
    let intent = PluginCommandIntent.custom(verb: "errand-" + name.lowercased(), description: description)
    let permission = subject.map { PluginPermission.writeToPackageDirectory(reason: $0 + " written into the package.") }
    return .plugin(
        name: "Errand" + name, capability: .command(intent: intent, permissions: permission.map { [$0] } ?? []),
        dependencies: ["errand-build"])
}

// MARK: The wings

let wings: [Target] = [
    target("Shared/ErrandSemantics"),  // what a contract means, for both halves
    target("Shared/ErrandPatterns"),  // what a pattern is, for both halves
    target("Shared/ErrandJSON"),  // JSON as generated code reads and writes it
    target("Shared/ErrandService", uses: "ErrandSemantics"),  // what a service does with sessions, keys and pages

    // libyaml, the reference parser in C
    .systemLibrary(
        name: "CLibYAML", path: "Sources/Tool/CLibYAML", pkgConfig: "yaml-0.1",
        providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
    target("Tool/JSONTree"),  // JSON that others wrote, with the order of its members
    target("Tool/Diagnostics", uses: "JSONTree"),  // findings: problem, place and fix
    target("Tool/YAMLTree", uses: "Diagnostics CLibYAML"),  // text → lossless tree with positions
    target("Tool/ContractModel", uses: "YAMLTree Diagnostics ErrandPatterns ErrandSemantics"),  // tree → contract
    target("Tool/ContractChecks", uses: "ContractModel YAMLTree Diagnostics"),  // rules, one file each
    target("Tool/ContractDiff", uses: "ContractChecks ContractModel YAMLTree Diagnostics"),  // what a change breaks
    // the texts of what is generated
    .target(
        name: "GenerationTemplates", path: "templates", sources: ["BuiltInTemplates.swift"],
        resources: words(
            "alias client command commands confirmation enumeration envelope errors event failure group imports "
                + "initializer loading members mirror pagination properties response session statement structure "
                + "subscription types union"
        ).map { .embedInCode("\($0).mustache") }),
    target("Tool/SwiftEmitter", uses: "ContractModel Diagnostics GenerationTemplates"),  // resolved contract → Swift
    // OpenAPI document → text of a contract, and resolved contract → OpenAPI document
    target("Tool/OpenAPI", uses: "ContractModel YAMLTree Diagnostics"),
    // resolved contract → the service that it describes, without a network
    target("Tool/MockServer", uses: "ContractChecks ContractModel YAMLTree JSONTree Diagnostics ErrandService"),
    // the mock server on sockets
    target("Tool/MockHost", uses: "MockServer ErrandHTTPServer ContractModel JSONTree", embeds: ["Page/page.html"]),
    target("Tool/TextCatalog", uses: "ContractModel JSONTree Diagnostics"),  // texts in a file for translators
    // recorded traffic and resolved contracts → what one has that the other does not say
    target("Tool/RecordedTraffic", uses: "ContractChecks MockServer ContractModel JSONTree Diagnostics"),
    // resolved contracts → reference pages in HTML or Markdown
    target(
        "Tool/ReferencePages", uses: "ContractChecks MockServer SwiftEmitter ContractModel JSONTree Diagnostics",
        embeds: words(
            "contract.html contract.md endpoint.html endpoint.md errors.html errors.md fields.html fields.md foot.html "
                + "head.html head.md parts.html parts.md search.js site.html site.md style.css types.html types.md"
        ).map { "Templates/\($0).mustache" }),
    // what a build needs, an entry function for each task: contracts → findings and clients; the only target that touches the disk
    target("Tool/Pipeline", uses: "ContractChecks SwiftEmitter TextCatalog ContractModel YAMLTree Diagnostics"),
    // the other tasks: import and export, diff, mock, replay, pages
    target(
        "Tool/ProjectTasks",
        uses: "Pipeline ContractChecks ContractDiff SwiftEmitter OpenAPI MockServer RecordedTraffic ReferencePages "
            + "ContractModel YAMLTree Diagnostics"),
    // the tasks of Pipeline for editors: messages in, responses and diagnostics out
    target("Tool/LanguageServer", uses: "Pipeline ContractChecks ContractModel YAMLTree Diagnostics"),
    // arguments in, exit status out: the commands that a build or a plugin runs
    target("Tool/BuildCommands", uses: "Pipeline Diagnostics", commandLine),
    // a program of them alone, so that an app's first build compiles half of the tool
    program("errand-build", in: "Sources/Tool/errand-build", uses: "BuildCommands", commandLine),
    // all commands
    program(
        "errand", in: "Sources/Tool/errand",
        uses: "BuildCommands LanguageServer MockHost MockServer ProjectTasks Pipeline Diagnostics", commandLine),

    target("Runtime/ErrandRuntime", uses: "ErrandJSON ErrandPatterns ErrandSemantics"),  // from a command to its result
    target("Runtime/ErrandConnections", uses: "ErrandRuntime ErrandJSON"),  // commands over persistent connections
    target("Runtime/ErrandDurable", uses: "ErrandRuntime"),  // commands that outlast the process
    target("Runtime/ErrandClient", uses: "ErrandRuntime ErrandJSON ErrandSemantics"),  // what an app sees of it
    target("Runtime/ErrandDigests", uses: "ErrandRuntime", digests),  // signatures and checksums
    target("Runtime/ErrandXML", uses: "ErrandRuntime ErrandJSON"),  // documents in XML, with the system's parser
    target("Runtime/ErrandOutbox", uses: "ErrandDurable ErrandRuntime", outbox),  // the store of durable commands
    target("Runtime/ErrandObservability", uses: "ErrandRuntime", observability),  // commands in log, metrics and traces
    // what is shown of everything that goes wrong: the decisions, and adapters for SwiftUI, UIKit and AppKit
    target("Runtime/ErrandUI", uses: "ErrandClient ErrandDurable ErrandRuntime", excludes: ["Texts/Errand.xcstrings"]),

    // zlib: on Linux without its headers, loaded when the first body is compressed
    target(
        "Transports/CZlib",
        links: [
            .linkedLibrary("dl", .when(platforms: [.linux])),
            .linkedLibrary("z", .when(platforms: [.macOS, .macCatalyst, .iOS, .tvOS, .watchOS, .visionOS, .android])),
        ]),
    target("Transports/ErrandCompression", uses: "ErrandRuntime CZlib"),  // compresses the bodies of requests
    target("Transports/CCurl", links: [.linkedLibrary("dl", .when(platforms: [.linux]))]),  // libcurl without headers
    target("Transports/ErrandCurl", uses: "ErrandRuntime ErrandJSON ErrandCompression CCurl"),  // libcurl, on Linux
    target("Transports/ErrandURLSession", uses: "ErrandRuntime ErrandCompression"),  // URLSession
    // transfers that continue while the app doesn't run
    target("Transports/ErrandBackground", uses: "ErrandURLSession ErrandRuntime ErrandJSON"),
    target("Transports/ErrandTransport", uses: "ErrandClient ErrandRuntime ErrandURLSession", [curl]),  // the choice
    // AsyncHTTPClient, for servers
    target("Transports/ErrandAsyncHTTPClient", uses: "ErrandRuntime ErrandJSON", asyncHTTPClient + [compression]),
    target("Transports/ErrandWebSocket", uses: "ErrandRuntime", webSocket),  // persistent connections on SwiftNIO

    target("Testing/ErrandStubs", uses: "ErrandRuntime"),  // closures in place of a server, for previews
    target("Testing/ErrandTesting", uses: "ErrandStubs ErrandRuntime ErrandJSON ErrandService"),  // simulated server
    // HTTP/1.1 and WebSocket on sockets, with failures of the wire, also for the mock server; empty without its traits
    target("Testing/ErrandHTTPServer", sockets),
    target("Testing/ErrandTestServer", uses: "ErrandHTTPServer ErrandTesting ErrandRuntime"),  // the same on a socket
    target("Testing/ErrandTransportConformance", uses: "ErrandRuntime"),  // what a transport is tested against
]

// MARK: Outside the wings

let clients = [
    client("Auth", uses: "ErrandDigests"), client("Bank"), client("Conversations", uses: "ErrandDurable"),
    client("Friends"),
    client("Live", uses: "ErrandDigests"), client("Presence", uses: "ErrandConnections"),
    client("Video", uses: "ErrandXML"),
]
let everyClient = clients.map(\.name).joined(separator: " ")

// The tool as a part of a package: while a target is built, and as commands of `swift package`.
let plugins = [
    .plugin(name: "ErrandBuildTool", capability: .buildTool(), dependencies: ["errand-build"]),
    command("Generate", "Write the Swift clients of contracts into the package", writes: "The clients are"),
    command("Lint", "Find what is wrong with contracts"),
    command("Init", "Write a first contract into the package", writes: "The contract is"),
    command("Explain", "Print what a finding means, or what an endpoint's answers do"),
]

let used = [
    program(
        "BankDemo", in: "Examples/Demo",
        uses: "BankClient ConversationsClient PresenceClient VideoClient ErrandDurable ErrandUI ErrandTesting "
            + "ErrandTransportConformance TestServices"),
    // what the screens of the sample app know: the rest of it is for Apple's systems, and only type-checked
    .target(
        name: "ScreenModels", dependencies: named("ErrandUI ErrandRuntime BankClient VideoClient"),
        path: "Examples/Screens/Models"),
    // the services that the contracts describe, played on real sockets
    target("TestServices", in: "Tests/Support", uses: "ErrandRuntime TestDigests", testServer + testSockets),
    target("TestSeeds", in: "Tests/Support"),  // random numbers that a seed repeats, and a counter for several tasks
    target("TestDocuments", in: "Tests/Support"),  // where the documents are that other people wrote
    target("TestPrograms", in: "Tests/Support"),  // what tests start: a Python, and a compiler
    target("TestProxy", in: "Tests/Support"),  // a proxy of HTTP, which the tests of integrations link to
    target("TestDigests", in: "Tests/Support"),  // digests after their RFCs, to compare with
    // certificates that only tests trust, and what every transport does with them, which the tests of integrations link to
    target("TestCertificates", in: "Tests/Support", uses: "ErrandRuntime ErrandTransportConformance TestProxy"),
    target("TestShelf", in: "Tests/Support", uses: "ErrandRuntime"),  // a list that can be walked in each way
    // the client of a contract that uses everything; one with conformances; one of an imported document
    client("Everything", in: "Tests/Support/GeneratedFixture/wanted", uses: "ErrandDigests ErrandXML ErrandDurable"),
    client("Notes", in: "Tests/SwiftEmitterTests/Cases/conformances/wanted"),
    client("Jobs", in: "Tests/OpenAPITests/Import/Cases/jobs/wanted"),
    // a process that shares a session with the tests; texts in the language of the environment; a race to report
    program("SessionSharer", in: "Tests/Support/SessionSharer", uses: "AuthClient BankClient"),
    program("MessageTeller", in: "Tests/Support/MessageTeller", uses: "LiveClient"),
    program("PlantedRace", in: "Tests/Support/PlantedRace", uses: "ErrandRuntime"),
]

// MARK: Tests

let excluded = [
    "ContractChecks": "Cases", "ContractDiff": "Cases", "SwiftEmitter": "Cases",
    "OpenAPI": "Import/Cases Export/hostile.contract.yaml", "LanguageServer": "Session", "errand": "Schemas",
    "RandomContract": "instances.py", "GeneratedFixture": "multipart_server.py", "ErrandRuntime": "Streams",
    "ErrandCompression": "unpacking_server.py", "ErrandCurl": "http2_server.py",
]
let testProducts = ["GeneratedFixture": [curl], "TestServices": testSockets]
/// What tests use besides the target that has their name.
let testUses: KeyValuePairs = [
    "Architecture": "", "Diagnostics": "", "JSONTree": "", "YAMLTree": "Diagnostics",
    "ContractModel": "YAMLTree Diagnostics TestSeeds",
    "ContractChecks": "SwiftEmitter ContractModel YAMLTree Diagnostics",
    "ContractDiff": "ContractChecks ContractModel YAMLTree Diagnostics TestSeeds",
    "OpenAPI":
        "ProjectTasks Pipeline ContractDiff SwiftEmitter ContractChecks ContractModel Diagnostics ErrandTransport TestSeeds "
        + "TestDocuments TestPrograms",
    "MockServer": "ErrandDigests ErrandRuntime ContractModel JSONTree Diagnostics",
    "MockHost": "MockServer ErrandHTTPServer ContractModel JSONTree Diagnostics",
    "SwiftEmitter": "ContractModel Diagnostics", "TextCatalog": "ContractModel JSONTree",
    "RecordedTraffic": "MockServer ContractChecks ContractModel JSONTree Diagnostics",
    "ReferencePages": "MockServer SwiftEmitter ContractChecks ContractModel JSONTree Diagnostics TestPrograms",
    "Pipeline":
        "ProjectTasks ContractDiff OpenAPI SwiftEmitter TextCatalog ContractModel YAMLTree Diagnostics TestSeeds",
    "LanguageServer": "Pipeline ContractChecks ContractModel YAMLTree Diagnostics errand TestPrograms TestSeeds",
    "errand": "Pipeline ErrandTransport TestPrograms " + everyClient,
    // contracts that no person would write: what the tool accepts of them compiles
    "RandomContract": "ProjectTasks Pipeline OpenAPI ContractChecks SwiftEmitter ContractModel ContractDiff MockServer "
        + "JSONTree YAMLTree Diagnostics ErrandJSON ErrandTesting ErrandTransport ErrandXML ErrandDurable ErrandConnections "
        + "TestSeeds TestDocuments TestPrograms",
    "ErrandJSON": "TestSeeds", "ErrandPatterns": "TestSeeds", "ErrandService": "ErrandSemantics TestSeeds",
    "ErrandRuntime":
        "ErrandConnections ErrandDurable ErrandBackground ErrandTransport ErrandURLSession ErrandDigests ErrandStubs ErrandTesting "
        + "BankClient ErrandTransportConformance TestCertificates TestShelf TestDigests TestPrograms TestProxy TestSeeds",
    "ErrandXML": "ErrandRuntime ErrandJSON TestPrograms TestSeeds", "ErrandDigests": "ErrandRuntime",
    "ErrandUI": "ScreenModels ErrandDurable ErrandTesting ErrandRuntime BankClient ConversationsClient PresenceClient "
        + "VideoClient TestSeeds",
    "ErrandCompression": "ErrandRuntime ErrandTransport ErrandURLSession TestSeeds",
    "ErrandCurl": "ErrandTransport ErrandTransportConformance BankClient TestCertificates TestPrograms TestProxy",
    "ErrandURLSession": "ErrandTransport ErrandTransportConformance TestCertificates TestProxy",
    "ErrandTesting": "ErrandStubs EverythingClient " + everyClient, "TestServices": "TestDigests",
    "ErrandTestServer": "ErrandTesting ErrandRuntime BankClient PresenceClient EverythingClient TestServices",
    "ErrandTransportConformance": "ErrandTransport ErrandTesting ErrandRuntime",
    "GeneratedFixture": "ErrandRuntime ErrandJSON ErrandURLSession ErrandTransportConformance EverythingClient "
        + "NotesClient",
    // the promises of the pipeline, each over many seeds, and over sockets what cannot be simulated
    "Reliability":
        "ErrandBackground ErrandConnections ErrandDurable ErrandRuntime ErrandTransport ErrandTesting "
        + "ErrandTransportConformance BankClient JobsClient PresenceClient TestServices TestShelf TestSeeds",
    // all of it together, over sockets
    "GeneratedClient": "TestServices ErrandURLSession ErrandDigests ErrandStubs ErrandTesting SessionSharer "
        + "MessageTeller TestSeeds " + everyClient,
]
let testTargets: [Target] = testUses.map { name, names in
    let subject = (wings + used).contains { $0.name == name } ? name + " " : ""
    return .testTarget(
        name: name + "Tests", dependencies: named(subject + names) + (testProducts[name] ?? []),
        exclude: words(excluded[name] ?? ""))
}

// MARK: The package

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
if let prebuiltTool { for plugin in plugins { plugin.dependencies = [.target(name: prebuiltTool.name)] } }

let libraries = words(
    "ErrandJSON ErrandTransport ErrandURLSession ErrandBackground ErrandCurl ErrandDigests ErrandCompression ErrandXML "
        + "ErrandObservability ErrandAsyncHTTPClient ErrandWebSocket ErrandConnections ErrandDurable ErrandOutbox ErrandUI ErrandStubs ErrandTesting "
        + "ErrandTestServer ErrandTransportConformance " + everyClient)

let package = Package(
    name: "errand",
    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9)],
    products: [
        .executable(name: "errand", targets: ["errand"]),
        .executable(name: "errand-build", targets: ["errand-build"]),
        .library(name: "ErrandRuntime", targets: ["ErrandRuntime", "ErrandClient"]),
    ] + libraries.map { .library(name: $0, targets: [$0]) }
        + plugins.map { .plugin(name: $0.name, targets: [$0.name]) },
    // Only one trait is on by default. SwiftPM 6.3 passes several traits to the compiler in an order that changes with each plan
    // (swiftlang/swift-package-manager#10525), so an edit of a manifest would recompile everything.
    traits: Set(traits.map { .trait(name: $0, description: $1) } + [.default(enabledTraits: ["Tool"])]),
    dependencies: [
        ("apple/swift-argument-parser", "1.8.0"), ("apple/swift-log", "1.6.0"), ("apple/swift-metrics", "2.5.0"),
        ("apple/swift-distributed-tracing", "1.2.0"), ("swift-server/async-http-client", "1.30.0"),
        ("apple/swift-nio", "2.101.0"), ("apple/swift-nio-extras", "1.26.0"), ("apple/swift-nio-http2", "1.36.0"),
        ("apple/swift-nio-ssl", "2.30.0"), ("groue/GRDB.swift", "7.5.0"), ("swhitty/FlyingFox", "0.27.1"),
    ].map { .package(url: "https://github.com/" + $0, from: $1) } + [
        .package(url: "https://github.com/apple/swift-crypto", "3.8.0"..<"5.0.0")
    ],
    targets: wings + clients + plugins + used + testTargets + [prebuiltTool].compactMap { $0 },
    swiftLanguageModes: [.v6]
)
