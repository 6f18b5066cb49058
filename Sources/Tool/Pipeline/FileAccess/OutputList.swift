import SwiftEmitter

/// The list of the files that a command has written into a folder. It is one of these files.
///
/// The first line of a page says that Errand wrote it, but not for which site: a folder can be above the folder of another site. A
/// run therefore removes only what the list of the run before it has.
package struct OutputList: Sendable {
    /// The name of the list in the folder.
    let name: String
    /// How the names of the files end.
    let suffixes: [String]

    /// A list can have a line for each page of the largest contracts.
    private static let mostBytes = 64 << 20

    package init(name: String, suffixes: [String]) {
        self.name = name
        self.suffixes = suffixes
    }

    /// The list of these files, as a file.
    package func file(of files: [OutputFile]) -> OutputFile {
        let lines = [GeneratedMarker.line(as: .list)] + files.map(\.path).sorted()
        return OutputFile(path: name, text: lines.joined(separator: "\n") + "\n")
    }

    /// The files that the list in a folder has; none without a list.
    ///
    /// Anyone can have edited the list. It names nothing outside of the folder, nothing in a folder of a folder, and no hidden file.
    func paths(in folder: String) throws(SystemFailure) -> [String] {
        let path = folder + "/" + name
        guard try SystemCall.kind(of: path, followingLinks: false) == .file,
            let bytes = try SystemCall.read(path, limit: Self.mostBytes), GeneratedMarker.isPresent(in: bytes)
        else { return [] }
        let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
        return lines.dropFirst().map(String.init).filter(isPossible)
    }

    private func isPossible(_ path: String) -> Bool {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        return parts.count <= 2 && suffixes.contains(where: path.hasSuffix)
            && parts.allSatisfy { !$0.isEmpty && !$0.hasPrefix(".") && !$0.contains("\0") }
    }
}
