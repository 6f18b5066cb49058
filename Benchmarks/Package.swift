// swift-tools-version: 6.1
import PackageDescription

// Measures what generating, compiling and parsing cost. It is a package of its own, so that no part of it reaches a user's
// build.

/// Whether the C source of yyjson is available to compare with. `run` checks this, and `fetch-yyjson` downloads it.
let hasYYJSON = Context.environment["ERRAND_YYJSON"] != nil
/// Whether AsyncHTTPClient and connections on SwiftNIO are measured too. Their packages are fetched and built only for this.
let hasAsyncHTTPClient = Context.environment["ERRAND_ASYNC_HTTP_CLIENT"] != nil
/// Whether `errand mock` is measured beside FlyingFox, whose package is fetched and built only for this.
let hasFlyingFox = Context.environment["ERRAND_FLYING_FOX"] != nil

var targets: [Target] = [
    // processes: the tool and the compiler
    .executableTarget(name: "GenerationBenchmark", dependencies: ["FigureTables", "SyntheticProjects"]),
    // processes: the tool beside another linter, and edits
    .executableTarget(name: "LintBenchmark", dependencies: ["FigureTables", "SyntheticProjects"]),
    // contracts of any size, and measured processes
    .target(name: "SyntheticProjects"),
    // generated parsers beside others, in one process
    .executableTarget(
        name: "ParserBenchmark",
        dependencies: [
            "FeedClient", "FeedDocuments", "FigureTables", "MeasuredTurns", "CAllocationCount",
            .product(name: "ErrandRuntime", package: "errand"),
        ] + (hasYYJSON ? ["CYYJSON"] : []),
        swiftSettings: hasYYJSON ? [.define("HAS_YYJSON")] : []
    ),
    // commands beside bare calls of their transport, in one process
    .executableTarget(
        name: "PipelineBenchmark",
        dependencies: [
            "FigureTables", "MeasuredTurns", "CAllocationCount", "InstantBank",
            .product(name: "BankClient", package: "errand"),
            .product(name: "ErrandURLSession", package: "errand"),
        ]
    ),
    // reads from the cache beside others that keep responses, in one process, and processes that start with a folder of responses
    .executableTarget(
        name: "CacheBenchmark",
        dependencies: [
            "FeedClient", "FeedDocuments", "FigureTables", "MeasuredTurns", "SyntheticProjects",
            .product(name: "ErrandRuntime", package: "errand"),
        ]
    ),
    // commands over a connection beside the same commands over HTTP, in one process
    .executableTarget(
        name: "ConnectionBenchmark",
        dependencies: [
            "FigureTables", "MeasuredTurns", .product(name: "ErrandRuntime", package: "errand"),
            .product(name: "ErrandConnections", package: "errand"),
        ]
    ),
    // the bank on a transport that already has the response
    .target(name: "InstantBank", dependencies: [.product(name: "BankClient", package: "errand")]),
    // processes: bodies, pages and events over sockets, beside plain code and curl
    .executableTarget(name: "FlowBenchmark", dependencies: ["FigureTables", "SyntheticProjects"]),
    // one contender, which does one job
    .executableTarget(
        name: "FlowContender",
        dependencies: ["FlowClient"]
            + (hasAsyncHTTPClient
                ? [
                    .product(name: "ErrandJSON", package: "errand"),
                    .product(name: "ErrandAsyncHTTPClient", package: "errand"),
                    .product(name: "AsyncHTTPClient", package: "async-http-client"),
                    .product(name: "NIOCore", package: "swift-nio"),
                    .product(name: "NIOFoundationCompat", package: "swift-nio"),
                    .product(name: "NIOPosix", package: "swift-nio"),
                    .product(name: "NIOHTTP1", package: "swift-nio"),
                    .product(name: "NIOWebSocket", package: "swift-nio"),
                    .product(name: "ErrandRuntime", package: "errand"),
                    .product(name: "ErrandConnections", package: "errand"),
                    .product(name: "ErrandWebSocket", package: "errand"),
                ] : []),
        swiftSettings: hasAsyncHTTPClient ? [.define("HAS_ASYNC_HTTP_CLIENT")] : []
    ),
    // the server of the contenders
    .executableTarget(
        name: "FlowServer", cSettings: [.define("_GNU_SOURCE", .when(platforms: [.linux]))],
        linkerSettings: [.linkedLibrary("pthread", .when(platforms: [.linux]))]),
    // two contenders with the same work, measured in turns
    .target(name: "MeasuredTurns"),
    // the program that `gate` runs under callgrind
    .executableTarget(
        name: "InstructionCount",
        dependencies: [
            "CHeapUsage", "FeedClient", "FeedDocuments", "FlowClient", "InstantBank", "SyntheticProjects",
            .product(name: "BankClient", package: "errand"), .product(name: "ErrandRuntime", package: "errand"),
        ]),
    // an app with a client of ten endpoints, whose size is what the runtime costs
    .executableTarget(name: "PlainApp", dependencies: [.product(name: "BankClient", package: "errand")]),
    // figures with their goals, as text and as Markdown
    .target(name: "FigureTables"),
    // seeded documents of the contract `feed`
    .target(name: "FeedDocuments"),
    .target(
        name: "FeedClient",
        dependencies: [
            .product(name: "ErrandRuntime", package: "errand"), .product(name: "ErrandTransport", package: "errand"),
        ],
        path: "generated/Feed"
    ),
    .target(
        name: "FlowClient",
        dependencies: [
            .product(name: "ErrandRuntime", package: "errand"), .product(name: "ErrandTransport", package: "errand"),
        ],
        path: "generated/Flow"
    ),
    // what malloc has given out, on Linux
    .target(name: "CHeapUsage"),
    // counts calls of malloc, on Linux
    .target(name: "CAllocationCount"),
]
if hasYYJSON {
    targets.append(
        .target(
            name: "CYYJSON", path: ".peers/yyjson", exclude: ["LICENSE"], publicHeadersPath: ".",
            cSettings: [.unsafeFlags(["-O3"])]
        )
    )
}

// processes: the mock server beside a plain handler
if hasFlyingFox {
    targets.append(
        .executableTarget(
            name: "MockBenchmark",
            dependencies: ["FigureTables", .product(name: "FlyingFox", package: "FlyingFox")]))
}

// The flow's build has other traits, and no disk.
if !hasAsyncHTTPClient {
    targets.append(
        // durable commands on the disk beside bare inserts, in one process
        .executableTarget(
            name: "OutboxBenchmark",
            dependencies: [
                "FigureTables", "MeasuredTurns",
                .product(name: "ErrandRuntime", package: "errand"),
                .product(name: "ErrandDurable", package: "errand"),
                .product(name: "ErrandOutbox", package: "errand"),
                .product(name: "GRDB", package: "GRDB.swift"),
            ]
        )
    )
}

let package = Package(
    name: "errand-benchmarks",
    platforms: [.macOS(.v13)],
    dependencies: [
        // Without the tool's trait, its packages are not needed.
        .package(
            name: "errand", path: "..", traits: hasAsyncHTTPClient ? ["AsyncHTTPClient", "WebSocket"] : ["Outbox"])
    ]
        + (hasAsyncHTTPClient
            ? [
                .package(url: "https://github.com/swift-server/async-http-client", from: "1.30.0"),
                .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
            ] : [.package(url: "https://github.com/groue/GRDB.swift", from: "7.5.0")])
        + (hasFlyingFox ? [.package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1")] : []),
    targets: targets,
    swiftLanguageModes: [.v6]
)
