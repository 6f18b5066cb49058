import Diagnostics
import SwiftEmitter

/// The planned changes of a run to the output folder. All decisions are made here before the first byte is written.
package struct OutputChanges: Sendable {
    /// Files to write: new ones and those whose content differs.
    package var added: [OutputFile] = []
    package var changed: [OutputFile] = []
    package var unchanged: [String] = []
    /// Files of earlier runs that no contract makes any more, by their path below the folder.
    package var leftovers: [String] = []
    /// Why nothing may be written.
    package var diagnostics: [Diagnostic] = []

    package init() {}

    package var isEmpty: Bool { added.isEmpty && changed.isEmpty && leftovers.isEmpty }
}

/// The folder that generated code is written into.
///
/// A file is replaced atomically: its new content goes into a temporary file beside it, which then takes its name. All
/// temporary files of a run are complete before the first takes its name, so that a full disk changes nothing. Files
/// without Errand's first line are not Errand's and are never touched.
package struct OutputFolder: Sendable {
    package let path: String
    private let kinds: Kinds
    private static let temporaryPrefix = ".errand-new-"

    /// How a command knows the files of its earlier runs, which it removes if nothing makes them any more.
    package enum Kinds: Sendable {
        /// Generated code: each file of Errand in the folders of services.
        case code
        /// The files that the list of the last run has.
        case listed(OutputList)
    }

    package init(path: String, for kinds: Kinds = .code) {
        self.kinds = kinds
        // Nothing at all is the working folder, and not the root of the disk.
        self.path = path.isEmpty ? "." : path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }

    /// Decides and writes while no other run of Errand works in the folder. A run that was killed leaves temporary files, so
    /// without this lock a run could remove a file that another run is about to rename.
    package func alone(isCheck: Bool, _ work: (OutputFolder) -> [Diagnostic]) -> [Diagnostic] {
        do {
            if try SystemCall.kind(of: path) == nil {
                if isCheck { return work(self) }
                try SystemCall.makeFolder(path)
            }
            let lock = try FolderLock(path)
            return withExtendedLifetime(lock) { work(self) }
        } catch {
            return [failure("cannot be written", path, error)]
        }
    }

    // MARK: Deciding

    /// Compares what is there with what should be.
    ///
    /// - Parameter services: the folders below this one in which leftovers are looked for; `nil` looks in all of them.
    package func changes(for files: [OutputFile], services: Set<String>?) -> OutputChanges {
        var changes = OutputChanges()
        do {
            guard try isUsable(&changes) else { return changes }
            for folder in Set(files.map { Self.folder(of: $0.path) }).sorted() where !folder.isEmpty {
                if try SystemCall.kind(of: full(folder), followingLinks: false) == .link {
                    changes.diagnostics.append(
                        Diagnostic(
                            rule: .outputIsALink,
                            message: "`\(full(folder))` is a link, and Errand writes only inside `\(path)`",
                            file: full(folder), help: "remove the link, or name its target with `--output`"))
                }
            }
            for file in files { try compare(file, &changes) }
            changes.leftovers = try leftovers(besides: Set(files.map(\.path)), in: services)
        } catch {
            changes.diagnostics.append(failure("cannot be read", path, error))
        }
        return changes
    }

    /// Whether the folder is one, or can become one.
    private func isUsable(_ changes: inout OutputChanges) throws(SystemFailure) -> Bool {
        switch try SystemCall.kind(of: path) {
        case nil, .folder: return true
        default:
            changes.diagnostics.append(
                Diagnostic(
                    rule: .outputIsAFile,
                    message: "`\(path)` is a file, and generated files need a folder",
                    file: path, help: "name a folder with `--output`"))
            return false
        }
    }

    private func compare(_ file: OutputFile, _ changes: inout OutputChanges) throws(SystemFailure) {
        let full = full(file.path)
        switch try SystemCall.kind(of: full, followingLinks: false) {
        case nil: changes.added.append(file)
        case .file:
            guard let present = try SystemCall.read(full, limit: .max) else { return }
            if present == file.bytes {
                changes.unchanged.append(file.path)
            } else if present.isEmpty || GeneratedMarker.isPresent(in: present) {
                // An empty file, which a full disk or a crash leaves, has nothing to lose.
                changes.changed.append(file)
            } else {
                changes.diagnostics.append(
                    Diagnostic(
                        rule: .foreignFile,
                        message: "`\(full)` already exists, and Errand did not write it",
                        file: full, help: "move it away, or choose another folder with `--output`"))
            }
        default:
            changes.diagnostics.append(
                Diagnostic(
                    rule: .foreignFile, message: "`\(full)` already exists, and is not a file", file: full,
                    help: "move it away, or choose another folder with `--output`"))
        }
    }

    private func leftovers(besides wanted: Set<String>, in services: Set<String>?) throws(SystemFailure) -> [String] {
        guard try SystemCall.kind(of: path) == .folder else { return [] }
        switch kinds {
        case .code: return try code(besides: wanted, in: services)
        case .listed(let list): return try listed(list, besides: wanted)
        }
    }

    private func code(besides wanted: Set<String>, in services: Set<String>?) throws(SystemFailure) -> [String] {
        let small = Self.inSmallLetters(wanted)
        var found: [String] = []
        for service in try SystemCall.names(in: path) where services?.contains(service) ?? true {
            guard try SystemCall.kind(of: full(service), followingLinks: false) == .folder else { continue }
            for name in try SystemCall.names(in: full(service)) {
                let relative = service + "/" + name
                guard !wanted.contains(relative) else { continue }
                if Self.isTemporary(name) {
                    found.append(relative)
                } else if name.hasSuffix(".swift"), try isOwn(relative), try !isSameFile(relative, small) {
                    found.append(relative)
                }
            }
        }
        return found
    }

    private func listed(_ list: OutputList, besides wanted: Set<String>) throws(SystemFailure) -> [String] {
        let known = Dictionary(grouping: Set(try list.paths(in: path)).sorted(), by: Self.folder)
        let small = Self.inSmallLetters(wanted)
        var found: [String] = []
        for folder in Set(known.keys).union(wanted.map(Self.folder)).sorted() {
            guard try SystemCall.kind(of: full(folder), followingLinks: folder.isEmpty) == .folder else { continue }
            for name in try SystemCall.names(in: full(folder)) where Self.isTemporary(name) {
                found.append(folder.isEmpty ? name : folder + "/" + name)
            }
            for file in known[folder] ?? [] where !wanted.contains(file) {
                if try isOwn(file), try !isSameFile(file, small) { found.append(file) }
            }
        }
        return found
    }

    /// Whether a run that was killed left the file before it took its name.
    private static func isTemporary(_ name: String) -> Bool { name.hasPrefix(temporaryPrefix) }

    /// Whether this is a file, and its first line says that Errand wrote it.
    private func isOwn(_ relative: String) throws(SystemFailure) -> Bool {
        guard try SystemCall.kind(of: full(relative), followingLinks: false) == .file,
            let bytes = try SystemCall.read(full(relative), limit: .max)
        else { return false }
        return GeneratedMarker.isPresent(in: bytes)
    }

    private static func inSmallLetters(_ paths: Set<String>) -> [String: String] {
        Dictionary(paths.map { ($0.lowercased(), $0) }) { $1 }
    }

    /// Whether a file of an earlier run is one of the wanted files, on a disk that takes small and capital letters for the same. To
    /// remove it would be to remove the new file.
    private func isSameFile(_ file: String, _ wanted: [String: String]) throws(SystemFailure) -> Bool {
        guard let other = wanted[file.lowercased()],
            try SystemCall.kind(of: full(other), followingLinks: false) != nil
        else { return false }
        let parts = file.split(separator: "/")
        for (position, (part, name)) in zip(parts, other.split(separator: "/")).enumerated() where part != name {
            // A disk that tells them apart has both.
            let names = try SystemCall.names(in: full(parts[..<position].joined(separator: "/")))
            return !(names.contains(String(part)) && names.contains(String(name)))
        }
        return true
    }

    // MARK: Doing

    /// Carries the changes out. If it fails before the files take their names, no file has changed.
    ///
    /// The list of the files takes its name last. Until then, the one before it names what is still to be removed.
    package func apply(_ changes: OutputChanges) -> [Diagnostic] {
        var temporaries: [(temporary: String, final: String)] = []
        func clean() {
            for (temporary, _) in temporaries { try? SystemCall.remove(temporary) }
        }
        for file in changes.added + changes.changed {
            let final = full(file.path)
            let folder = full(Self.folder(of: file.path))
            let name = String(file.path.split(separator: "/").last ?? "")
            let temporary = "\(folder)/\(Self.temporaryPrefix)\(SystemCall.processNumber)-\(name)"
            do {
                try SystemCall.makeFolder(folder)
                temporaries.append((temporary, final))
                try SystemCall.remove(temporary)
                try SystemCall.create(temporary, file.bytes)
            } catch {
                clean()
                return [failure("cannot be written", final, error)]
            }
        }
        func finish(_ isPart: (String) -> Bool) -> [Diagnostic] {
            for (temporary, final) in temporaries where isPart(final) {
                do {
                    try SystemCall.replace(final, by: temporary)
                } catch {
                    clean()
                    return [failure("cannot be replaced", final, error)]
                }
            }
            return []
        }
        var list: String?
        if case .listed(let files) = kinds { list = full(files.name) }
        let problems = finish { $0 != list }
        guard problems.isEmpty else { return problems }
        for leftover in changes.leftovers {
            do {
                try SystemCall.remove(full(leftover))
                SystemCall.removeFolderIfEmpty(full(Self.folder(of: leftover)))
            } catch {
                clean()
                return [failure("cannot be removed", full(leftover), error)]
            }
        }
        return finish { $0 == list }
    }

    // MARK: Paths

    private static func folder(of relative: String) -> String {
        relative.split(separator: "/").dropLast().joined(separator: "/")
    }

    private func full(_ relative: String) -> String { relative.isEmpty ? path : path + "/" + relative }

    private func failure(_ what: String, _ file: String, _ failure: SystemFailure) -> Diagnostic {
        Diagnostic(
            rule: .outputUnwritable, message: "`\(file)` \(what): \(failure.text)", file: file,
            help: "free some space or change the permissions, then run the command again; no file is half written")
    }
}
