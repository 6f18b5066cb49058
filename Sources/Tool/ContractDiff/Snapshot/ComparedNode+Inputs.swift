import ContractModel

extension ComparedNode {
    /// The parts under names that a contract has chosen.
    var parts: [Entry] { if case .entries(let entries) = self { entries } else { [] } }

    /// Whether the client makes the value of a common parameter, so that no app passes it.
    var isMadeByClient: Bool { self["const"] != nil || self["each"] != nil }

    /// Whether a request of the endpoint has the common parameters in its body. A document of one type, and bytes, have no room for them.
    var takesParametersInBody: Bool {
        let method = (self[LanguageSlots.target]?.text ?? "").prefix { $0 != " " }
        guard HTTPMethod(rawValue: String(method))?.sendsParametersInQuery == false else { return false }
        guard let body = self["body"] else { return true }
        return switch body["encoding"]?.text {
        case "bytes": false
        case "form", "multipart": true
        default: body["type"] == nil
        }
    }
}
