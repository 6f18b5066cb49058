import ContractModel
import Diagnostics
import Pipeline

/// Where the contracts of one side of a comparison are: on the disk, or in a commit.
struct DiffPlace {
    let provider: any SourceProvider
    /// The contracts, or the one document, as the provider knows them.
    let paths: [String]
    /// Whether the command line names a file, and not a folder.
    let isOneFile: Bool
    /// The name of a file that a reader knows.
    let name: @Sendable (String) -> String

    /// Whether a side names a commit.
    static func isCommit(_ argument: String) -> Bool { argument.hasPrefix(start) }

    private static let start = "git:"

    init(_ argument: String, _ options: DiffSideOptions) throws(DiffSide.Unusable) {
        guard Self.isCommit(argument) else {
            let found = ContractFiles.find(
                argument.isEmpty ? options.usualPaths : [argument], in: options.boundary)
            guard found.diagnostics.isEmpty else {
                throw DiffSide.Unusable(findings: found.diagnostics.map { Self.explained($0, argument) })
            }
            let isDocument = found.files.count == 1 && !ContractFiles.isContract(found.files[0])
            provider = ContractFiles(options.boundary, isDocument: isDocument)
            paths = found.files
            isOneFile = found.files == [argument]
            name = { $0 }
            return
        }
        let parts = argument.dropFirst(Self.start.count).split(
            separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let reference = String(parts[0])
        let history: GitHistory
        do throws(GitHistory.Unusable) {
            history = try GitHistory(
                reference, options.boundary, base: options.base, alternative: "name a file or a folder")
        } catch {
            throw DiffSide.Unusable(findings: [
                Diagnostic(rule: .unusableHistory, message: error.message, file: argument, help: error.help)
            ])
        }
        let commit = Self.start + reference
        provider = history
        name = { "\(commit):\($0)" }
        if parts.count == 2 {
            paths = try Self.contracts(at: String(parts[1]), in: history, commit)
        } else {
            paths = try Self.contracts(
                usual: options.usualPaths, in: history, commit, mayBeEmpty: options.mayBeEmpty)
        }
        let named = parts.count == 2 ? [String(parts[1])] : options.usualPaths
        isOneFile = named.count == 1 && history.place(of: named[0]) == paths.first || paths == named
    }

    /// Findings of the files, under the names that a reader knows.
    func unusable(_ findings: [Diagnostic], _ texts: [String: [UInt8]]) -> DiffSide.Unusable {
        DiffSide.Unusable(
            findings: findings.map { $0.renamingFiles(name) }.bounded(),
            sources: Dictionary(texts.map { (name($0.key), $0.value) }) { first, _ in first })
    }

    /// Advice for a side that could be meant as a commit.
    private static func explained(_ finding: Diagnostic, _ argument: String) -> Diagnostic {
        guard finding.isOf(.missingFile), !argument.contains("."), finding.help == nil else { return finding }
        return Diagnostic(
            rule: .missingFile, message: finding.message, file: finding.file,
            help: "write `git:\(argument)` for a commit, or the path of a contract or a folder")
    }

    // MARK: Commits

    /// The contracts at a path that the command line names in a commit.
    private static func contracts(
        at path: String, in history: GitHistory, _ commit: String
    ) throws(DiffSide.Unusable) -> [String] {
        let isRelative = path == "." || path.hasPrefix("./")
        var trimmed = path
        while trimmed.count > 1, trimmed.hasSuffix("/") { trimmed.removeLast() }
        guard !path.hasPrefix("/"), !path.contains("\0"), !trimmed.split(separator: "/").contains("..") else {
            throw missing(
                "`\(path)` is not a path in a commit", "\(commit):\(path)",
                "write it from the repository's top, such as `\(commit):contracts`")
        }
        let place = isRelative ? history.place(of: trimmed) : trimmed
        guard let place else {
            throw missing("`\(path)` is outside the repository", "\(commit):\(path)", nil)
        }
        let found = contracts(in: history, place)
        guard found.isEmpty else { return found }
        throw missing(
            "`\(commit)` has no contract `\(path)`", "\(commit):\(path)",
            isRelative
                ? nil : "paths in a commit begin at the repository's top; `\(commit):./\(path)` begins at this folder")
    }

    /// The contracts that the project has usually, as they are in a commit.
    private static func contracts(
        usual paths: [String], in history: GitHistory, _ commit: String, mayBeEmpty: Bool
    ) throws(DiffSide.Unusable) -> [String] {
        var found: [String] = []
        for path in paths {
            guard let place = history.place(of: path) else {
                throw missing(
                    "`\(path)` is outside the repository, so `\(commit)` does not have it", commit,
                    "run the command in the repository of that file")
            }
            found += contracts(in: history, place)
        }
        guard found.isEmpty else { return found.sorted() }
        // Contracts at another path are a mistake. Without any, all services are new.
        if mayBeEmpty, history.contracts(below: "").isEmpty { return [] }
        let names = paths.map { "`\($0)`" }.joined(separator: ", ")
        throw missing(
            "`\(commit)` has no contract at \(names)", commit,
            "name the path that the contracts had, such as `\(commit):contracts`")
    }

    private static func contracts(in history: GitHistory, _ place: String) -> [String] {
        history.has(place) ? [place] : history.contracts(below: place)
    }

    private static func missing(_ message: String, _ file: String, _ help: String?) -> DiffSide.Unusable {
        DiffSide.Unusable(findings: [Diagnostic(rule: .missingFile, message: message, file: file, help: help)])
    }
}

/// Keeps the bytes of all files that are read, so that an excerpt shows what was decoded. Each file is read once.
final class RecordedSource: SourceProvider {
    private let provider: any SourceProvider
    private var readings: [String: SourceReading] = [:]

    init(_ provider: any SourceProvider) { self.provider = provider }

    func read(_ path: String) -> SourceReading {
        if let known = readings[path] { return known }
        let reading = provider.read(path)
        readings[path] = reading
        return reading
    }

    var texts: [String: [UInt8]] {
        readings.compactMapValues { if case .bytes(let bytes) = $0 { bytes } else { nil } }
    }
}
