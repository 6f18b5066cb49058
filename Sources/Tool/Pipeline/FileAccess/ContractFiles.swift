import ContractModel
import Diagnostics

/// Reads contracts, or the files of a document, from the disk, each once, and keeps their bytes, so that an excerpt shows what was decoded.
package final class ContractFiles: SourceProvider {
    private let boundary: ProjectBoundary
    /// The bytes that one file may have, and all together.
    private let most: (one: Int, all: Int)
    private var cache: [String: SourceReading] = [:]
    private var byteCount = 0

    package init(_ boundary: ProjectBoundary, isDocument: Bool = false) {
        self.boundary = boundary
        let one = isDocument ? boundary.limits.documentBytes : boundary.limits.fileBytes
        most = (one, 2 * one)
    }

    package func read(_ path: String) -> SourceReading {
        if let known = cache[path] { return known }
        var reading = boundary.read(path, as: path, limit: most.one)
        if case .bytes(let bytes) = reading {
            byteCount += bytes.count
            if byteCount > most.all {
                reading = .failure(
                    rule: .fileTooLarge,
                    message: "the files of this run have more than \(SizeLimits.text(most.all)) together",
                    help: "name fewer contracts, or raise the limit of a file, which raises this one as well")
            }
        }
        cache[path] = reading
        return reading
    }

    /// The files that were read, and those that could not be.
    package var paths: some Sequence<String> { cache.keys }

    /// The bytes of a file that was read, for an excerpt.
    package func bytes(of path: String) -> [UInt8]? {
        guard case .bytes(let bytes)? = cache[path] else { return nil }
        return bytes
    }

    /// The texts that findings point into, of the files that were read.
    package func sources(of findings: [Diagnostic]) -> [String: [UInt8]] {
        var sources: [String: [UInt8]] = [:]
        for file in Set(findings.map(\.file)) { sources[file] = bytes(of: file) }
        return sources
    }

    /// Replaces or creates a file in one step, at a path that the command line names. A link is not followed.
    package static func replace(
        _ path: String, with bytes: [UInt8], in boundary: ProjectBoundary, makesFolder: Bool = false
    ) -> [Diagnostic] {
        // The file itself may be a link, which is said below. Its folder must be where its path says.
        if let refusal = boundary.finding(aboutWriting: FilePath.folder(of: path)) { return [refusal] }
        do {
            let kind = try SystemCall.kind(of: path, followingLinks: false)
            guard kind == nil || kind == .file else {
                return [
                    Diagnostic(
                        rule: .outputIsALink, message: "`\(path)` is not a file that can be replaced", file: path,
                        help: "name a file, and not a link to one")
                ]
            }
            if makesFolder { try SystemCall.makeFolder(FilePath.folder(of: path)) }
            let new = path + ".errand-new-\(SystemCall.processNumber)"
            try SystemCall.remove(new)
            try SystemCall.create(new, bytes)
            try SystemCall.replace(path, by: new)
            return []
        } catch {
            return [
                Diagnostic(rule: .outputUnwritable, message: "`\(path)` cannot be written: \(error.text)", file: path)
            ]
        }
    }

    // MARK: Which contracts there are

    /// The contracts at the paths: files as they are, folders with every `*.contract.yaml` below them.
    package static func find(
        _ paths: [String], in boundary: ProjectBoundary
    ) -> (files: [String], diagnostics: [Diagnostic]) {
        var files: [String] = []
        var diagnostics: [Diagnostic] = []
        for path in paths {
            let trimmed = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
            // Nothing is said of what is at a place outside, nor whether anything is.
            if let refusal = boundary.refusal(ofReading: trimmed) {
                diagnostics.append(refusal)
                continue
            }
            do {
                switch try SystemCall.kind(of: trimmed) {
                case nil:
                    diagnostics.append(
                        Diagnostic(
                            rule: .missingFile, message: "there is no contract or folder `\(path)`", file: path,
                            help: path == "contracts" ? whereContractsAre : nil))
                case .folder:
                    let found = try contracts(below: trimmed, depth: 0)
                    if found.isEmpty {
                        diagnostics.append(
                            Diagnostic(
                                rule: .noContracts, message: "the folder `\(path)` does not contain a contract",
                                file: path,
                                help: "end the name of each contract in `.contract.yaml`"))
                    }
                    files += found
                default: files.append(trimmed)
                }
            } catch {
                diagnostics.append(
                    Diagnostic(rule: .unreadableFile, message: "`\(path)` cannot be read: \(error.text)", file: path))
            }
        }
        var seen = Set<String>()
        return (files.filter { seen.insert($0).inserted }, diagnostics)
    }

    /// The advice if the usual place has no contracts.
    private static var whereContractsAre: String {
        guard let found = try? contracts(below: "Sources", depth: 28), let first = found.first else {
            return
                "write a first contract with `errand init`, name the contracts as arguments, or set `contracts:` in errand.yaml"
        }
        return "name them, as in `\(first)`, or run the command in the folder of their target"
    }

    /// The contracts of the working folder, where it is the folder of a target that has some among its sources; none where it
    /// is a package's.
    static func ofThisTarget(hasConfiguration: Bool) -> (files: [String], areHere: Bool) {
        guard (try? SystemCall.kind(of: "contracts")) != .folder,
            let names = try? SystemCall.names(in: ".")
        else { return ([], false) }
        let areHere = names.contains { !$0.hasPrefix(".") && isContract($0) }
        guard areHere || hasConfiguration, let found = try? contracts(below: ".", depth: 0) else { return ([], false) }
        return (found, areHere)
    }

    /// Whether an argument that could be a name is the path of contracts.
    package static func isPath(_ argument: String) -> Bool {
        if argument.contains("/") || argument.contains(".") { return true }
        guard let kind = try? SystemCall.kind(of: argument) else { return false }
        guard kind == .folder else { return true }
        return (try? contracts(below: argument, depth: 28))?.isEmpty == false
    }

    package static func isContract(_ name: String) -> Bool {
        name.hasSuffix(".contract.yaml") || name.hasSuffix(".contract.yml")
    }

    private static func contracts(below folder: String, depth: Int) throws(SystemFailure) -> [String] {
        guard depth < 32 else { return [] }
        var found: [String] = []
        for name in try SystemCall.names(in: folder) where !name.hasPrefix(".") {
            let path = folder == "." ? name : folder + "/" + name
            if isContract(name) {
                found.append(path)
            } else if try SystemCall.kind(of: path, followingLinks: false) == .folder {
                found += try contracts(below: path, depth: depth + 1)
            }
        }
        return found
    }
}
