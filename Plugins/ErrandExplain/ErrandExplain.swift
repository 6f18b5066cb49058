import Foundation
import PackagePlugin

/// `swift package errand-explain`: the page of a finding, or what an endpoint's answers mean and what is sent again. It looks
/// into all contracts of the package.
@main
struct ErrandExplain: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) async throws {
        let run = try ToolRun(context, arguments)
        ToolRun.end(try run.ask(["explain"] + run.arguments))
    }
}
