extension RegularPattern {
    /// The most pairs of places that a comparison looks at.
    private static let mostPairs = 20_000

    /// Whether another pattern matches each text that this one matches. Nil if that is not known: a pattern has a condition on words or a
    /// general category, or the automatons have too many states together.
    package func isWithin(_ other: RegularPattern) -> Bool? {
        guard let letters = Self.letters(self, other) else { return nil }
        var open = [Pair(own: states(at: [0], isAtStart: true), other: other.states(at: [0], isAtStart: true))]
        var seen = Set(open)
        while let pair = open.popLast() {
            if accepts(pair.own), !other.accepts(pair.other) { return false }
            for letter in letters {
                let own = states(after: letter, from: pair.own)
                guard !own.isEmpty else { continue }
                let next = Pair(own: own, other: other.states(after: letter, from: pair.other))
                if seen.insert(next).inserted { open.append(next) }
            }
            guard seen.count <= Self.mostPairs else { return nil }
        }
        return true
    }

    /// The states of two automatons after the same text.
    private struct Pair: Hashable {
        let own: [Int]
        let other: [Int]
    }

    /// One scalar of each class that no set of both patterns cuts.
    private static func letters(_ one: RegularPattern, _ other: RegularPattern) -> [Unicode.Scalar]? {
        let sets = one.alphabet.sets + other.alphabet.sets
        guard !one.looksAtWords, !other.looksAtWords, sets.allSatisfy({ $0.categories == 0 }) else { return nil }
        var bounds: Set<UInt32> = [0]
        for range in sets.flatMap(\.ranges) { bounds.formUnion([range.lowerBound, range.upperBound + 1]) }
        // No text has a half of a pair of UTF-16, so what follows these halves stands for a class that begins within them.
        return Set(bounds.map { (0xD800...0xDFFF).contains($0) ? 0xE000 : $0 }).sorted().compactMap(Unicode.Scalar.init)
    }

    private func states(after letter: Unicode.Scalar, from states: [Int]) -> [Int] {
        let next = states.filter { place in
            if case .consume(let set) = program[place] { alphabet.sets[Int(set)].contains(letter) } else { false }
        }
        return self.states(at: next.map { $0 + 1 }, isAtStart: false)
    }

    /// The places that are reached without a scalar and that decide something: those that take a scalar, and conditions on the end.
    private func states(at places: [Int], isAtStart: Bool) -> [Int] {
        var reached: Set<Int> = []
        var open = places
        while let place = open.popLast() {
            guard reached.insert(place).inserted else { continue }
            switch program[place] {
            case .split(let one, let other): open += [place + Int(one), place + Int(other)]
            case .jump(let distance): open.append(place + Int(distance))
            case .assert(.start): if isAtStart { open.append(place + 1) }
            case .consume, .accept, .assert: break
            }
        }
        return reached.filter { place in
            switch program[place] {
            case .consume, .accept, .assert(.end): true
            default: false
            }
        }.sorted()
    }

    /// Whether the text may end in one of the states.
    private func accepts(_ states: [Int]) -> Bool {
        var reached: Set<Int> = []
        var open = states
        while let place = open.popLast() {
            guard reached.insert(place).inserted else { continue }
            switch program[place] {
            case .accept: return true
            case .split(let one, let other): open += [place + Int(one), place + Int(other)]
            case .jump(let distance): open.append(place + Int(distance))
            case .assert(.end): open.append(place + 1)
            case .consume, .assert: break
            }
        }
        return false
    }
}
