/// The templates of this folder, as they were when the tool was built.
package enum BuiltInTemplates {
    /// Each template's file name and text.
    package static let files: [(name: String, bytes: [UInt8])] = [
        ("alias.mustache", PackageResources.alias_mustache),
        ("client.mustache", PackageResources.client_mustache),
        ("command.mustache", PackageResources.command_mustache),
        ("commands.mustache", PackageResources.commands_mustache),
        ("confirmation.mustache", PackageResources.confirmation_mustache),
        ("enumeration.mustache", PackageResources.enumeration_mustache),
        ("envelope.mustache", PackageResources.envelope_mustache),
        ("errors.mustache", PackageResources.errors_mustache),
        ("event.mustache", PackageResources.event_mustache),
        ("failure.mustache", PackageResources.failure_mustache),
        ("group.mustache", PackageResources.group_mustache),
        ("imports.mustache", PackageResources.imports_mustache),
        ("initializer.mustache", PackageResources.initializer_mustache),
        ("loading.mustache", PackageResources.loading_mustache),
        ("members.mustache", PackageResources.members_mustache),
        ("mirror.mustache", PackageResources.mirror_mustache),
        ("pagination.mustache", PackageResources.pagination_mustache),
        ("properties.mustache", PackageResources.properties_mustache),
        ("response.mustache", PackageResources.response_mustache),
        ("session.mustache", PackageResources.session_mustache),
        ("statement.mustache", PackageResources.statement_mustache),
        ("structure.mustache", PackageResources.structure_mustache),
        ("subscription.mustache", PackageResources.subscription_mustache),
        ("types.mustache", PackageResources.types_mustache),
        ("union.mustache", PackageResources.union_mustache),
    ]
}
