import ContractModel
import Diagnostics

/// The files that a run may read and write. Contracts, documents and `errand.yaml` may come from a stranger, and the run's findings
/// may be public, as those of a pull request are.
///
/// A run reads the files of the project: of the folder of `errand.yaml`, else of the checkout, else of the folder that is named.
/// A path counts as the place that its links lead to. `errand.yaml` can add folders of its own checkout, and the command line can
/// add any folder. Git's own files contain credentials on many build servers, and a run never reads or writes them.
///
/// A path of the command line is the person's. If it names a place outside the project, the run uses that place. If it names a
/// place in the project, the place must be there, since a stranger can commit a link to any other place.
package struct ProjectBoundary: Sendable {
    /// The folders, and single files that `errand.yaml` names, without links in their paths.
    private var places: [String] = []
    /// What the command line names, of which a message may say that it does not exist.
    private var named: Set<String> = []
    package let limits: SizeLimits

    /// - Parameters:
    ///   - base: The folder that relative paths begin at.
    ///   - folder: The folder of `errand.yaml`; nil if there is none.
    ///   - configured: The contracts and folders that `errand.yaml` names.
    ///   - limits: The limits that it sets.
    ///   - paths: The contracts, documents and folders with contracts that the command line names.
    ///   - access: What the command line allows.
    init(
        base: String, configuredIn folder: String?, _ configured: [String], _ limits: ConfiguredLimits,
        naming paths: [String], _ access: AccessOptions
    ) {
        self.limits = SizeLimits(limits, access)
        if let folder {
            add(FilePath.joined(base, folder))
        } else if let top = Checkout.top(around: base) {
            places = [top]
        } else if paths.isEmpty {
            add(base)
        }
        named = Set(paths)
        let working = [SystemCall.fullPath(of: base)].compactMap { $0 }
        for path in paths.map({ FilePath.joined(base, $0) }) where !isNamedInside(path) {
            let isFolder = (try? SystemCall.kind(of: path)) == .folder
            let folder = isFolder ? path : FilePath.folder(of: path)
            // An unpacked archive has no `.git`, and may have a link in place of the folder that the command line names.
            if Self.isNamed(path, inside: working), !Self.isReally(folder, inside: working) { continue }
            add(Checkout.top(around: folder) ?? folder)
        }
        for folder in access.folders.map({ FilePath.joined(base, $0) }) where !isNamedInside(folder) { add(folder) }
        guard let folder, let top = Checkout.top(around: FilePath.joined(base, folder)) else { return }
        // What `errand.yaml` names is a stranger's as well: it reaches the files of its checkout, and a link in it reaches no more.
        for path in configured {
            let path = FilePath.joined(base, path)
            guard !isNamedInside(path), let real = SystemCall.fullPath(of: path), FilePath.isInside(real, top) else {
                continue
            }
            add(real)
        }
    }

    /// The files of one folder and of its checkout.
    package init(ofCheckoutAround folder: String) {
        limits = SizeLimits()
        add(Checkout.top(around: folder) ?? folder)
    }

    private mutating func add(_ path: String) {
        guard let real = SystemCall.fullPath(of: path), !contains(real) else { return }
        places.append(real)
    }

    private static func isReally(_ path: String, inside places: [String]) -> Bool {
        guard let real = SystemCall.fullPath(of: path) else { return false }
        return places.contains { FilePath.isInside(real, $0) }
    }

    private func contains(_ real: String) -> Bool { places.contains { FilePath.isInside(real, $0) } }

    // MARK: Where a path leads

    enum Destination: Equatable {
        /// A place in the project, without links in its path.
        case inside(String)
        /// A place in the project where nothing is.
        case nothing
        case outside
        /// A place outside, or none at all, that a link in the project leads to.
        case linkedOutside
        case git
    }

    /// Where a path leads, as the system would follow it. The answer for a place outside is the same whether a file is there or not.
    func destination(of path: String) -> Destination {
        var folder = path
        var rest: [String] = []
        while true {
            if let real = SystemCall.fullPath(of: folder) {
                // Behind a folder that does not exist yet, `..` leads anywhere once it does.
                guard !rest.contains("..") else { return .outside }
                let full = rest.reduce(real) { FilePath.joined($0, $1) }
                guard let place = places.first(where: { FilePath.isInside(full, $0) }) else {
                    if isNamedInside(path) { return .linkedOutside }
                    return named.contains(path) && !rest.isEmpty ? .nothing : .outside
                }
                if FilePath.parts(of: full, below: place).contains(where: Self.isGits) { return .git }
                return rest.isEmpty ? .inside(full) : .nothing
            }
            // A link to nothing tells nothing about where it leads.
            if (try? SystemCall.kind(of: folder, followingLinks: false)) == .link { return .linkedOutside }
            guard folder != "/", folder != "." else { return .outside }
            rest.insert(String(folder.split(separator: "/").last ?? ""), at: 0)
            folder = FilePath.folder(of: folder)
        }
    }

    private static func isGits(_ part: Substring) -> Bool { part.lowercased() == ".git" }

    /// Whether a path, by its text, is one of the project.
    private func isNamedInside(_ path: String) -> Bool { Self.isNamed(path, inside: places) }

    private static func isNamed(_ path: String, inside places: [String]) -> Bool {
        let absolute = path.hasPrefix("/") ? path : (SystemCall.fullPath(of: ".") ?? "/") + "/" + path
        // `joined` resolves `..`, and the folder that it begins at has no links.
        var folder = ContractLoader.joined(folderOf: "/", absolute)
        while true {
            if isReally(folder, inside: places) { return true }
            guard folder != "/", !folder.isEmpty else { return false }
            folder = FilePath.folder(of: folder)
        }
    }

    // MARK: Reading

    /// A file of the project as it is now. Others are refused without a look at them.
    ///
    /// - Parameter name: How messages call it.
    package func read(_ path: String, as name: String? = nil) -> SourceReading {
        read(path, as: name ?? path, limit: limits.fileBytes)
    }

    /// The same for a file that is never large: a template or `errand.yaml`.
    package func readSmall(_ path: String) -> SourceReading { read(path, as: path, limit: SizeLimits.smallFileBytes) }

    func read(_ path: String, as name: String, limit: Int) -> SourceReading {
        switch destination(of: path) {
        case .inside(let real): return FileReading.read(real, as: name, limit: limit)
        case .nothing: return FileReading.absence(of: path, as: name)
        case let destination:
            let refusal = Self.refusal(destination, name)
            return .failure(rule: .outsideProject, message: refusal.message, help: refusal.help)
        }
    }

    /// The reading of a file that has more bytes than one may have.
    func tooLarge(_ name: String) -> SourceReading { FileReading.tooLarge(name, limits.fileBytes) }

    /// A file that the command line names for another purpose than as a contract: a baseline.
    package func readNamed(_ path: String) -> SourceReading {
        isNamedInside(path) ? read(path) : FileReading.read(path, as: path, limit: limits.fileBytes)
    }

    /// Why a file is not read that the command line names for another purpose than as a contract; `nil` if it is.
    func refusal(ofReadingNamed path: String) -> Diagnostic? {
        isNamedInside(path) ? refusal(ofReading: path) : nil
    }

    /// Why a folder's files are not read; `nil` if they are, and if it does not exist.
    package func refusal(ofReading folder: String) -> Diagnostic? {
        switch destination(of: folder) {
        case .inside, .nothing: return nil
        case let destination:
            let refusal = Self.refusal(destination, folder)
            return Diagnostic(rule: .outsideProject, message: refusal.message, file: folder, help: refusal.help)
        }
    }

    private static func refusal(_ destination: Destination, _ name: String) -> (message: String, help: String) {
        let allowing =
            "`allow:` in errand.yaml allows a folder of the same repository, and `--allow-folder` any folder"
        switch destination {
        case .git: return ("`\(name)` is one of git's own files", "write it elsewhere in the project")
        case .linkedOutside: return ("`\(name)` is a link that leads out of the project", allowing)
        default: return ("`\(name)` is outside the project", allowing)
        }
    }

    // MARK: Writing

    /// Why nothing is written at a path; `nil` if it can be.
    ///
    /// - Parameter isNamed: Whether the command line names the path, or nothing does, and not `errand.yaml`.
    func refusal(ofWriting path: String, isNamed: Bool) -> (message: String, help: String)? {
        switch destination(of: path) {
        case .inside, .nothing: return nil
        case .git: return Self.refusal(.git, path)
        case .linkedOutside:
            return ("`\(path)` is a link that leads out of the project", "remove the link, or name its target")
        case .outside:
            if isNamed, !FilePath.parts(of: path).contains(where: Self.isGits) {
                // Without a repository, a link in the working folder may be a stranger's as well.
                let working = ofWorkingFolder
                return working.places == places ? nil : working.refusal(ofWriting: path, isNamed: true)
            }
            return (
                "`\(path)` is outside the project, and nothing is written there",
                "name a folder in the project, or name this one on the command line"
            )
        }
    }

    private var ofWorkingFolder: ProjectBoundary {
        var boundary = self
        boundary.places = [SystemCall.fullPath(of: ".")].compactMap { $0 }
        return boundary
    }

    /// The same as a finding about the path.
    package func finding(aboutWriting path: String, isNamed: Bool = true) -> Diagnostic? {
        refusal(ofWriting: path, isNamed: isNamed).map {
            Diagnostic(rule: .outsideProject, message: $0.message, file: path, help: $0.help)
        }
    }
}

/// What the command line allows a run beyond the project and the usual sizes.
package struct AccessOptions: Sendable {
    /// Folders whose files may be read.
    package var folders: [String] = []
    /// The largest contract, in MiB.
    package var megabytes: Int?
    /// How many endpoints the contracts of a run may have.
    package var endpoints: Int?

    package init() {}
}
