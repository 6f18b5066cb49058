import Foundation
import PackagePlugin

/// `swift package errand-generate`: writes clients into the package, for teams that commit them.
///
/// If the package's folder has `errand.yaml` or `contracts/`, it runs `errand generate` there. Otherwise, and with `--target`,
/// it writes the clients of a target's contracts into the folder `Generated` of that target.
@main
struct ErrandGenerate: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) async throws {
        let run = try ToolRun(context, arguments)
        let status = try run.perform { contracts in
            ["generate"] + contracts + ["--whole", "--output", "Generated"] + run.arguments
        } orInPackage: {
            ["generate"] + run.arguments
        }
        if status == 2 {
            Diagnostics.remark(
                "where the sandbox refused to write: swift package --allow-writing-to-package-directory errand-generate"
            )
        }
        ToolRun.end(status)
    }
}
