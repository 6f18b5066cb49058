import Diagnostics

/// The words for what concerns a file as a whole, or libyaml itself.
enum LibraryDiagnostics {
    static func tooOld(_ version: (Int, Int, Int), file: String) -> Diagnostic? {
        let least = EventReader.leastVersion
        guard version < least else { return nil }
        return Diagnostic(
            rule: .yamlLibraryTooOld,
            message: "libyaml \(version.0).\(version.1).\(version.2) is installed; it misreads '?' inside '{…}'",
            file: file,
            help: "install libyaml \(least.0).\(least.1).\(least.2) or later"
        )
    }

    static func outOfMemory(file: String) -> Diagnostic {
        Diagnostic(
            rule: .yamlOutOfMemory,
            message: "there is not enough memory to read the file",
            file: file,
            help: "split it into several files and name them under 'imports'"
        )
    }

    static func tooMany(file: String, unreported: Int) -> Diagnostic {
        Diagnostic(
            rule: .yamlTooManyProblems,
            message: "the file has \(unreported) more problems, which are not shown",
            file: file,
            help: "fix the first ones, and check the file again"
        )
    }

    static func empty(file: String, hasComments: Bool) -> Diagnostic {
        Diagnostic(
            rule: hasComments ? .yamlOnlyComments : .yamlEmptyFile,
            message: hasComments ? "the file contains only comments" : "the file is empty",
            file: file,
            help: "begin the contract with 'errand: 1' and 'service: NAME'"
        )
    }
}
