import ArgumentParser

/// The commands that the programs `errand` and `errand-build` have.
package enum SharedCommand: CaseIterable {
    case initialize, generate, lint, explain, rules, buildContract

    package var type: any ParsableCommand.Type {
        switch self {
        case .initialize: InitCommand.self
        case .generate: GenerateCommand.self
        case .lint: LintCommand.self
        case .explain: ExplainCommand.self
        case .rules: RulesCommand.self
        case .buildContract: BuildContractCommand.self
        }
    }
}

extension AsyncParsableCommand {
    /// Runs the command that the arguments name, and ends the process: the one place where an error becomes text and exit status.
    ///
    /// On the main actor, so that a command that waits for nothing stays on the first thread.
    @MainActor package static func runProcess() async -> Never {
        do {
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch let status as ExitStatus {
            endProcess(with: status)
        } catch {
            let isRequest = exitCode(for: error) == .success  // --help and --version arrive as errors
            let text = isRequest ? message(for: error) : fullMessage(for: error)
            if isRequest {
                Console.out(text)
            } else {
                Console.complain(CommandSuggestion.add(to: text, for: CommandLine.arguments.dropFirst(), of: Self.self))
            }
            endProcess(with: isRequest ? .fine : .couldNotRun)
        }
        endProcess(with: .fine)
    }
}
