import YAMLTree

extension ContractWriter {
    mutating func writeEnvelopes() {
        guard !plan.envelopes.isEmpty else { return }
        section("envelopes")
        for (name, envelope) in plan.envelopes {
            for review in envelope.reviews { comment(1, "errand:review \(review)") }
            line(1, name + ":")
            let paths = [
                ("data", envelope.data), ("error", envelope.error), ("code", envelope.code),
                ("message", envelope.message),
            ]
            for (key, path) in paths {
                guard let path else { continue }
                if key == "code", envelope.isOpen {
                    comment(
                        2,
                        "errand:ignore envelope-without-success-condition the document does not say which codes are a success"
                    )
                }
                line(2, "\(key): " + YAMLText.value(path))
            }
            if !envelope.success.isEmpty {
                line(
                    2, "success: [\(envelope.success.map { YAMLText.value($0, inFlow: true) }.joined(separator: ", "))]"
                )
            }
        }
    }
}
