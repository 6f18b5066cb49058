// What can be wrong with `errand.yaml`, with the arguments of a command, and with files and folders.
extension FindingKind {
    static let kindsOfProjects: [FindingKind] = [
        .duplicateService, .endpointsOfWhichService, .expiredSignOff, .meaninglessInTarget, .moreFindings,
        .outsideTarget,
        .unknownRule, .tooManyEndpoints, .unknownService, .unusableHistory, .unusedSignOff, .versionTooLow,
    ]

    static let kindsOfFiles: [FindingKind] = [
        .fileInTheWay, .fileTooLarge, .folderAsFile, .foreignFile, .missingFile, .noContracts, .noFile, .outputIsAFile,
        .outputIsALink, .outputUnwritable, .outsideProject, .staleTexts, .unreadableCatalog, .unreadableFile,
    ]

    // MARK: The project

    package static let duplicateService = FindingKind(
        "duplicate-service", finds: "Two contracts with the same service name, or with names that differ only in case.",
        why: "Both clients would be written into the same folder, and each would overwrite the other.", .lines,
        instead: "Rename one of the services, or generate them into different folders.")

    package static let endpointsOfWhichService = FindingKind(
        "endpoints-of-which-service",
        finds: "A list under `endpoints` of `errand.yaml` in a project with several contracts.",
        why: "The list does not say which contract the endpoints belong to.", .lines,
        wrong: "endpoints: [getBook]", right: "endpoints: {Library: [getBook]}")

    package static let expiredSignOff = FindingKind(
        "expired-sign-off",
        finds: "An entry in `.errand-signoffs.yaml` whose last day is over, for a break that remains.",
        why: "The team accepted the break until that day. The break counts again.", .lines,
        instead: "Remove the break, or sign it off again: `errand diff OLD NEW --sign-off REASON --expires DATE`.")

    package static let meaninglessInTarget = FindingKind(
        "meaningless-in-target",
        finds: "`contracts` or `output` in the `errand.yaml` of a target that the build generates for.",
        why:
            "The build plugin uses the contracts in the target and its own output folder, so both keys would have no effect.",
        .lines,
        wrong: "output: Sources/Clients\naccess: internal", right: "access: internal")

    package static let moreFindings = FindingKind(
        "more-findings", .note, finds: "A file with more findings than a report shows.",
        why:
            "A report shows at most 1,000 findings for each file. Most of the others have the same cause as one that is shown.",
        .lines,
        instead:
            "Fix the findings that are shown, and check the file again. `errand import` prints all of them with `--all-findings`."
    )

    package static let outsideTarget = FindingKind(
        "outside-target", finds: "An import or a folder of templates outside the target.",
        why: "The build watches only the files of the target, so a change of the file would not rebuild the client.",
        .lines,
        wrong: "imports: [../Shared/auth.contract.yaml]", right: "imports: [auth.contract.yaml]",
        instead: "Move the file, or a copy of it, into the target's folder.")

    package static let tooManyEndpoints = FindingKind(
        "too-many-endpoints", finds: "Contracts with more than 50,000 endpoints together.",
        why:
            "Each endpoint takes a few kilobytes of memory. The limit keeps a contract of a stranger from using up the memory of a build server.",
        .lines,
        instead:
            "Name fewer contracts. `limits: {endpoints: 200000}` in `errand.yaml` allows up to 200,000, and `--max-endpoints` any number."
    )

    package static let unknownRule = FindingKind(
        "unknown-rule", finds: "A name under `lint` of `errand.yaml` that is not the name of a lint rule.",
        why: "The setting would have no effect. Only lint rules have settings, not the errors that prevent generation.",
        .configuration, wrong: "lint: {rules: {verb-in-paths: off}}", right: "lint: {rules: {verb-in-path: off}}",
        instead: "[The page of the rules](rules.md) lists the names.")

    package static let unknownService = FindingKind(
        "unknown-service", finds: "A service that no contract describes.",
        why: "The settings for this service in `errand.yaml` would have no effect.", .lines,
        wrong: "names: {Libary: {types: {Book: Volume}}}", right: "names: {Library: {types: {Book: Volume}}}")

    package static let unusableHistory = FindingKind(
        "unusable-history",
        finds: "A commit whose contracts `errand lint --changed-since` or `errand diff` cannot read.",
        why: "Without the contracts of that commit, the tool cannot tell what is new.", .lines,
        instead: "Install git, name a commit of the repository, and fetch the whole history on a build server.")

    package static let unusedSignOff = FindingKind(
        "unused-sign-off", .warning,
        finds: "An entry in `.errand-signoffs.yaml` for a break that the comparison does not find.",
        why: "The entry would accept the same break later, without a new decision.", .lines,
        instead: "Remove the entry.")

    package static let versionTooLow = FindingKind(
        "version-too-low", finds: "A contract whose `version` is lower than its changes need (`errand diff --check`).",
        why: "People who read the version expect that an update breaks nothing.", .lines,
        wrong: "version: 1.2.1", right: "version: 2.0.0",
        instead: "`errand diff OLD NEW --suggest-version` prints the least version.")

    // MARK: Files

    package static let fileInTheWay = FindingKind(
        "file-in-the-way", finds: "A file that `errand init` would overwrite.",
        why: "The command would destroy a contract that someone wrote by hand.", .lines,
        instead: "Move the file away, or choose another name with `--service`.")

    package static let fileTooLarge = FindingKind(
        "file-too-large", finds: "A contract of more than 8 MiB, or contracts that have more than 16 MiB together.",
        why:
            "Contracts are far smaller, and reading one takes many times its size in memory. The path most likely names a different kind of file.",
        .lines,
        instead:
            "Name the contract, or split it with `imports`. `limits: {file-size: 32}` in `errand.yaml` allows up to 32 MiB, and `--max-file-size` more. A file of an OpenAPI document may have twice as much as a contract. `errand.yaml` and a template have at most 1 MiB."
    )

    package static let folderAsFile = FindingKind(
        "folder-as-file", finds: "A folder where a file is needed.", why: "A folder has no text to read.", .lines,
        instead: "Name a file in it.")

    package static let foreignFile = FindingKind(
        "foreign-file", finds: "A file that Errand did not write at the path of a generated file.",
        why: "Errand overwrites only its own files, which it recognizes by their first line.", .lines,
        instead: "Move the file away, or choose another folder with `--output`.")

    package static let missingFile = FindingKind(
        "missing-file", finds: "A file or a folder that does not exist.",
        why: "The tool cannot read a contract without its imports.", .lines,
        wrong: "imports: [atuh.contract.yaml]", right: "imports: [auth.contract.yaml]",
        instead: "Write paths in a contract relative to the contract's folder.")

    package static let noContracts = FindingKind(
        "no-contracts", finds: "A folder without a contract.",
        why: "The command would do nothing. Most likely you mean another folder.", .lines,
        instead: "End the name of each contract in `.contract.yaml`.")

    package static let noFile = FindingKind(
        "no-file", finds: "A pipe or a device where a file is needed.",
        why: "The tool reads a contract more than once, and a pipe can be read only once.", .lines,
        instead: "Write the text into a file.")

    package static let outputIsAFile = FindingKind(
        "output-is-a-file", finds: "A file at the path of the folder for generated code.",
        why: "A client is a folder of several files.", .lines, instead: "Name a folder with `--output`.")

    package static let outputIsALink = FindingKind(
        "output-is-a-link", finds: "A symbolic link at the path of an output file or folder.",
        why: "The tool would write to a different place from the one that the path names.", .lines,
        instead: "Remove the link, or name its target.")

    package static let outputUnwritable = FindingKind(
        "output-unwritable", finds: "A file or a folder that Errand cannot write.",
        why: "The message contains the reason that the system reports. Errand never leaves a file half written.",
        .lines,
        instead: "Change the permissions or make room, and run the command again.")

    package static let outsideProject = FindingKind(
        "outside-project",
        finds: "A path that leads out of the project: to a file to read, or to a folder to write into.",
        why:
            "Contracts, documents and `errand.yaml` may come from a stranger, and findings print lines of the files that they are about. The project is the folder of `errand.yaml`, else the repository, else the folder of the file. Links count as the place that they lead to, and git's own files are never in a project.",
        .lines, wrong: "imports: [../../elsewhere/auth.contract.yaml]", right: "imports: [auth.contract.yaml]",
        instead:
            "Move the file into the project. `allow: [../shared]` in `errand.yaml` adds a folder of the same repository, and `--allow-folder` any folder."
    )

    package static let staleTexts = FindingKind(
        "stale-texts", .warning,
        finds: "A file of `texts` in `errand.yaml` that does not have the texts of the contracts' errors.",
        why: """
            The app shows the contract's text for a key that the file lacks, whatever the user's language is. A key that no contract
            has is never shown, and neither is data for a placeholder that the contract's text does not have.
            """, .lines,
        instead: "Run `errand texts`, and remove the keys that are no longer used.")

    package static let unreadableCatalog = FindingKind(
        "unreadable-catalog",
        finds: "A file with texts, given to `errand texts`, that is not in the format of its name.",
        why: "The tool keeps the translations in the file, so it must be able to read them.", .lines,
        instead: "Correct the file, or name a new one.")

    package static let unreadableFile = FindingKind(
        "unreadable-file", finds: "A file or a folder that Errand cannot read.",
        why: "The message contains the reason that the system reports.", .lines,
        instead: "Change the permissions or the path.")
}
