/// Every mapping of the contract language. The typed tables beside this file (`…Keys`) read and print them.
package enum LanguageKeys {
    package static let contract = ContractKeys.mapping.description
    package static let common = CommonKeys.common.description
    package static let commonField = CommonKeys.parameter.description
    package static let defaults = SettingsKeys.defaults.description
    package static let endpoint = EndpointKeys.mapping.description
    package static let body = BodyKeys.mapping.description
    package static let response = ResponseKeys.mapping.description
    package static let type = TypeKeys.mapping.description
    package static let union = UnionKeys.mapping.description
    package static let kinds = KindKeys.mapping.description
    package static let field = FieldKeys.mapping.description
    package static let error = ErrorKeys.error.description
    package static let condition = ConditionKeys.condition.description
    package static let outcomeCondition = ConditionKeys.outcomeCondition.description
    package static let outcome = ErrorKeys.outcome.description
    package static let connection = ConnectionKeys.connection.description
    package static let correlation = ConnectionKeys.correlationMember.description
    package static let ping = ConnectionKeys.pingRule.description
    package static let frame = ConnectionKeys.frame.description
    package static let event = ConnectionKeys.event.description
    package static let session = SessionKeys.mapping.description
    package static let identitySource = SessionKeys.identitySource.description
    package static let signing = SigningKeys.mapping.description
    package static let signingPlacement = SigningKeys.placement.description
    package static let credential = CredentialKeys.mapping.description
    package static let role = ServiceKeys.role.description
    package static let envelope = ServiceKeys.envelope.description
    package static let effect = PolicyKeys.effect.description
    package static let idempotencyKey = PolicyKeys.idempotencyKey.description
    package static let stream = PolicyKeys.stream.description
    package static let confirm = PolicyKeys.confirm.description
    package static let paginate = PolicyKeys.paginate.description

    /// Every mapping with keys of its own, in the order in which a contract leads to them.
    package static let all: [MappingDescription] = {
        var subjects: Set<String> = [outcomeCondition.subject]
        return reachable.filter { subjects.insert($0.subject).inserted }.map { $0.name == error.name ? error : $0 }
    }()

    /// Every mapping that a contract leads to.
    package static let reachable: [MappingDescription] = {
        var found: [MappingDescription] = [contract]
        var names: Set<String> = [contract.name]
        var position = 0
        while position < found.count {
            for mapping in found[position].keys.flatMap({ $0.shape.mappings }) where names.insert(mapping.name).inserted
            {
                found.append(mapping)
            }
            position += 1
        }
        return found
    }()
}
