import ArgumentParser
import Diagnostics

/// The command that a misspelled word on the command line was most likely meant to be.
///
/// The parser suggests options, but takes a misspelled command for an unexpected argument.
enum CommandSuggestion {
    /// Nil if the commands are spelled as they should be, or if none is near.
    static func find(in arguments: some Sequence<String>, for root: any ParsableCommand.Type) -> String? {
        var command = root
        for argument in arguments {
            let commands = command.configuration.subcommands
            // An argument of a command that has no commands of its own may be anything.
            guard !commands.isEmpty, !argument.hasPrefix("-") else { return nil }
            guard let next = commands.first(where: { $0._commandName == argument }) else {
                return nearestSpelling(of: argument, among: commands.map { $0._commandName })
            }
            command = next
        }
        return nil
    }

    /// Adds the suggestion to the first line of the parser's message.
    static func add(to message: String, for arguments: some Sequence<String>, of root: any ParsableCommand.Type)
        -> String
    {
        guard let found = find(in: arguments, for: root) else { return message }
        var lines = message.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        lines[0] += ". Did you mean '\(found)'?"
        return lines.joined(separator: "\n")
    }
}
