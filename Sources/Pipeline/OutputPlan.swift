import Diagnostics
import SwiftEmitter

/// What a run would change on disk, known before anything is changed.
///
/// Architecture invariant: a file is replaced or removed only where its first line says that Errand wrote it.
struct OutputPlan {
    struct Write {
        let path: String
        let bytes: [UInt8]
        let isNew: Bool
        /// The position of the contract it belongs to.
        let owner: Int
    }

    private(set) var writes: [Write] = []
    /// Files that an earlier run wrote and that no contract asks for now, with the contract they belonged to.
    private(set) var removals: [(path: String, owner: Int?)] = []
    private(set) var unchanged: [Int: Int] = [:]
    private(set) var problems: [Diagnostic] = []

    private let files: FileAccess
    private let folder: String
    private static let temporarySuffix = ".errand-tmp"

    /// - Parameters:
    ///   - output: the files of each contract.
    ///   - removesStrangers: whether folders of contracts that are no longer there are cleared as well.
    init(_ output: [[OutputFile]], in folder: String, files: FileAccess, removesStrangers: Bool) {
        self.files = files
        self.folder = folder
        var known: Set<String> = []
        var folders: [String: Int] = [:]
        if let problem = Self.problem(ofFolder: folder, files) { problems.append(problem) }
        guard problems.isEmpty else { return }
        for (owner, contract) in output.enumerated() {
            for file in contract {
                known.insert(file.path)
                if let slash = file.path.lastIndex(of: "/") { folders[String(file.path[..<slash])] = owner }
                add(file, owner: owner)
            }
        }
        var places = Array(folders.keys)
        if removesStrangers { places += (try? files.names(in: folder).get()) ?? [] }
        for place in Set(places).sorted() where files.kind(of: join(place)) == .folder {
            findLeftovers(in: place, known: known, owner: folders[place])
        }
    }

    private static func problem(ofFolder folder: String, _ files: FileAccess) -> Diagnostic? {
        switch files.kind(of: folder) {
        case .missing, .folder: nil
        case .file, .other:
            Diagnostic(
                rule: "output-is-a-file", message: "the output `\(folder)` is a file, and a folder is needed", file: folder,
                help: "Remove it, or name another folder with `--output`.")
        }
    }

    private mutating func add(_ file: OutputFile, owner: Int) {
        let path = join(file.path)
        switch files.kind(of: path) {
        case .missing: writes.append(Write(path: path, bytes: file.bytes, isNew: true, owner: owner))
        case .folder, .other: problems.append(inTheWay(path, "is no file"))
        case .file:
            switch files.read(path) {
            case .failure(let problem): problems.append(Diagnostic(problem, file: path))
            case .success(let bytes) where bytes == file.bytes: unchanged[owner, default: 0] += 1
            case .success(let bytes) where GeneratedMarker.isPresent(in: bytes):
                writes.append(Write(path: path, bytes: file.bytes, isNew: false, owner: owner))
            case .success: problems.append(inTheWay(path, "was not written by Errand"))
            }
        }
    }

    private func inTheWay(_ path: String, _ what: String) -> Diagnostic {
        Diagnostic(
            rule: "foreign-file-in-the-way", message: "`\(path)` \(what), and a generated file would take its place",
            file: path, help: "Move it elsewhere, or name another folder with `--output`.")
    }

    private mutating func findLeftovers(in place: String, known: Set<String>, owner: Int?) {
        for name in (try? files.names(in: join(place)).get()) ?? [] where !known.contains("\(place)/\(name)") {
            let path = join("\(place)/\(name)")
            guard files.kind(of: path) == .file else { continue }
            let isTemporary = name.hasPrefix(".") && name.hasSuffix(Self.temporarySuffix)
            // A run that was killed may have left a file without a single byte.
            let start = files.firstBytes(of: path, count: GeneratedMarker.longestLine)
            if GeneratedMarker.isPresent(in: start) || (isTemporary && start.isEmpty) { removals.append((path, owner)) }
        }
    }

    private func join(_ path: String) -> String {
        folder.hasSuffix("/") ? folder + path : folder + "/" + path
    }

    // MARK: Carrying it out

    /// Writes what has changed: first all files under other names, then each in its place at once, so that a full disk
    /// leaves everything as it was and a kill leaves no file half written.
    func carryOut() -> Diagnostic? {
        var prepared: [String] = []
        func giveUp(_ problem: FileProblem, _ path: String) -> Diagnostic {
            for path in prepared { _ = files.remove(path) }
            return Diagnostic(problem, file: path)
        }
        for write in writes {
            let temporary = Self.temporaryPath(write.path)
            if let slash = write.path.lastIndex(of: "/"), let problem = files.makeFolder(String(write.path[..<slash])) {
                return giveUp(problem, write.path)
            }
            prepared.append(temporary)
            if let problem = files.write(write.bytes, toNew: temporary) { return giveUp(problem, write.path) }
        }
        for write in writes {
            if let problem = files.move(Self.temporaryPath(write.path), to: write.path) { return giveUp(problem, write.path) }
        }
        for removal in removals {
            if let problem = files.remove(removal.path) { return Diagnostic(problem, file: removal.path) }
            if let slash = removal.path.lastIndex(of: "/") { files.removeEmptyFolder(String(removal.path[..<slash])) }
        }
        return nil
    }

    private static func temporaryPath(_ path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." + path + temporarySuffix }
        return path[...slash] + "." + path[path.index(after: slash)...] + temporarySuffix
    }
}

extension Diagnostic {
    init(_ problem: FileProblem, file: String) {
        self.init(rule: problem.rule, message: problem.message, file: file, help: problem.help)
    }
}
