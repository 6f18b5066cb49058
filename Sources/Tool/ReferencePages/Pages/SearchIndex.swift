import Diagnostics
import JSONTree

/// What the search finds, as a script: pages from the disk may not read other files, but may load scripts.
struct SearchIndex {
    struct Entry {
        var name: String
        var kind: String
        var text: String
        /// From the site's folder.
        var href: String
    }

    let entries: [Entry]

    var script: String {
        let list = JSONNode.array(
            entries.map { .array([.string($0.name), .string($0.kind), .string($0.text), .string($0.href)]) })
        // Not even a reader that takes the file for HTML finds a tag in it.
        return "errandSearch(" + list.description.replacing(scalar: "<", with: "\\u003c") + ");\n"
    }
}
