// What can be wrong with `errand.yaml`, with what a command is asked to do, and with files and folders.
extension FindingKind {
    static let kindsOfProjects: [FindingKind] = [
        .duplicateService, .endpointsOfWhichService, .meaninglessInTarget, .moreFindings, .outsideTarget, .unknownRule,
        .unknownService, .unusableHistory,
    ]

    static let kindsOfFiles: [FindingKind] = [
        .fileInTheWay, .fileTooLarge, .folderAsFile, .foreignFile, .missingFile, .noContracts, .noFile, .outputIsAFile,
        .outputIsALink, .outputUnwritable, .unreadableFile,
    ]

    // MARK: The project

    package static let duplicateService = FindingKind(
        "duplicate-service", finds: "Two contracts of one service, or of services whose names differ in case only.",
        why: "Both clients would be written into one folder, and each run would undo the other.", .lines,
        instead: "Rename one of the services, or generate them into different folders.")

    package static let endpointsOfWhichService = FindingKind(
        "endpoints-of-which-service",
        finds: "A list under `endpoints` of `errand.yaml` in a project with several contracts.",
        why: "Nothing says whose endpoints they are.", .lines,
        wrong: "endpoints: [getBook]", right: "endpoints: {Library: [getBook]}")

    package static let meaninglessInTarget = FindingKind(
        "meaningless-in-target",
        finds: "`contracts` or `output` in the `errand.yaml` of a target that the build generates for.",
        why: "The build takes the contracts of the target and writes into its own folder, whatever the keys say.",
        .lines,
        wrong: "output: Sources/Clients\naccess: internal", right: "access: internal")

    package static let moreFindings = FindingKind(
        "more-findings", .note, finds: "A file with more findings than a report shows.",
        why: "A person reads no more than 1,000 of them, and most of the others come from the first.", .lines,
        instead: "Correct those that are shown, and check the file again.")

    package static let outsideTarget = FindingKind(
        "outside-target", finds: "An import or a folder of templates that is not a part of the target.",
        why: "The build looks only at files of the target, so it would not see the file change.", .lines,
        wrong: "imports: [../Shared/auth.contract.yaml]", right: "imports: [auth.contract.yaml]",
        instead: "The file, or a copy of it, is in the target's folder.")

    package static let unknownRule = FindingKind(
        "unknown-rule", finds: "A name under `lint` of `errand.yaml` that is not the name of a lint rule.",
        why: "The setting would have no effect. What keeps a contract from being read cannot be set at all.",
        .configuration, wrong: "lint: {rules: {verb-in-paths: off}}", right: "lint: {rules: {verb-in-path: off}}",
        instead: "[The page of the rules](rules.md) lists the names.")

    package static let unknownService = FindingKind(
        "unknown-service", finds: "A service that no contract describes.",
        why: "What `errand.yaml` says about it would have no effect.", .lines,
        wrong: "names: {Libary: {types: {Book: Volume}}}", right: "names: {Library: {types: {Book: Volume}}}")

    package static let unusableHistory = FindingKind(
        "unusable-history", finds: "A commit that `errand lint --changed-since` cannot compare with.",
        why: "Without the contracts of that commit, nothing says which findings are new.", .lines,
        instead: "Install git, name a commit of the repository, and fetch the whole history on a build server.")

    // MARK: Files

    package static let fileInTheWay = FindingKind(
        "file-in-the-way", finds: "A file that `errand init` would overwrite.",
        why: "A contract that was written by hand would be lost.", .lines,
        instead: "Move the file away, or choose another name with `--service`.")

    package static let fileTooLarge = FindingKind(
        "file-too-large", finds: "A file of more than 256 MiB.",
        why: "No contract is as large. A larger file was most likely named by mistake.", .lines,
        instead: "Name the contract, or split it with `imports`.")

    package static let folderAsFile = FindingKind(
        "folder-as-file", finds: "A folder where a file is needed.", why: "A folder has no text to read.", .lines,
        instead: "Name a file in it.")

    package static let foreignFile = FindingKind(
        "foreign-file", finds: "A file that Errand did not write, where a generated file would go.",
        why: "Errand overwrites only what it has written itself, which its first line says.", .lines,
        instead: "Move the file away, or choose another folder with `--output`.")

    package static let missingFile = FindingKind(
        "missing-file", finds: "A file or a folder that does not exist.",
        why: "A contract without what it imports cannot be read.", .lines,
        wrong: "imports: [atuh.contract.yaml]", right: "imports: [auth.contract.yaml]",
        instead: "A path in a contract begins at the folder of the contract.")

    package static let noContracts = FindingKind(
        "no-contracts", finds: "A folder without a contract.",
        why: "There is nothing to do. Most likely another folder is meant.", .lines,
        instead: "The name of a contract ends in `.contract.yaml`.")

    package static let noFile = FindingKind(
        "no-file", finds: "A pipe or a device where a file is needed.",
        why: "A contract is read more than once, and a pipe gives its text only once.", .lines,
        instead: "Write the text into a file.")

    package static let outputIsAFile = FindingKind(
        "output-is-a-file", finds: "A file where the folder for generated code would be.",
        why: "A client is a folder of several files.", .lines, instead: "Name a folder with `--output`.")

    package static let outputIsALink = FindingKind(
        "output-is-a-link", finds: "A symbolic link where something would be written.",
        why: "The text would end up somewhere else than the path says.", .lines,
        instead: "Remove the link, or name its target.")

    package static let outputUnwritable = FindingKind(
        "output-unwritable", finds: "A file or a folder that the system does not let Errand write.",
        why: "No file is half written. The message repeats what the system says.", .lines,
        instead: "Change the permissions or make room, and run the command again.")

    package static let unreadableFile = FindingKind(
        "unreadable-file", finds: "A file or a folder that the system does not let Errand read.",
        why: "The message repeats what the system says.", .lines,
        instead: "Change the permissions or the path.")
}
