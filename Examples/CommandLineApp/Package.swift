// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "command-line-app",
    platforms: [.macOS(.v13)],
    dependencies: [
        // `traits: []`: the client and the runtime, nothing of the tool.
        .package(name: "errand", path: "../..", traits: []),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
    ],
    targets: [
        .executableTarget(
            name: "bank",
            dependencies: [
                .product(name: "BankClient", package: "errand"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        ),
        // a bank to practice with
        .executableTarget(name: "practice-bank", dependencies: [.product(name: "FlyingFox", package: "FlyingFox")]),
    ],
    swiftLanguageModes: [.v6]
)
