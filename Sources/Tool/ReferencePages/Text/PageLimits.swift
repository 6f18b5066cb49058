/// How much of each list and of each text a page has at most.
///
/// A page that is too large all the same is made again with smaller limits. This never happens to contracts that people write.
struct PageLimits {
    /// A list that would make a longer page is split. A few links more cannot make a page larger than 300 kB.
    static let mostBytes = 270_000

    /// Characters of a text.
    var text = 32_000
    /// Rows of a table, or entries of a list.
    var rows = 400
    /// Examples of an endpoint.
    var examples = 20

    /// Characters of a value: of a text that is cut, with the words that say so. No URL of a page is longer than the smallest limit,
    /// so none is cut.
    var value: Int { max(text, 400) + 80 }

    var halved: PageLimits {
        PageLimits(text: max(text / 2, 1), rows: max(rows / 2, 1), examples: examples / 2)
    }

    /// Whether there is something left to leave out.
    var canShrink: Bool { text > 1 || rows > 1 }

    /// The first result that is not too large, or the smallest one.
    static func fitting<Result>(_ make: (PageLimits) -> Result, isTooLarge: (Result) -> Bool) -> Result {
        var limits = PageLimits()
        var result = make(limits)
        while isTooLarge(result), limits.canShrink {
            limits = limits.halved
            result = make(limits)
        }
        return result
    }
}
