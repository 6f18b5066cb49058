import ArgumentParser
import BuildCommands
import LanguageServer
import Pipeline

/// `errand lsp`.
struct LanguageServerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lsp",
        abstract: "Runs a language server for editors, over standard input and output.",
        discussion: """
            The server provides findings, completion, hover, navigation and renaming. docs/editor.md describes the setup of \
            editors.

            Exit status: 0 if the editor asked for the shutdown, 1 if it disconnected without.
            """
    )

    @Flag(help: .hidden)  // Some editors pass this option to every server.
    var stdio = false

    @OptionGroup var access: AccessArguments

    func run() throws {
        Console.ignoreBrokenPipes()
        let streams = ClientStreams(
            receive: { time in
                guard let bytes = Console.input(waitingAtMost: time?.roundedMilliseconds) else { return .end }
                return bytes.isEmpty ? .nothing : .bytes(bytes)
            },
            send: { Console.out($0) },
            log: { Console.complain("errand lsp: \($0)") }
        )
        guard LanguageServer(streams, version: ErrandVersion.text, access.options).run() == 0 else {
            throw ExitStatus.notShutDown
        }
    }
}

extension Duration {
    /// Whole milliseconds, rounded up, so that a wait of this length is never too short.
    fileprivate var roundedMilliseconds: Int32 {
        let (seconds, rest) = components
        return Int32(clamping: seconds * 1000 + (rest + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}
