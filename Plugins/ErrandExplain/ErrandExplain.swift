import Foundation
import PackagePlugin

/// `swift package errand-explain`: prints the page of a finding, or the meanings of an endpoint's responses and its retries. It
/// looks into all contracts of the package.
@main
struct ErrandExplain: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) async throws {
        let run = try ToolRun(context, arguments)
        ToolRun.end(try run.ask(["explain"] + run.arguments))
    }
}
