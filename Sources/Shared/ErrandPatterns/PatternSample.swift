extension RegularPattern {
    /// The most scalars of a sample.
    package static let longestSample = 256

    /// The shortest text that the pattern matches and that has at least so many scalars. Nil if there is none of at most
    /// ``longestSample`` scalars, or if only a condition on words would tell.
    ///
    /// - Parameter choose: picks one of so many scalars, so that two samples differ.
    package func sample(ofAtLeast least: Int, choose: (Int) -> Int) -> String? {
        // Layer by layer: the places that are reached after so many scalars, and the `consume` that led to each.
        var layers: [[Int: Int]] = []
        var reached: [Int: Int] = closure(of: [0: -1], isAtStart: true)
        while layers.count <= Self.longestSample {
            layers.append(reached)
            if layers.count > least, let end = reached.keys.sorted().first(where: { program[$0] == .accept }),
                let text = text(endingAt: end, layers, choose)
            {
                return text
            }
            var next: [Int: Int] = [:]
            for place in reached.keys.sorted() {
                if case .consume = program[place], next[place + 1] == nil { next[place + 1] = place }
            }
            if next.isEmpty { return nil }
            reached = closure(of: next, isAtStart: false)
        }
        return nil
    }

    /// The places that are reached without a scalar, with the `consume` before them.
    private func closure(of start: [Int: Int], isAtStart: Bool) -> [Int: Int] {
        var reached: [Int: Int] = [:]
        var open = start.sorted { $0.key > $1.key }.map { (place: $0.key, origin: $0.value) }
        while let (place, origin) = open.popLast() {
            guard reached[place] == nil else { continue }
            reached[place] = origin
            switch program[place] {
            case .consume, .accept: break
            case .split(let one, let other):
                open.append((place + Int(other), origin))
                open.append((place + Int(one), origin))
            case .jump(let distance): open.append((place + Int(distance), origin))
            case .assert(.start): if isAtStart { open.append((place + 1, origin)) }
            case .assert: open.append((place + 1, origin))
            }
        }
        return reached
    }

    private func text(endingAt end: Int, _ layers: [[Int: Int]], _ choose: (Int) -> Int) -> String? {
        var places: [Int] = []
        var place = end
        for layer in layers.reversed() {
            guard let origin = layer[place] else { return nil }
            if origin < 0 { break }
            places.append(origin)
            place = origin
        }
        var text = ""
        for place in places.reversed() {
            guard case .consume(let set) = program[place],
                let scalar = Self.scalar(of: alphabet.sets[Int(set)], choose)
            else { return nil }
            text.unicodeScalars.append(scalar)
        }
        return matches(text) ? text : nil
    }

    /// A scalar of a set: a small letter or a digit if there is one, then any other visible ASCII, then the first of all.
    private static func scalar(of set: ScalarSet, _ choose: (Int) -> Int) -> Unicode.Scalar? {
        let visible = (UInt8(0x21)...0x7E).map { Unicode.Scalar($0) }.filter(set.contains)
        let plain = visible.filter { $0.properties.isLowercase || ("0"..."9").contains($0) }
        for candidates in [plain, visible] where !candidates.isEmpty {
            return candidates[min(max(0, choose(candidates.count)), candidates.count - 1)]
        }
        if set.contains(" ") { return " " }
        return (UInt32(0xA0)...0x2FFF).lazy.compactMap { Unicode.Scalar($0) }.first(where: set.contains)
    }
}
