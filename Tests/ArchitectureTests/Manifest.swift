import Foundation

/// The targets of `Package.swift`, as SwiftPM reads them.
struct Manifest {
    struct Target: Equatable {
        var name: String
        /// `regular`, `executable`, `system`, `test` or `plugin`.
        var kind = "regular"
        /// The folder, if the manifest names it.
        var path: String?
        /// The targets of this package that it uses.
        var targets: [String] = []
        /// The products of other packages that it uses.
        var products: [Product] = []

        /// The folder of `Sources` that has the target, if it is there.
        var wing: String? {
            let parts = (path ?? "").split(separator: "/").map(String.init)
            return parts.count == 3 && parts[0] == "Sources" ? parts[1] : nil
        }
        /// The names of what it may import besides modules of the system.
        var modules: Set<String> { Set(targets + products.map(\.name)) }
    }

    struct Product: Equatable {
        var name: String
        var package: String
    }

    /// In the order of the manifest.
    var targets: [Target]

    /// The targets in `Sources`.
    var inWings: [Target] { targets.filter { $0.wing != nil } }

    subscript(_ name: String) -> Target? { targets.first { $0.name == name } }

    /// The targets of the wings that use a target.
    func users(of name: String) -> [String] {
        inWings.filter { $0.targets.contains(name) }.map(\.name).sorted()
    }

    /// The manifest of this checkout. SwiftPM reads it once for all tests.
    static func ofCheckout() throws -> Manifest { try checkout.get() }

    private static let checkout = Result { try read() }

    private static func read() throws -> Manifest {
        let process = Process()
        let scratch = FileManager.default.temporaryDirectory.appendingPathComponent("manifest-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: scratch) }
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        // A folder of its own, because a build may hold the lock of the checkout's.
        process.arguments = [
            "swift", "package", "--package-path", SourceTree.root.path, "--scratch-path", scratch.path, "dump-package",
        ]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0,
            let dump = try JSONSerialization.jsonObject(with: bytes) as? [String: Any],
            let targets = dump["targets"] as? [[String: Any]]
        else { throw Unreadable(status: process.terminationStatus) }
        return Manifest(targets: try targets.map(target))
    }

    private static func target(_ dump: [String: Any]) throws -> Target {
        guard let name = dump["name"] as? String, let kind = dump["type"] as? String,
            let dependencies = dump["dependencies"] as? [[String: [Any]]]
        else { throw Unreadable(status: 0) }
        var target = Target(name: name, kind: kind, path: dump["path"] as? String)
        for (form, values) in dependencies.joined() {
            let names = values.prefix(2).compactMap { $0 as? String }
            switch (form, names.count) {
            case ("product", 2): target.products.append(Product(name: names[0], package: names[1]))
            case ("byName", 1...), ("target", 1...): target.targets.append(names[0])
            default: throw Unreadable(status: 0)
            }
        }
        return target
    }

    struct Unreadable: Error {
        var status: Int32
    }
}
