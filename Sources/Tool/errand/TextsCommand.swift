import ArgumentParser
import BuildCommands
import Diagnostics
import Pipeline

/// `errand texts`.
struct TextsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "texts",
        abstract: "Writes the texts of errors into a file that translators edit.",
        discussion: """
            errand texts                                     the contracts and the files (`texts`) of errand.yaml
            errand texts -o Localizable.xcstrings            the contracts of errand.yaml
            errand texts contracts/bank.contract.yaml -o texts.de.json

            The name of the file determines its format: .xcstrings (a string catalog of Xcode) or .json. If the file exists, its \
            translations stay. The translations of a changed text are marked, and in a string catalog also the keys without an error.

            Exit status: 0 success, 1 the file is not current (with --check), 2 could not run.
            """
    )

    @Argument(help: "Contract files, or folders with contracts. (default: `contracts` in errand.yaml, or contracts/)")
    var contracts: [String] = []

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The file with the texts. (default: `texts` in errand.yaml)", valueName: "file"))
    var output: String?

    @Option(
        help: ArgumentHelp("The language of the contracts' texts, for a new string catalog.", valueName: "language"))
    var language = "en"

    @Flag(help: "Write nothing, and end with 1 if the file is not current.")
    var check = false

    @Flag(name: .shortAndLong, help: "Print nothing unless there is a problem.")
    var quiet = false

    @OptionGroup var access: AccessArguments

    func validate() throws {
        if let output, Texts.Format(path: output) == nil {
            throw ValidationError("--output names a file without a format: \(Texts.Format.help(for: output)).")
        }
        let isLanguage =
            !language.isEmpty
            && language.utf8.allSatisfy { byte in
                UInt8(ascii: "-") == byte || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
                    || (0x61...0x7A).contains(byte)
            }
        guard isLanguage else { throw ValidationError("--language needs the tag of a language, such as en or pt-BR.") }
    }

    func run() throws {
        let project = CommandProject(naming: contracts, access.options, using: output == nil ? [.texts] : [])
        guard let configuration = project.configuration else {
            Console.complain(TextReport { project.sources[$0] }.render(project.diagnostics))
            throw ExitStatus.couldNotRun
        }
        let files = output.map { [$0] } ?? configuration.texts.map(\.value)
        guard !files.isEmpty else {
            throw ValidationError("There is no file. Name one with --output, or in errand.yaml with `texts`.")
        }
        let all = try files.map { file in
            guard let format = Texts.Format(path: file) else {
                throw ValidationError("`texts` in errand.yaml has \(printable(file)): \(Texts.Format.help(for: file)).")
            }
            var options = Texts.Options(catalog: file, format: format)
            options.language = language
            options.isCheck = check
            return options
        }
        let read = Texts.read(contracts.isEmpty ? configuration.contracts : contracts, in: project.boundary)
        // A file that cannot be read keeps no other one from being written.
        var (findings, sources) = (read.findings, read.sources)
        var isStale = false
        for options in read.findings.isEmpty ? all : [] {
            switch Texts.run(options, with: read.contracts, in: project.boundary) {
            case .findings(let found, let texts):
                findings += found
                sources.merge(texts) { own, _ in own }
            case .done(let result):
                let isNews = check && result.isStale
                if !quiet || isNews { Console.out(summary(of: result, options.catalog)) }
                isStale = isStale || isNews
            }
        }
        if !findings.isEmpty {
            Console.complain(TextReport { sources[$0] }.render(DiagnosticBag(findings).sorted().bounded()))
            throw ExitStatus.couldNotRun
        }
        if isStale { throw ExitStatus.findings }
    }

    private func summary(of result: Texts.Result, _ output: String) -> String {
        let update = result.update
        let file = printable(output)
        var lines: [String] = []
        for (word, keys) in [("new", update.added), ("changed", update.changed), ("unused", update.unused)] {
            lines += keys.prefix(Self.mostKeys).map { "\(word.padded(to: 8)) \(printable($0))" }
            if keys.count > Self.mostKeys {
                lines.append("\(word.padded(to: 8)) and \(keys.count - Self.mostKeys) more")
            }
        }
        let total = counted(result.count, "text")
        if check, result.isStale {
            lines.append("\(file) is not current; run `errand texts` without --check to update it")
        } else if check || !result.isStale {
            lines.append("\(file) is current: \(total)")
        } else {
            lines.append(
                "\(file): \(total), \(update.added.count) new, \(update.changed.count) changed, \(update.unused.count) unused"
            )
        }
        return lines.joined(separator: "\n")
    }

    private static let mostKeys = 100
}

extension String {
    fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
