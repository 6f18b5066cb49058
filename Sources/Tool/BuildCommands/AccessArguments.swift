import ArgumentParser
import Pipeline

/// The options that allow a command more than the files of the project and the usual sizes.
package struct AccessArguments: ParsableArguments {
    @Option(
        name: .customLong("allow-folder"),
        help: ArgumentHelp(
            "A folder outside the project whose files contracts may import, and documents refer to. Repeat the option for each folder.",
            valueName: "folder"))
    var folders: [String] = []

    @Option(
        name: .customLong("max-file-size"),
        help: ArgumentHelp(
            "The largest contract in MiB; a file of a document may have twice as much. (default: `limits` in errand.yaml, or \(SizeLimits.usualMegabytes))",
            valueName: "number"))
    var megabytes: Int?

    @Option(
        name: .customLong("max-endpoints"),
        help: ArgumentHelp(
            "The most endpoints of all contracts. (default: `limits` in errand.yaml, or \(SizeLimits.usualEndpoints))",
            valueName: "number"))
    var endpoints: Int?

    package init() {}

    package func validate() throws {
        guard !folders.contains("") else { throw ValidationError("--allow-folder needs the name of a folder.") }
        if let megabytes, !(1...SizeLimits.mostMegabytes).contains(megabytes) {
            throw ValidationError("--max-file-size takes a number from 1 to \(SizeLimits.mostMegabytes).")
        }
        if let endpoints, endpoints < 1 { throw ValidationError("--max-endpoints takes a number from 1 on.") }
    }

    package var options: AccessOptions {
        var options = AccessOptions()
        options.folders = folders
        options.megabytes = megabytes
        options.endpoints = endpoints
        return options
    }
}
