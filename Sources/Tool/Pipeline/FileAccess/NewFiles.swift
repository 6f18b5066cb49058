import Diagnostics

/// Files that are written where there is nothing yet, all of them or none.
enum NewFiles {
    /// Writes the files; says what is in the way, or why it cannot be done, and has then written nothing.
    static func write(_ files: [(path: String, text: String)], in boundary: ProjectBoundary) -> [Diagnostic] {
        var present = files.compactMap { boundary.finding(aboutWriting: FilePath.folder(of: $0.path)) }
        guard present.isEmpty else { return present }
        for (path, _) in files {
            do {
                if try SystemCall.kind(of: path, followingLinks: false) != nil { present.append(inTheWay(path)) }
            } catch {
                present.append(unwritable(path, error))
            }
        }
        guard present.isEmpty else { return present }
        var written: [String] = []
        for (path, text) in files {
            do {
                try SystemCall.makeFolder(
                    path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/"))
                try SystemCall.create(path, Array(text.utf8))
                written.append(path)
            } catch {
                for path in written { try? SystemCall.remove(path) }
                return [unwritable(path, error)]
            }
        }
        return []
    }

    private static func inTheWay(_ path: String) -> Diagnostic {
        Diagnostic(
            rule: .fileInTheWay, message: "`\(path)` already exists, and is not overwritten", file: path,
            help: "move it away, or choose another name with `--service`, or another folder")
    }

    private static func unwritable(_ path: String, _ failure: SystemFailure) -> Diagnostic {
        Diagnostic(rule: .outputUnwritable, message: "`\(path)` cannot be written: \(failure.text)", file: path)
    }
}
