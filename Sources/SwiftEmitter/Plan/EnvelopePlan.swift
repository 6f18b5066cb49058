import ContractModel

/// Makes the template input of one envelope: where its parts are, and what tells a success.
enum EnvelopePlan {
    static func input(_ envelope: EnvelopeDefinition) -> EnvelopeInput {
        var input = EnvelopeInput()
        input.name = SwiftIdentifier.spelled(envelope.identifier)
        input.arguments = arguments(envelope).joined(separator: ", ")
        return input
    }

    private static func arguments(_ envelope: EnvelopeDefinition) -> [String] {
        let codes = DecisionTablePlan.codes(envelope.success.map(\.value))
        let success =
            switch (codes, envelope.error == nil) {
            case (nil, true): ".status"
            case (nil, false): ".withoutError"
            case (let codes?, true): ".codes(\(codes))"
            case (let codes?, false): ".codesWithoutError(\(codes))"
            }
        let places = [
            ("data", envelope.data), ("list", envelope.list), ("code", envelope.code), ("error", envelope.error),
            ("message", envelope.message),
        ]
        return ["success: " + success]
            + places.compactMap { label, path in
                path.map { "\(label): \(SwiftLiteral.string($0.value.text))" }
            }
    }
}
