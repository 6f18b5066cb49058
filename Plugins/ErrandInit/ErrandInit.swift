import Foundation
import PackagePlugin

/// `swift package errand-init`: a first contract and `errand.yaml`, for the package or, with `--target`, for one target of it.
@main
struct ErrandInit: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) async throws {
        let status = try ToolRun(context, arguments).inPackage(["init"])
        if status == 2 {
            Diagnostics.remark(
                "where the sandbox refused to write: swift package --allow-writing-to-package-directory errand-init")
        }
        ToolRun.end(status)
    }
}
