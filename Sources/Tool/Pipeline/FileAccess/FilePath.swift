/// Paths as text, without a look at the disk.
package enum FilePath {
    /// The folder that a file is in: `.` of a name, `/` at the root.
    package static func folder(of path: String) -> String {
        let isAbsolute = path.hasPrefix("/")
        let parts = path.split(separator: "/").dropLast()
        if parts.isEmpty { return isAbsolute ? "/" : "." }
        return (isAbsolute ? "/" : "") + parts.joined(separator: "/")
    }

    package static func joined(_ folder: String, _ name: String) -> String {
        if name.hasPrefix("/") { return name }
        return folder == "." ? name : folder.hasSuffix("/") ? folder + name : folder + "/" + name
    }

    /// Whether a path is a folder or below it. Both are absolute, and without links.
    static func isInside(_ path: String, _ folder: String) -> Bool {
        folder == "/" || path == folder || path.hasPrefix(folder + "/")
    }

    /// All parts of a path.
    static func parts(of path: String) -> [Substring] { path.split(separator: "/") }

    /// The parts of a path below a folder that it is in.
    static func parts(of path: String, below folder: String) -> [Substring] {
        path.dropFirst(folder == "/" ? 1 : folder.count + 1).split(separator: "/")
    }
}
