extension Situation {
    /// The member whose text has that of a new element in it. In XML, the text of an element is that of everything inside. Nil for an
    /// attribute, and where no member has the text of the element around.
    var textAroundElement: String? {
        guard let wireName = edit.new?["wire"]?.text, wireName != ".", !wireName.hasPrefix("@") else { return nil }
        let siblings = edit.places.old.dropLast().reduce(Optional(old.tree)) { node, key in
            node?[key] ?? node?.parts.first { $0.key == key }?.node
        }
        return siblings?.parts.first { $0.node["wire"]?.text == "." }?.key
    }
}
