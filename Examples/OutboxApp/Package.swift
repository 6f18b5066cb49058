// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "outbox-app",
    platforms: [.macOS(.v13)],
    dependencies: [
        // The client, the runtime and the store on the disk, nothing of the tool.
        .package(name: "errand", path: "../..", traits: ["Outbox"]),
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
    ],
    targets: [
        .executableTarget(
            name: "mailer",
            dependencies: [
                .product(name: "ConversationsClient", package: "errand"),
                .product(name: "ErrandOutbox", package: "errand"),
            ]
        ),
        // a server to practice with
        .executableTarget(name: "practice-chat", dependencies: [.product(name: "FlyingFox", package: "FlyingFox")]),
    ],
    swiftLanguageModes: [.v6]
)
