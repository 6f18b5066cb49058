import ContractModel
import Diagnostics

/// The files of a git repository as they were at a commit. Paths are relative to the repository's top.
///
/// A file outside the repository has no history, and is read in its current state, if the run may read it.
package struct GitHistory: SourceProvider {
    private let git: Git
    private let top: String
    private let boundary: ProjectBoundary
    /// The folder that relative paths begin at.
    private let base: String
    /// Path → the entry at that commit.
    private let entries: [String: Entry]

    /// The list of files of a commit with about two million of them.
    private static let longestListing = 256 << 20

    private struct Entry {
        var isLink: Bool
        var object: String
    }

    /// The reason why no history is available: git's message, or that git is missing.
    package struct Unusable: Error {
        package var message: String
        package var help: String?
    }

    /// The tree of the commit that a reference names, in the repository of the working folder.
    ///
    /// - Parameters:
    ///   - base: The working folder.
    ///   - alternative: What a person can do without git, as an imperative.
    package init(
        _ reference: String, _ boundary: ProjectBoundary, base: String = ".",
        alternative: String = "use `--baseline FILE`"
    ) throws(Unusable) {
        self.boundary = boundary
        self.base = base
        do throws(Git.Failure) {
            git = try Git(around: base)
            top = try git.line(["rev-parse", "--show-toplevel"])
        } catch {
            throw Self.unusable(error, alternative) { "git cannot find the repository: \($0)" }
        }
        guard !reference.isEmpty, !reference.hasPrefix("-"), !reference.contains("\0"), !reference.contains("..") else {
            throw Unusable(
                message: "`\(reference)` is not the name of a commit",
                help: "write a name such as `git:origin/main`, `git:HEAD~1` or `git:v1.2.0`")
        }
        let commit: String
        do throws(Git.Failure) {
            commit = try git.line(["rev-parse", "--verify", "--quiet", reference + "^{commit}"])
        } catch {
            throw (try? git.line(["rev-parse", "--is-shallow-repository"])) == "true"
                ? Unusable(
                    message: "the repository is a shallow clone without `\(reference)`",
                    help: "fetch the whole history: `git fetch --unshallow`, or `fetch-depth: 0` for actions/checkout")
                : Unusable(
                    message: "the repository has no commit `\(reference)`",
                    help: "run `git fetch` to get the commits of others")
        }
        do throws(Git.Failure) {
            let listing = try git.output(
                of: ["ls-tree", "-r", "-z", "--full-tree", commit], limit: Self.longestListing)
            entries = Self.entries(of: listing)
        } catch {
            throw Self.unusable(error, alternative) { "git cannot list the files of `\(reference)`: \($0)" }
        }
    }

    private static func entries(of listing: [UInt8]) -> [String: Entry] {
        var entries: [String: Entry] = [:]
        for record in listing.split(separator: 0) {
            // `100644 blob OBJECT<tab>PATH`
            guard let tab = record.firstIndex(of: 9) else { continue }
            let words = record[..<tab].split(separator: 32).map { String(decoding: $0, as: UTF8.self) }
            guard words.count == 3, words[1] == "blob" else { continue }
            entries[String(decoding: record[(tab + 1)...], as: UTF8.self)] = Entry(
                isLink: words[0] == "120000", object: words[2])
        }
        return entries
    }

    /// The path of a current file from the repository's top; `nil` if it is outside.
    func path(of file: String) -> String? {
        guard let full = SystemCall.fullPath(of: file), full.hasPrefix(top + "/") else { return nil }
        return String(full.dropFirst(top.count + 1))
    }

    package func has(_ path: String) -> Bool { entries[path] != nil }

    /// The path from the repository's top of what a path of the command line names, whether or not it exists today; `nil` if it
    /// is outside.
    package func place(of path: String) -> String? {
        guard let folder = SystemCall.fullPath(of: base) else { return nil }
        // A link of today leads to a place that git knows under its own name.
        let full = SystemCall.fullPath(of: FilePath.joined(base, path)) ?? FilePath.joined(folder, path)
        let place = ContractLoader.joined(folderOf: "/", full)
        if place == top { return "" }
        return place.hasPrefix(top + "/") ? String(place.dropFirst(top.count + 1)) : nil
    }

    /// The contracts in a folder and below it, of which the top is the empty path. Hidden folders are left out.
    package func contracts(below folder: String) -> [String] {
        let start = folder.isEmpty ? "" : folder + "/"
        return entries.keys.filter { path in
            guard path.hasPrefix(start), path.hasSuffix(".contract.yaml") || path.hasSuffix(".contract.yml") else {
                return false
            }
            return !path.dropFirst(start.count).split(separator: "/").contains { $0.hasPrefix(".") }
        }.sorted()
    }

    /// The contracts that were there and are gone today, so that one of them may have another name now.
    var goneContracts: [String] {
        entries.keys.filter { path in
            (path.hasSuffix(".contract.yaml") || path.hasSuffix(".contract.yml"))
                && SystemCall.fullPath(of: top + "/" + path) == nil
        }.sorted()
    }

    package func read(_ path: String) -> SourceReading {
        if path == ".." || path.hasPrefix("../") { return boundary.read(top + "/" + path, as: path) }
        var path = path
        for _ in 0..<8 {
            guard let entry = entries[path] else { break }
            do throws(Git.Failure) {
                let bytes = try git.output(of: ["cat-file", "blob", entry.object], limit: boundary.limits.fileBytes)
                guard entry.isLink else { return .bytes(bytes) }
                path = ContractLoader.joined(folderOf: path, String(decoding: bytes, as: UTF8.self))
            } catch .tooLarge {
                return boundary.tooLarge(path)
            } catch {
                let reason = Self.unusable(error, "") { $0 }
                return .failure(
                    rule: .unreadableFile, message: "git does not have `\(path)`: \(reason.message)",
                    help: "Errand lets git fetch nothing; if this is a partial clone, clone without `--filter`")
            }
        }
        return .failure(rule: .missingFile, message: "there was no file `\(path)`", help: nil)
    }

    // MARK: Git

    private static func unusable(
        _ failure: Git.Failure, _ alternative: String, _ refused: (String) -> String
    ) -> Unusable {
        switch failure {
        case .noRepository:
            Unusable(
                message: "this folder is not in a git repository",
                help: "run the command in a repository, or \(alternative)")
        case .notStarted(let reason):
            Unusable(message: "git cannot be run: \(reason)", help: "install git, or \(alternative)")
        case .refused(let complaints): Unusable(message: refused(reason(complaints)))
        case .tooLarge: Unusable(message: refused("the answer is too large"))
        }
    }

    /// The last thing that git said, without the word before it.
    private static func reason(_ complaints: String) -> String {
        let line = complaints.split(whereSeparator: \.isNewline).last.map(String.init) ?? "git gave no reason"
        return line.hasPrefix("fatal: ") ? String(line.dropFirst("fatal: ".count)) : line
    }
}

extension Git {
    /// Runs git to its end, and returns the line that it printed.
    fileprivate func line(_ arguments: [String]) throws(Failure) -> String {
        let text = String(decoding: try output(of: arguments, limit: 1 << 16), as: UTF8.self)
        return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }
}
