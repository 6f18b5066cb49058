import ContractModel

// Gives everything its name once it is known what there is: endpoints first, then the types that the document names, then
// the parts of these.
extension ContractPlan {
    /// Names the envelopes, and finds the one of most endpoints.
    mutating func nameEnvelopes() {
        var counts: [PlannedEnvelope: Int] = [:]
        var taken: Set<String> = ["none"]
        for endpoint in endpoints {
            guard let envelope = endpoint.envelope else { continue }
            if counts.updateValue(counts[envelope, default: 0] + 1, forKey: envelope) == nil {
                envelopes.append(("", envelope))
            }
        }
        envelopes = envelopes.enumerated().sorted { left, right in
            let (one, other) = (counts[left.element.envelope] ?? 0, counts[right.element.envelope] ?? 0)
            return one == other ? left.offset < right.offset : one > other
        }.map(\.element)
        for position in envelopes.indices {
            let envelope = envelopes[position].envelope
            let parts = [envelope.data, envelope.error ?? envelope.code].compactMap { $0 }
            let own = NameText.valueName(parts.joined(separator: " "))
            let name = NameText.free(position == 0 ? "standard" : own, taken, [own])
            taken.insert(NameText.folded(name))
            envelopes[position].name = name
        }
        if let first = envelopes.first, (counts[first.envelope] ?? 0) * 2 > endpoints.count {
            defaultEnvelope = first.name
        }
    }

    /// Makes a group of each tag. A group's name is that of no endpoint, because both are members of the client.
    mutating func nameGroups() {
        let commands = endpoints.map { NameText.folded($0.name) }
        // The type of the group `news` is `NewsGroup`, as is the command of an endpoint `newsGroup`.
        let types = commands.filter { $0.hasSuffix("group") }.map { String($0.dropLast("group".count)) }
        var taken = SwiftWords.clientMembers.union(commands).union(types)
        var numbers: [String: Int] = [:]
        var seen = Set<String>()
        for tag in endpoints.compactMap(\.tag) where seen.insert(tag).inserted {
            let wanted = NameText.valueName(tag)
            let name = NameText.free(wanted, taken, [wanted + "Group"], &numbers)
            taken.insert(NameText.folded(name))
            groups.append((tag, name))
        }
    }

    /// Names the types. `taken` are the names of commands, folded.
    mutating func nameTypes(_ entries: [PlannedTypeEntry], taken commands: Set<String>) {
        var taken = SwiftWords.types.union(commands).union([NameText.folded(service)])
        let components = entries.compactMap { if case .component(let name) = $0.origin { name } else { nil } }
        let prefix = Self.sharedPrefix(components)
        let ends = Self.ends(components)
        func short(_ name: String) -> String {
            NameText.typeName(ends[name] ?? (name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : name))
        }
        var numbers: [String: Int] = [:]
        var received = Set<ElementKey>()
        var byNumber: [Int: PlannedTypeEntry] = [:]
        for entry in entries {
            byNumber[entry.number] = entry
            if entry.direction != .request { received.insert(entry.place) }
        }
        for entry in entries {
            guard case .component(let name) = entry.origin else { continue }
            let short = short(name)
            // A schema with parts that are only received becomes another type in requests.
            let isInput = entry.direction == .request && received.contains(entry.place)
            let wanted = short + (isInput && !entry.isUpdate ? "Input" : entry.nameEnd)
            entry.name = NameText.free(
                wanted, taken, [wanted + Self.suffix(of: entry), wanted + "Data", wanted + "Model"], &numbers)
            taken.insert(NameText.folded(entry.name))
        }
        for entry in entries where entry.name.isEmpty {
            var wanted: String
            switch entry.origin {
            case .component(let name): wanted = NameText.typeName(name)
            case .part(let parent, let part):
                let whole = (byNumber[parent]?.name ?? "") + NameText.typeName(part)
                // Names of parts of parts grow with each step.
                wanted = whole.utf8.count > Self.longestName ? NameText.typeName(part) : whole
            case .property(let owner, let part): wanted = short(owner) + NameText.typeName(part)
            case .endpoint(let name, _): wanted = NameText.typeName(name)
            }
            wanted += entry.nameEnd
            var others = entry.fallback.map { [NameText.typeName($0)] } ?? []
            if entry.sharedName != nil { others.append(wanted) }
            entry.name = NameText.free(
                entry.sharedName ?? wanted, taken, others + [wanted + Self.suffix(of: entry), wanted + "Data"],
                &numbers)
            taken.insert(NameText.folded(entry.name))
        }
    }

    static let longestName = 120

    private static func suffix(of entry: PlannedTypeEntry) -> String {
        switch entry.form {
        case .structure: "Body"
        case .enumeration: "Kind"
        case .union: "Variant"
        case .alias: "Value"
        }
    }

    /// The shortest end of each name with a path of packages in front that no other name has: `Pod` of
    /// `io.k8s.api.core.v1.Pod`, and `core.v1.Event` beside `events.v1.Event`.
    private static func ends(_ names: [String]) -> [String: String] {
        var counts: [String: Int] = [:]
        let parts = Set(names).sorted().map { name in
            (name: name, parts: name.split(separator: ".").map(String.init))
        }
        func end(_ parts: [String], _ count: Int) -> String { parts.suffix(count).joined(separator: ".") }
        for (_, parts) in parts {
            for count in 1...max(1, min(parts.count, 8)) {
                counts[NameText.folded(NameText.typeName(end(parts, count))), default: 0] += 1
            }
        }
        var ends: [String: String] = [:]
        for (name, parts) in parts where parts.count > 2 {
            ends[name] = (1...min(parts.count, 8)).lazy.map { end(parts, $0) }.first { end in
                let isVersion = end.first == "v" && end.dropFirst().first?.isNumber == true && !end.contains(".")
                // `main` of `odata.error.main` is no name of a type.
                return !isVersion && end.first?.isLetter == true
                    && (end.contains(".") || end.first?.isUppercase == true)
                    && counts[NameText.folded(NameText.typeName(end))] == 1
            }
        }
        return ends
    }

    /// The common prefix of many names, up to a dot: `conversations.v1.`
    private static func sharedPrefix(_ names: [String]) -> String {
        guard names.count > 2 else { return "" }
        var counts: [String: Int] = [:]
        for name in names {
            var prefix = ""
            for part in name.split(separator: ".", omittingEmptySubsequences: false).dropLast().prefix(6) {
                prefix += part + "."
                counts[prefix, default: 0] += 1
            }
        }
        let common = counts.filter { 3 * $0.value > names.count }.keys
        return common.max { ($0.count, $1) < ($1.count, $0) } ?? ""
    }
}

/// Names for fields of one structure.
enum FieldNames {
    /// Gives each field its name, unlike every other one's in the same place.
    ///
    /// - Parameter shape: how the document writes names of several words, which says what `naming` the contract has.
    static func name(_ fields: inout [PlannedField], taken: inout Set<String>, beside place: String? = nil) {
        let elsewhere = taken
        // `type` keeps its name, whether `Type` comes before it or not.
        let plain = fields.indices.filter { NameText.valueName(fields[$0].wire) == fields[$0].wire }
        let others = fields.indices.filter { !plain.contains($0) }
        for position in plain + others {
            let wire = fields[position].wire
            var name = NameText.valueName(wire)
            if !wire.contains(where: { $0.isLetter || $0.isNumber }) { name = NameText.spelled(wire) }
            if !NameText.isFree(name, taken) {
                let spelled = NameText.spelled(wire)
                let isElsewhere = elsewhere.contains(NameText.folded(name))
                let placed = isElsewhere ? place.map { $0 + NameWords.capitalized(name) } : nil
                let others = [placed, spelled, name + "Value"].compactMap { $0 }
                name = NameText.free(name, taken, others)
            }
            taken.insert(NameText.folded(name))
            fields[position].name = name
        }
    }

    /// How a document writes names of several words: `snake_case`, or no way that all follow.
    static func naming(of wires: some Sequence<String>) -> WireNaming {
        var snakes = 0
        var others = 0
        for wire in wires {
            if wire.contains("_"), wire == wire.lowercased() {
                snakes += 1
            } else if wire.contains("-") || wire.contains(where: \.isUppercase) {
                others += 1
            }
        }
        return snakes > 2 && snakes > 4 * others ? .snakeCase : .asWritten
    }
}
