/// A list by its pages, and the limits with which each of them is small enough.
struct PageParts<Entry> {
    private(set) var parts: [[Entry]]
    let limits: PageLimits

    /// Splits a list so that no page is too large. An entry that is too large for a page of its own is made again with smaller limits.
    ///
    /// - Parameter render: makes a page of some entries, which is the first one of the list or a further one.
    init(_ make: (PageLimits) -> [Entry], render: ([Entry], _ isFirst: Bool, PageLimits) -> String) {
        func isTooLarge(_ entries: [Entry], isFirst: Bool, _ limits: PageLimits) -> Bool {
            entries.count <= 1 && render(entries, isFirst, limits).utf8.count > PageLimits.mostBytes
        }
        self = PageLimits.fitting { limits in
            let entries = make(limits)
            // What the first page says beside its entries would make each division as large as it is.
            if limits.canShrink, isTooLarge(Array(entries.prefix(1)), isFirst: true, limits) {
                return PageParts(parts: [Array(entries.prefix(1))], limits: limits)
            }
            return PageParts(parts: Self.split(entries, isFirst: true) { render($0, $1, limits) }, limits: limits)
        } isTooLarge: { made in
            made.parts.enumerated().contains { isTooLarge($1, isFirst: $0 == 0, made.limits) }
        }
    }

    private init(parts: [[Entry]], limits: PageLimits) {
        self.parts = parts
        self.limits = limits
    }

    /// The same entries, made anew, by the same pages.
    func divided(_ entries: [Entry]) -> [[Entry]] {
        var position = 0
        return parts.map { part in
            defer { position += part.count }
            return Array(entries[position..<position + part.count])
        }
    }

    /// The entries of a list by pages, of which none with several entries is too large.
    private static func split(
        _ entries: [Entry], isFirst: Bool, _ render: ([Entry], _ isFirst: Bool) -> String
    ) -> [[Entry]] {
        let size = render(entries, isFirst).utf8.count
        guard size > PageLimits.mostBytes, entries.count > 1 else { return [entries] }
        let parts = size / PageLimits.mostBytes + 1
        let length = max(1, min(entries.count - 1, (entries.count + parts - 1) / parts))
        return entries.chunks(of: length).enumerated().flatMap { position, chunk in
            split(Array(chunk), isFirst: isFirst && position == 0, render)
        }
    }
}

extension Link {
    /// Parts that a page links to on each side of itself, beside the first and the last one.
    private static let mostNeighbors = 20

    /// The links between the pages of a list; none for one page.
    static func parts(_ part: Int, of count: Int, file: (Int) -> String) -> [Link] {
        guard count > 1 else { return [] }
        let near = max(1, part - mostNeighbors)...min(count, part + mostNeighbors)
        let numbers = (near.lowerBound > 1 ? [1] : []) + near + (near.upperBound < count ? [count] : [])
        return numbers.map { Link(name: "\($0)", href: file($0), isCurrent: $0 == part) }
    }
}
