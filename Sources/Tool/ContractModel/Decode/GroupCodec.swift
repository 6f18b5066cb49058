import YAMLTree

extension Codec where Value == [GroupDefinition] {
    /// Name → description.
    static var groups: Codec {
        .named(
            .text,
            read: { decoder, name, node in
                // A group whose description cannot be read exists all the same.
                GroupDefinition(name: name, doc: decoder.text(node, "the description of the group")?.value ?? "")
            }, name: { $0.name.value }, write: { group, _ in .text(group.doc) })
    }
}
