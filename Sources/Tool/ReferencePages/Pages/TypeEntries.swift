import ContractModel

/// Makes the entries of a contract's types.
struct TypeEntries {
    let contract: ResolvedContract
    let links: SiteLinks
    /// An entry with more rows goes on in a further one.
    let limits: PageLimits

    private var rows: FieldRows { FieldRows(links: links, limits: limits) }
    private var prose: Prose { Prose(limits: limits) }

    var all: [TypesInput.TypeEntry] {
        contract.types.flatMap(entries) + contract.events.flatMap(entries)
    }

    private func entries(_ type: TypeDefinition) -> [TypesInput.TypeEntry] {
        var entry = TypesInput.TypeEntry(
            name: FieldRows.title(type.name.value), anchor: links.anchor(ofType: type.name.value), kind: "",
            doc: prose.paragraphs(type.doc), deprecation: prose.deprecation(type.deprecated), remarks: [],
            cases: [])
        switch type.form {
        case .structure(let fields):
            entry.kind = "structure"
            return split(fields, of: entry)
        case .enumeration(let enumeration):
            entry.kind = "enumeration"
            entry.remarks = [
                Prose.sentence(
                    enumeration.isClosed
                        ? "it has no other values: a client refuses them"
                        : "a client keeps a value that it does not know as `unrecognized`")
            ]
            return split(
                enumeration.cases.map { item in
                    let texts = item.wireValues.map(\.value).filter {
                        $0 != item.name.value || item.wireValues.count > 1
                    }
                    let meaning = texts.enumerated().flatMap { position, text in
                        [Run.text(position == 0 ? "On the wire: " : ", also "), .code(text)]
                    }
                    return TypesInput.CaseEntry(name: item.name.value, meaning: meaning)
                }, of: entry)
        case .union(let union):
            entry.kind = "union"
            let other = union.otherCase.map { _ in ", and every other object is the case `\(UnionDefinition.others)`" }
            entry.remarks = [Prose.sentence(Self.words(union.distinction) + (other ?? ""))]
            return split(
                union.cases.map { TypesInput.CaseEntry(name: $0.name.value, meaning: rows.type($0.type)) }, of: entry)
        case .alias(let target, let constraints):
            entry.kind = "alias"
            entry.remarks = [Paragraph(runs: [.text("Another name for ")] + rows.type(target) + [.text(".")])]
            entry.remarks += FieldRows.facts(constraints).map(Paragraph.init)
            return [entry]
        }
    }

    private func entries(_ event: EventDefinition) -> [TypesInput.TypeEntry] {
        let entry = TypesInput.TypeEntry(
            name: event.name.value, anchor: links.anchor(ofEvent: event.name.value), kind: "event",
            doc: prose.paragraphs(event.doc), deprecation: [], remarks: [], cases: [])
        switch event.data {
        case .fields(let fields): return split(fields, of: entry)
        case .type(let type, _):
            var entry = entry
            entry.remarks = [
                Paragraph(runs: [.text("Its data is a value of ")] + rows.type(type) + [.text(".")])
            ]
            return [entry]
        case nil: return [entry]
        }
    }

    private static func words(_ distinction: UnionDefinition.Distinction) -> String {
        switch distinction {
        case .value(let key, _): "the value of `\(key.value)` tells the cases apart"
        case .key: "each case has a key that only it has"
        case .kind: "the kind of the JSON value tells the cases apart"
        }
    }

    private func split(_ fields: [FieldDefinition], of entry: TypesInput.TypeEntry) -> [TypesInput.TypeEntry] {
        return split(fields, of: entry) { $0.fields = rows.table("Fields of \($0.name)", Array($1)) }
    }

    private func split(_ cases: [TypesInput.CaseEntry], of entry: TypesInput.TypeEntry) -> [TypesInput.TypeEntry] {
        split(cases, of: entry) { $0.cases = Array($1) }
    }

    private func split<Part>(
        _ parts: [Part], of entry: TypesInput.TypeEntry,
        _ fill: (inout TypesInput.TypeEntry, ArraySlice<Part>) -> Void
    ) -> [TypesInput.TypeEntry] {
        guard !parts.isEmpty else { return [entry] }
        return parts.chunks(of: limits.rows).enumerated().map { position, part in
            var entry = entry
            if position > 0 { (entry.isContinued, entry.doc, entry.remarks) = (true, [], []) }
            fill(&entry, part)
            return entry
        }
    }
}
