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
        let texts = envelope.success.map(\.value)
        let codes = texts.count == 1 ? SwiftLiteral.string(texts[0]) : SwiftLiteral.strings(texts)
        let success =
            switch (texts.isEmpty, envelope.error == nil) {
            case (true, true): ".status"
            case (true, false): ".withoutError"
            case (false, true): ".codes(\(codes))"
            case (false, false): ".codesWithoutError(\(codes))"
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
