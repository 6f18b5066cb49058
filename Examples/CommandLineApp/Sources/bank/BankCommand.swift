import ArgumentParser

/// A bank for the terminal: sign in, list, transfer.
@main
struct BankCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bank",
        abstract: "Your accounts, from the terminal.",
        discussion: """
            Exit status: 0 done, 1 refused, 2 called wrongly, 3 it is not known whether it was done, 4 not signed in, \
            5 the bank cannot be reached or is not available.
            """,
        subcommands: [SignIn.self, SignOut.self, Accounts.self, Transfer.self, Transfers.self]
    )
}

/// The bank's address, and the reporting of progress.
struct BankOptions: ParsableArguments {
    @Option(help: "The bank's address.")
    var server = "https://api.bank.example/v1"

    @Option(help: ArgumentHelp("The file that keeps you signed in.", valueName: "file"))
    var session = Terminal.home + "/.config/bank/session.json"

    @Flag(help: "Say nothing about what is waited for.")
    var quiet = false
}
