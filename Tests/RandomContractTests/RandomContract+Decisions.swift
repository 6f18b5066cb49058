import TestSeeds

// Contracts of one endpoint with a decision table, whose rows are near each other.
extension RandomContract {
    private static let paths = ["kind", "detail.reason", "meta.kind"]
    private static let statuses = [200, 202, 302, 307, 400, 401, 404, 408, 409, 429, 500, 502, 503, 504]

    /// A contract whose endpoint `ask` has errors of its own, shared ones and outcomes.
    init(deciding service: String, seed: UInt64) {
        random = SeededGenerator(seed: seed)
        let names = (0..<2 + random.below(6)).map { "failure\($0)" }
        let outcomes = (0..<random.below(3)).map { "outcome\($0)" }
        let isHead = random.happens(60)
        let shared = names.filter { _ in random.happens(300) }
        let errors = names.map { ContractNode.Entry(key: $0, value: decidedError()) }
        var endpoint: [ContractNode.Entry] = [
            .init(key: isHead ? "head" : "get", value: .text("/ask")),
            .init(key: "response", value: isHead ? .word("none") : .word("int")),
            .init(key: "errors", value: .list(names.filter { !shared.contains($0) }.map { .word($0) })),
        ]
        if random.happens(300) { endpoint.append(.init(key: "session", value: .word("none"))) }
        if !outcomes.isEmpty {
            let entries = outcomes.map {
                ContractNode.Entry(key: $0, value: .mapping(["when": conditions(isOutcome: true)]))
            }
            endpoint.append(.init(key: "outcomes", value: .mapping(entries)))
        }
        var sections: [ContractNode.Entry] = [
            .init(key: "errand", value: .word("1")), .init(key: "service", value: .word(service)),
            .init(key: "servers", value: .mapping(["main": .text("https://a.example")])),
            .init(key: "envelopes", value: .mapping(["standard": decidedEnvelope()])),
            .init(key: "errors", value: .mapping(errors)),
            .init(
                key: "defaults",
                value: .mapping([
                    "envelope": .word("standard"), "retry": .word("never"), "patience": .word("0s"),
                    "session": .word("optional"), "errors": .list(shared.map { .word($0) }),
                ])),
            .init(key: "endpoints", value: .mapping(["ask": .mapping(endpoint)])),
        ]
        if random.happens(500) {
            sections.insert(.init(key: "session", value: .mapping(["header": .text("X-Session")])), at: 3)
        }
        root = .mapping(sections)
    }

    private mutating func decidedEnvelope() -> ContractNode {
        var entries = [ContractNode.Entry(key: "data", value: .word("data"))]
        if random.happens(800) {
            entries.append(.init(key: "code", value: .word(random.pick(["code", "error.code"]))))
        }
        if random.happens(500) { entries.append(.init(key: "error", value: .word("error"))) }
        if entries.contains(where: { $0.key == "code" }), random.happens(400) {
            entries.append(.init(key: "success", value: .list([.word(random.pick(["0", "100"])), .word("90")])))
        }
        return .mapping(entries)
    }

    private mutating func decidedError() -> ContractNode {
        .mapping([
            "category": .word(random.pick(["nonRetryable", "nonRetryable", "retryable", "requiresLogout"])),
            "when": conditions(isOutcome: false),
        ])
    }

    private mutating func conditions(isOutcome: Bool) -> ContractNode {
        let conditions = (0..<1 + random.below(2)).map { _ in condition(isOutcome: isOutcome) }
        return conditions.count == 1 ? conditions[0] : .list(conditions)
    }

    private mutating func condition(isOutcome: Bool) -> ContractNode {
        if !isOutcome, random.happens(80) {
            return .mapping(["transport": .list([.word(random.pick(["dns", "refused", "lost", "timeout", "tls"]))])])
        }
        var entries: [ContractNode.Entry] = []
        if random.happens(600) {
            let parts = (0..<1 + random.below(2)).map { _ -> ContractNode in
                let low = random.pick(Self.statuses)
                return .word(random.happens(300) ? "\(low)..\(low + random.below(12))" : "\(low)")
            }
            entries.append(.init(key: "status", value: parts.count == 1 ? parts[0] : .list(parts)))
        }
        let hasText = random.happens(150)
        if hasText { entries.append(.init(key: "text", value: .text(random.pick(["busy", "*busy", "*busy*", "*"])))) }
        if random.happens(200) {
            let value = ContractNode.text(random.pick(["0", "1*", "*2", "*"]))
            entries.append(.init(key: "header", value: .mapping(["X-Left": value])))
        }
        if !hasText, random.happens(450) {
            let parts = (0..<1 + random.below(2)).map { _ -> ContractNode in
                let low = 10 + random.below(60)
                if random.happens(200) { return .text("c\(low)") }
                return .word(random.happens(300) ? "\(low)..\(low + random.below(9))" : "\(low)")
            }
            entries.append(.init(key: "code", value: parts.count == 1 ? parts[0] : .list(parts)))
        }
        let values = Self.paths.filter { _ in !hasText && random.happens(200) }
        if !values.isEmpty || entries.isEmpty {
            let paths = values.isEmpty ? [random.pick(Self.paths)] : values
            entries.append(
                .init(
                    key: "body",
                    value: .mapping(
                        paths.map {
                            .init(key: $0, value: .text(random.pick(["red", "blue", "17", "true", "re*", "*d"])))
                        })))
        }
        return .mapping(entries)
    }
}
