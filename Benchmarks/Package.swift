// swift-tools-version: 6.1
import PackageDescription

// What generating, compiling and parsing cost. A package of its own, so that nothing of it reaches a user's build.

/// Whether the C source of yyjson is there to compare with; `run` looks, and `fetch-yyjson` gets it.
let hasYYJSON = Context.environment["ERRAND_YYJSON"] != nil

var targets: [Target] = [
    // processes: the tool and the compiler
    .executableTarget(name: "GenerationBenchmark", dependencies: ["FigureTables", "SyntheticProjects"]),
    // processes: the tool beside another linter, and edits
    .executableTarget(name: "LintBenchmark", dependencies: ["FigureTables", "SyntheticProjects"]),
    // contracts of any size, and processes that are measured
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
    // the bank on a transport that has the answer already
    .target(name: "InstantBank", dependencies: [.product(name: "BankClient", package: "errand")]),
    // two that do the same work, measured in turns
    .target(name: "MeasuredTurns"),
    // what `instruction-count` runs under callgrind
    .executableTarget(
        name: "InstructionCount", dependencies: ["FeedClient", "FeedDocuments", "InstantBank", "SyntheticProjects"]),
    // figures with their goals, as text and as Markdown
    .target(name: "FigureTables"),
    // seeded documents of the contract `feed`
    .target(name: "FeedDocuments"),
    .target(
        name: "FeedClient",
        dependencies: [
            .product(name: "ErrandRuntime", package: "errand"), .product(name: "ErrandURLSession", package: "errand"),
        ],
        path: "generated/Feed"
    ),
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

let package = Package(
    name: "errand-benchmarks",
    platforms: [.macOS(.v13)],
    dependencies: [
        // Without the tool's trait nothing but this repository is needed.
        .package(name: "errand", path: "..", traits: [])
    ],
    targets: targets,
    swiftLanguageModes: [.v6]
)
