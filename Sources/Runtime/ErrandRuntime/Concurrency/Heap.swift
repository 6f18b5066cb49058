/// A binary heap: the least element can be looked at, and putting one in or taking it out costs the logarithm of their number.
package struct Heap<Element: Comparable & Sendable>: Sendable {
    private var elements: [Element] = []

    package init() {}

    package var count: Int { elements.count }
    package var first: Element? { elements.first }

    package mutating func insert(_ element: Element) {
        elements.append(element)
        var child = elements.count - 1
        while child > 0, elements[child] < elements[(child - 1) / 2] {
            elements.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    package mutating func removeFirst() {
        guard let last = elements.popLast(), !elements.isEmpty else { return }
        elements[0] = last
        sink(0)
    }

    /// Drops all elements that are not wanted any more.
    package mutating func keep(_ isWanted: (Element) -> Bool) {
        elements.removeAll { !isWanted($0) }
        for index in stride(from: elements.count / 2 - 1, through: 0, by: -1) { sink(index) }
    }

    private mutating func sink(_ index: Int) {
        var parent = index
        while true {
            let left = 2 * parent + 1
            guard left < elements.count else { return }
            let right = left + 1
            let child = right < elements.count && elements[right] < elements[left] ? right : left
            guard elements[child] < elements[parent] else { return }
            elements.swapAt(parent, child)
            parent = child
        }
    }
}
