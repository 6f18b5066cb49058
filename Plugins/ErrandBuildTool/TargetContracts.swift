import Foundation
import PackagePlugin

/// The contracts among a target's files, and what belongs to them. The plugins handle names of files, and do not read contracts.
///
/// Plugins cannot import a module. A file that several of them use belongs to one, and the others have a link to it.
struct TargetContracts {
    let files: [URL]
    let folder: URL
    let target: String
    /// In the order of their paths.
    let contracts: [URL]

    init(files: some Sequence<URL>, folder: URL, target: String) {
        self.files = Array(files)
        self.folder = folder
        self.target = target
        contracts = self.files.filter { Self.isContract($0.lastPathComponent) }.sorted { $0.path < $1.path }
    }

    /// The files that affect the contracts' generation: `errand.yaml` of the folder, and templates.
    var configuration: [URL] {
        files.filter { relative($0) == "errand.yaml" || $0.pathExtension == "mustache" }
    }

    /// The path below the target's folder.
    func relative(_ file: URL) -> String {
        let base = folder.path.hasSuffix("/") ? folder.path : folder.path + "/"
        return file.path.hasPrefix(base) ? String(file.path.dropFirst(base.count)) : file.path
    }

    /// The path below the target's folder as an argument of the tool, which a file's name cannot make an option of.
    func argument(_ file: URL) -> String { Self.argument(relative(file)) }

    static func argument(_ path: String) -> String { path.hasPrefix("-") ? "./" + path : path }

    /// A contract that the manifest excludes.
    var hidden: URL? { Self.files(below: folder).first { Self.isContract($0.lastPathComponent) } }

    /// The message that no contract exists, with advice.
    var missing: String {
        if let hidden {
            return
                "`\(relative(hidden))` is no source of the target `\(target)`, so Errand does not see it; do not exclude it in Package.swift"
        }
        return
            "the target `\(target)` has no contract, so no client is made; "
            + "`swift package --allow-writing-to-package-directory errand-init --target \(target)` writes a first one"
    }

    /// Everything in a folder but what is hidden.
    static func files(below folder: URL) -> [URL] {
        // By names, since the URLs of the enumerator may spell the folder differently.
        let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return names.filter { name in !name.split(separator: "/").contains { $0.hasPrefix(".") } }.map(
            folder.appendingPathComponent)
    }

    static func isContract(_ name: String) -> Bool {
        name.hasSuffix(".contract.yaml") || name.hasSuffix(".contract.yml")
    }

    /// The prefix of the names of the generated files: `my-bank.contract.yaml` makes `MyBank.swift`.
    static func stem(of contract: URL) -> String {
        let name = contract.lastPathComponent.components(separatedBy: ".contract.y").first ?? ""
        let words = name.split { !$0.isLetter && !$0.isNumber }
        let stem = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        return stem.isEmpty ? "Client" : stem
    }

    /// The folder of `errand.yaml`, or the deepest one that all contracts are below.
    static func commonFolder(of files: [URL]) -> URL? {
        if let configuration = files.first(where: { $0.lastPathComponent == "errand.yaml" }) {
            return configuration.deletingLastPathComponent()
        }
        let folders = files.filter { isContract($0.lastPathComponent) }.map {
            $0.deletingLastPathComponent().pathComponents
        }
        guard var shared = folders.first else { return nil }
        for folder in folders { shared = zip(shared, folder).prefix { $0 == $1 }.map(\.0) }
        return URL(fileURLWithPath: NSString.path(withComponents: shared), isDirectory: true)
    }
}
