#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
@preconcurrency import Glibc  // `environ` is a variable there
#elseif canImport(Musl)
@preconcurrency import Musl
#endif

/// The only place that starts git, in a repository whose files a stranger may have committed.
///
/// Git trusts the configuration of the repository that it finds: the configuration names programs that git runs, for an ssh
/// connection, a hook or a file system monitor. The `.git` of a checkout is made by the person or the build server that cloned it.
/// A folder inside the checkout with the files of a bare repository is made by whoever committed them. Git therefore starts in
/// the folder with the `.git`, refuses repositories without one, connects to nothing, and runs no program.
struct Git {
    /// The folder with the `.git`, without links in its path.
    let folder: String
    private let program: String
    private let environment: [String]

    enum Failure: Error {
        /// No folder from the working folder upwards has a `.git`.
        case noRepository
        /// Git is missing, or the system refuses to start it.
        case notStarted(String)
        /// Git ended with an error, and said why.
        case refused(String)
        /// Git printed more bytes than the caller takes.
        case tooLarge
    }

    /// Finds the repository of a folder, and the program.
    init(around folder: String = ".") throws(Failure) {
        guard let folder = Checkout.top(around: folder) else { throw .noRepository }
        let inherited = Self.inherited()
        let path = Self.searchPath(inherited["PATH"], outside: folder)
        guard let program = path.map({ $0 + "/git" }).first(where: SystemCall.isProgram) else {
            throw .notStarted("no absolute folder of `PATH` has it")
        }
        self.folder = folder
        self.program = program
        environment = Self.environment(inherited, path).map { "\($0.key)=\($0.value)" }.sorted()
    }

    /// Runs git to its end, and returns what it printed.
    ///
    /// - Parameter limit: How many bytes git may print. A program that prints more is ended.
    func output(of arguments: [String], limit: Int) throws(Failure) -> [UInt8] {
        let run: ChildProcess
        do {
            run = try ChildProcess(
                program, ["--no-pager", "-C", folder] + Self.settings.flatMap { ["-c", $0] } + arguments,
                environment: environment, limit: limit)
        } catch {
            throw .notStarted(error.text)
        }
        guard !run.wasTooLong else { throw .tooLarge }
        guard run.status == 0 else { throw .refused(run.complaints) }
        return run.output
    }

    // MARK: What git may do

    /// Settings over those of the repository. The commands in use need none of the programs; the settings make that certain.
    private static let settings = [
        "safe.bareRepository=explicit", "core.quotePath=false", "core.hooksPath=/dev/null", "core.fsmonitor=false",
        "core.pager=cat", "protocol.allow=never", "credential.helper=", "submodule.recurse=false", "gc.auto=0",
        "maintenance.auto=false",
    ]

    /// The variables of git that keep their values: they name the person's own configuration, and bound the search for a
    /// repository. All others would name another repository, a program to run or a file to write.
    private static func isKept(_ name: String) -> Bool {
        guard name.hasPrefix("GIT_") else { return true }
        let kept = [
            "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_COUNT",
            "GIT_CEILING_DIRECTORIES", "GIT_DISCOVERY_ACROSS_FILESYSTEM",
        ]
        return kept.contains(name) || name.hasPrefix("GIT_CONFIG_KEY_") || name.hasPrefix("GIT_CONFIG_VALUE_")
    }

    private static func environment(_ inherited: [String: String], _ path: [String]) -> [String: String] {
        inherited.filter { isKept($0.key) }.merging([
            "PATH": path.joined(separator: ":"),
            // A promised object is not fetched. Versions of git that do not know this have no protocol to fetch it with.
            "GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "", "GIT_TERMINAL_PROMPT": "0",
            "GIT_OPTIONAL_LOCKS": "0",
            // The messages that are looked for are in English.
            "LC_ALL": "C", "LANGUAGE": "C",
        ]) { $1 }
    }

    /// The absolute folders of `PATH` outside the checkout: in any other folder, a stranger could have put a program.
    private static func searchPath(_ path: String?, outside checkout: String) -> [String] {
        (path ?? "/usr/bin:/bin").split(separator: ":").map(String.init).filter { entry in
            guard entry.hasPrefix("/"), let real = SystemCall.fullPath(of: entry) else { return false }
            return !FilePath.isInside(real, checkout)
        }
    }

    private static func inherited() -> [String: String] {
        #if canImport(Darwin)
        var entry: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = _NSGetEnviron().pointee
        #else
        var entry: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = environ
        #endif
        var variables: [String: String] = [:]
        while let current = entry, let text = current.pointee {
            let parts = String(cString: text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { variables[String(parts[0])] = String(parts[1]) }
            entry = current + 1
        }
        return variables
    }
}

/// The checkout of a repository.
enum Checkout {
    /// The nearest folder with a `.git`, from a folder upwards, without links in its path; `nil` if there is none.
    ///
    /// Git never stores a path with a part named `.git`, so a commit cannot make a folder the top of a checkout.
    static func top(around folder: String) -> String? {
        guard var candidate = SystemCall.fullPath(of: folder) else { return nil }
        while (try? SystemCall.kind(of: FilePath.joined(candidate, ".git"), followingLinks: false)) == nil {
            guard candidate != "/" else { return nil }
            candidate = FilePath.folder(of: candidate)
        }
        return candidate
    }
}
