import Diagnostics

/// What goes along with a contract and is no part of it: the comments above its keys, and the places that its parts are from.
///
/// An import makes a contract and its notes. It makes no text itself, because ``ContractPrinter`` prints both.
package struct ContractNotes: Sendable {
    /// A comment above a key.
    package struct Note: Sendable {
        /// The keys that lead to it, such as `endpoints`, `getUser`. Empty for the contract itself.
        package var place: [String]
        package var lines: [String]
        /// What a person should review; `nil` for every other comment.
        package var review: String?
        /// Whether it is a heading, which a blank line separates from what follows.
        package var isHeading = false
    }

    /// The part of another document that a part of the contract is from.
    package struct Origin: Sendable {
        package var pointer: String
        package var range: SourceRange

        package init(pointer: String, range: SourceRange) {
            self.pointer = pointer
            self.range = range
        }
    }

    /// In the order in which they were added.
    package private(set) var notes: [Note] = []
    private var origins: [[String]: Origin] = [:]

    package init() {}

    package mutating func add(
        _ lines: [String], at place: [String], review: String? = nil, isHeading: Bool = false
    ) {
        notes.append(Note(place: place, lines: lines, review: review, isHeading: isHeading))
    }

    package mutating func set(_ origin: Origin, at place: [String]) { origins[place] = origin }

    /// Where the part at a place is from, or the smallest part around it whose origin was recorded.
    package func origin(around place: [String]) -> Origin? {
        var place = place
        while !place.isEmpty {
            if let origin = origins[place] { return origin }
            place.removeLast()
        }
        return nil
    }
}

/// The notes by the keys that lead to them.
struct NoteTree {
    private(set) var notes: [ContractNotes.Note] = []
    private var parts: [String: NoteTree] = [:]

    init(_ all: ContractNotes) {
        for note in all.notes { add(note, at: note.place[...]) }
    }

    private init() {}

    private mutating func add(_ note: ContractNotes.Note, at place: ArraySlice<String>) {
        guard let key = place.first else { return notes.append(note) }
        parts[key, default: NoteTree()].add(note, at: place.dropFirst())
    }

    /// The notes at a key. The place of a field is the same whether its structure has the long form or not.
    ///
    /// - Parameter hasFieldsBelow: Whether the key `fields` is one of the language, below which are the fields.
    func part(_ key: String, hasFieldsBelow: Bool) -> NoteTree? {
        guard !parts.isEmpty else { return nil }
        return hasFieldsBelow && key == "fields" ? inside : parts[key]
    }

    private var inside: NoteTree {
        var tree = self
        tree.notes = []
        return tree
    }

    /// The notes of the value and of everything in it, by the order in which the value has its keys. A value that is printed in a
    /// shorter form does not have all of them.
    func all(of value: PrintedNode, _ layout: ContractLayout) -> [ContractNotes.Note] {
        guard !parts.isEmpty else { return notes }
        var pairs: [(key: String, value: PrintedNode)] = []
        if case .mapping(let all) = value { pairs = all }
        let known = Set(pairs.map(\.key))
        let hasFieldsBelow = layout.hasFieldsBelow(pairs.map(\.key))
        let others = parts.keys.filter { !known.contains($0) }.sorted()
        return notes
            + pairs.flatMap {
                part($0.key, hasFieldsBelow: hasFieldsBelow)?
                    .all(of: $0.value, layout.layout(of: $0.key, hasFieldsBelow: hasFieldsBelow)) ?? []
            } + (hasFieldsBelow ? [] : others.flatMap { parts[$0]?.all(of: value, layout) ?? [] })
    }
}
