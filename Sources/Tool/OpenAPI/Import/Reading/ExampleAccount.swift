import Diagnostics

/// What becomes of the examples of a document: each is in the contract, contradicts its type, or is lost.
struct ExampleAccount {
    private struct Entry {
        let element: Element
        /// What it is an example of, in a finding: `schemas`.
        let what: String
        var isKept = false
        /// Why it does not fit its type.
        var problem: String?
    }

    private var seen = Set<ElementKey>()
    private var entries: [SourceRange: Entry] = [:]
    /// The places of the examples, in the order in which they were seen.
    private var places: [SourceRange] = []

    mutating func see(_ element: Element, of what: String) {
        // A schema is examined several times.
        guard seen.insert(element.key).inserted else { return }
        places.append(element.range)
        entries[element.range] = Entry(element: element, what: what)
    }

    /// The contract has the example at a place of the document, or says the same without it.
    mutating func keep(_ place: SourceRange) { entries[place]?.isKept = true }

    mutating func contradict(_ place: SourceRange, _ problem: String) { entries[place]?.problem = problem }

    /// The examples that the contract does not have, with the reason why they do not fit.
    var lost: [(element: Element, what: String, problem: String?)] {
        places.compactMap { place in
            entries[place].flatMap { $0.isKept ? nil : ($0.element, $0.what, $0.problem) }
        }
    }
}
