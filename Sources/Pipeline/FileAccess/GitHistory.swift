import ContractModel
import Diagnostics

/// The files of a git repository as they were at a commit. Paths are relative to the repository's top.
///
/// A file outside the repository has no history, and is read in its current state.
struct GitHistory: SourceProvider {
    private let top: String
    /// Path → the entry at that commit.
    private let entries: [String: Entry]

    private struct Entry {
        var isLink: Bool
        var object: String
    }

    /// The reason why no history is available: git's message, or that git is missing.
    struct Unusable: Error {
        var message: String
        var help: String?
    }

    /// The tree of the commit that a reference names, in the repository of the working folder.
    init(_ reference: String) throws(Unusable) {
        top = try Self.line(["rev-parse", "--show-toplevel"]) { said in
            said.contains("not a git repository")
                ? Unusable(
                    message: "this folder is not in a git repository",
                    help: "run the command in a repository, or use `--baseline FILE`")
                : Unusable(message: "git cannot find the repository: \(Self.reason(said))")
        }
        guard !reference.isEmpty, !reference.hasPrefix("-"), !reference.contains("\0"), !reference.contains("..") else {
            throw Unusable(
                message: "`\(reference)` is not the name of a commit",
                help: "write a name such as `git:origin/main`, `git:HEAD~1` or `git:v1.2.0`")
        }
        let commit: String
        do {
            commit = try Self.line(["rev-parse", "--verify", "--quiet", reference + "^{commit}"]) { _ in
                Unusable(message: "")
            }
        } catch {
            let isShallow = try? Self.line(["rev-parse", "--is-shallow-repository"]) { _ in Unusable(message: "") }
            throw isShallow == "true"
                ? Unusable(
                    message: "the repository is a shallow clone without `\(reference)`",
                    help: "fetch the whole history: `git fetch --unshallow`, or `fetch-depth: 0` for actions/checkout")
                : Unusable(
                    message: "the repository has no commit `\(reference)`",
                    help: "run `git fetch` to get the commits of others")
        }
        let listing = try Self.bytes(["ls-tree", "-r", "-z", "--full-tree", commit]) { said in
            Unusable(message: "git cannot list the files of `\(reference)`: \(Self.reason(said))")
        }
        var entries: [String: Entry] = [:]
        for record in listing.split(separator: 0) {
            // `100644 blob OBJECT<tab>PATH`
            guard let tab = record.firstIndex(of: 9) else { continue }
            let words = record[..<tab].split(separator: 32).map { String(decoding: $0, as: UTF8.self) }
            guard words.count == 3, words[1] == "blob" else { continue }
            entries[String(decoding: record[(tab + 1)...], as: UTF8.self)] = Entry(
                isLink: words[0] == "120000", object: words[2])
        }
        self.entries = entries
    }

    /// The path of a current file from the repository's top; `nil` if it is outside.
    func path(of file: String) -> String? {
        guard let full = SystemCall.fullPath(of: file), full.hasPrefix(top + "/") else { return nil }
        return String(full.dropFirst(top.count + 1))
    }

    func has(_ path: String) -> Bool { entries[path] != nil }

    /// The contracts that were there and are gone today, so that one of them may have another name now.
    var goneContracts: [String] {
        entries.keys.filter { path in
            (path.hasSuffix(".contract.yaml") || path.hasSuffix(".contract.yml"))
                && SystemCall.fullPath(of: top + "/" + path) == nil
        }.sorted()
    }

    func read(_ path: String) -> SourceReading {
        if path == ".." || path.hasPrefix("../") { return ContractFiles.readFromDisk(top + "/" + path) }
        var path = path
        for _ in 0..<8 {
            guard let entry = entries[path] else { break }
            do {
                let bytes = try Self.bytes(["cat-file", "blob", entry.object]) { Unusable(message: Self.reason($0)) }
                guard entry.isLink else { return .bytes(bytes) }
                path = ContractLoader.joined(folderOf: path, String(decoding: bytes, as: UTF8.self))
            } catch {
                return .failure(
                    rule: .unreadableFile, message: "git does not have `\(path)`: \(error.message)", help: nil)
            }
        }
        return .failure(rule: .missingFile, message: "there was no file `\(path)`", help: nil)
    }

    // MARK: Git

    private static func line(_ arguments: [String], _ failure: (String) -> Unusable) throws(Unusable) -> String {
        let text = String(decoding: try bytes(arguments, failure), as: UTF8.self)
        return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }

    private static func bytes(_ arguments: [String], _ failure: (String) -> Unusable) throws(Unusable) -> [UInt8] {
        do {
            let run = try ChildProcess("git", ["--no-optional-locks", "-c", "core.quotePath=false"] + arguments)
            guard run.status == 0 else { throw failure(run.complaints) }
            return run.output
        } catch let failure as SystemFailure {
            throw Unusable(message: "git cannot be run: \(failure.text)", help: "install git, or use `--baseline FILE`")
        } catch let unusable as Unusable {
            throw unusable
        } catch {
            throw Unusable(message: "git cannot be run: \(error)")
        }
    }

    /// The last thing that git said, without the word before it.
    private static func reason(_ complaints: String) -> String {
        let line = complaints.split(whereSeparator: \.isNewline).last.map(String.init) ?? "git gave no reason"
        return line.hasPrefix("fatal: ") ? String(line.dropFirst("fatal: ".count)) : line
    }
}
