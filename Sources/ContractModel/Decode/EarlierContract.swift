import YAMLTree

/// A contract as it was before its file was edited.
struct EarlierContract {
    let contract: Contract
    let sound: SoundDefinitions
    /// What the edit replaced.
    let replacement: TextReplacement
}

/// The definitions about which decoding found nothing, by their names: their positions in the contract's lists.
struct SoundDefinitions: Sendable {
    var types: [String: Int] = [:]
    var endpoints: [String: Int] = [:]
}

/// A definition that stays what it is when lines before it change.
protocol MovableDefinition {
    func moved(_ shift: TextShift) -> Self
}

extension TypeDefinition: MovableDefinition {}
extension EndpointDefinition: MovableDefinition {}
