// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "CommittedClient",
    platforms: [.macOS(.v13)],
    // `traits: []`: nothing but the runtime is fetched and built. In a package of your own:
    // .package(url: "…/errand.git", from: "0.1.0", traits: [])
    dependencies: [.package(name: "errand", path: "../..", traits: [])],
    targets: [
        .target(
            name: "BooksClient", dependencies: [.product(name: "ErrandTransport", package: "errand")],
            path: "generated/Books"
        ),
        .executableTarget(
            name: "Library", dependencies: ["BooksClient", .product(name: "ErrandTesting", package: "errand")]
        ),
    ],
    swiftLanguageModes: [.v6]
)
