import ContractModel

/// Makes the template input of one envelope: where its parts are, and what tells a success.
enum EnvelopePlan {
    static func input(_ envelope: EnvelopeDefinition) -> EnvelopeInput {
        var input = EnvelopeInput()
        input.name = SwiftIdentifier.spelled(envelope.identifier)
        input.arguments = arguments(envelope)
        return input
    }

    private static func arguments(_ envelope: EnvelopeDefinition) -> [Argument] {
        let codes = DecisionTablePlan.codes(envelope.success.map(\.value))
        let success: Expression =
            switch (codes, envelope.error == nil) {
            case (nil, true): .implicit("status")
            case (nil, false): .implicit("withoutError")
            case (let codes?, true): .implicit("codes", codes)
            case (let codes?, false): .implicit("codesWithoutError", codes)
            }
        let places = [
            ("data", envelope.data), ("list", envelope.list), ("code", envelope.code), ("error", envelope.error),
            ("message", envelope.message),
        ]
        return [Argument("success", success)]
            + places.compactMap { label, path in path.map { Argument(label, .string($0.value.text)) } }
    }
}
