import ContractChecks
import ContractModel
import Diagnostics
import Pipeline

/// A folder with the contracts below it and its `errand.yaml`: what `errand lint` sees when it is run there.
final class Project {
    /// Absolute; `/` at least.
    let root: String
    let configuration: ProjectConfiguration
    /// The problems of `errand.yaml`. The conventions apply meanwhile.
    let configurationFindings: [Diagnostic]
    /// The text of `errand.yaml`.
    let configurationTexts: TextsRead
    /// The files that the project may use.
    let boundary: ProjectBoundary
    private let sources: ProjectSources
    private let analyzer: ContractAnalyzer
    private var looks: [String: ContractLook] = [:]
    /// The last look at each contract that could be read, and the last that had no error.
    private var readable: [String: ContractLook] = [:]
    private var whole: [String: ContractLook] = [:]
    /// How many contracts were analyzed; a test holds that one edit costs one.
    private(set) var analysisCount = 0

    init(root: String, _ texts: OpenTexts, _ access: AccessOptions) {
        self.root = root
        let file = Self.path(of: ProjectConfiguration.fileName, in: root)
        let reading = texts.readConfiguration(file)
        var loaded = ProjectConfiguration.load(reading)
        loaded.configuration?.folder = loaded.sources.isEmpty ? nil : root
        configurationTexts = TextsRead([file: reading])
        configuration = loaded.configuration ?? ProjectConfiguration()
        boundary = ProjectBoundary(base: root, configuration, naming: [root], access)
        configurationFindings =
            loaded.diagnostics
            + boundary.findings(in: configuration, base: root, of: Set(ProjectBoundary.PathKey.allCases))
        sources = ProjectSources(root: root, texts, boundary)
        analyzer = ContractAnalyzer(
            provider: sources, settings: configuration.lint, customization: configuration.customization,
            mostEndpoints: boundary.limits.endpoints)
    }

    /// Where a file that findings name is.
    func path(of name: String) -> String { sources.path(of: name) }

    /// A contract in its current state. It is analyzed once for any number of requests.
    func look(at path: String) -> ContractLook {
        if let known = looks[path] { return known }
        sources.begin()
        analysisCount += 1
        let analysis = analyzer.analyze(name(of: path))
        let look = ContractLook(analysis: analysis, texts: TextsRead(sources.readings))
        looks[path] = look
        if look.examination.written != nil { readable[path] = look }
        if look.examination.resolved != nil { whole[path] = look }
        return look
    }

    /// The contract as it is now, or as it was when it could last be read: a line that is being typed is often no YAML, and
    /// what is elsewhere is still wanted.
    func readableLook(at path: String) -> ContractLook {
        let look = look(at: path)
        return look.examination.written == nil ? readable[path] ?? look : look
    }

    /// The same for what needs a contract without errors.
    func wholeLook(at path: String) -> ContractLook? {
        _ = look(at: path)
        return whole[path]
    }

    /// Every contract of the project, by absolute path.
    var contracts: [String] {
        ContractFiles.find(configuration.contracts.map { path(of: $0) }, in: boundary).files.map(
            DocumentAddress.normalized)
    }

    /// A text has changed: its analysis is repeated at the next request.
    func forget(_ path: String) {
        looks = looks.filter { $0.value.texts.readings[path] == nil }
    }

    func close(_ path: String) {
        readable[path] = nil
        whole[path] = nil
    }

    private func name(of path: String) -> String {
        let prefix = root == "/" ? "/" : root + "/"
        return path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : path
    }

    fileprivate static func path(of name: String, in root: String) -> String {
        DocumentAddress.normalized(name.hasPrefix("/") ? name : root + "/" + name)
    }
}

/// One contract, analyzed, with the texts that it was made from.
struct ContractLook {
    let analysis: ContractAnalysis
    let texts: TextsRead

    var examination: ContractExamination { analysis.examination }
}

/// Texts as they were when they were read, for positions in them.
final class TextsRead {
    /// Every file that was asked for, by absolute path; also those that are not there.
    let readings: [String: SourceReading]
    private var texts: [String: DocumentText] = [:]

    init(_ readings: [String: SourceReading]) {
        self.readings = readings
    }

    subscript(path: String) -> DocumentText {
        if let known = texts[path] { return known }
        var bytes: [UInt8] = []
        if case .bytes(let read)? = readings[path] { bytes = read }
        let text = DocumentText(bytes)
        texts[path] = text
        return text
    }
}

/// Reads for one project, and remembers what was asked for.
private final class ProjectSources: SourceProvider {
    private let root: String
    private let texts: OpenTexts
    private let boundary: ProjectBoundary
    private(set) var readings: [String: SourceReading] = [:]

    init(root: String, _ texts: OpenTexts, _ boundary: ProjectBoundary) {
        self.root = root
        self.texts = texts
        self.boundary = boundary
    }

    func begin() { readings = [:] }

    func read(_ name: String) -> SourceReading {
        let path = path(of: name)
        let reading = texts.read(path, in: boundary)
        readings[path] = reading
        return reading
    }

    func path(of name: String) -> String { texts[name] == nil ? Project.path(of: name, in: root) : name }
}
