import Foundation
import PackagePlugin

/// `swift package errand-lint`: what is wrong with the package's contracts, and what should not be meant.
///
/// If the package's folder has `errand.yaml` or `contracts/`, it is `errand lint` there. Otherwise, and with `--target`, it
/// looks at the contracts of targets. It asks for no permission, and only `--fix` and `--update-baseline` need one.
@main
struct ErrandLint: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) async throws {
        let run = try ToolRun(context, arguments)
        let status = try run.perform { contracts in
            ["lint"] + contracts + run.arguments
        } orInPackage: {
            ["lint"] + run.arguments
        }
        if status == 2, run.arguments.contains(where: ["--fix", "--update-baseline"].contains) {
            Diagnostics.remark(
                "where the sandbox refused to write: swift package --allow-writing-to-package-directory errand-lint --fix"
            )
        }
        ToolRun.end(status)
    }
}
