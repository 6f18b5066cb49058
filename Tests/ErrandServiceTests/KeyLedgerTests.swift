import TestSeeds
import Testing

@testable import ErrandService

@Suite struct KeyLedgerTests {
    private typealias Ledger = KeyLedger<Int, Int>

    /// The response that a request gets by its key: -1 if the key was used for another request, -2 while the request is carried out. Nil if
    /// it is to be carried out.
    private func response(
        _ ledger: Ledger, _ key: Int, _ request: Int?, _ lifetime: Duration?, at now: Duration
    ) -> Int? {
        switch ledger.standing(of: key, for: request, lifetime: lifetime, at: now) {
        case .new: nil
        case .known(let entry): entry.response
        case .taken: -1
        case .underWay: -2
        }
    }

    @Test func aKeyStandsForOneRequestUntilItsLifetimeIsOver() {
        var ledger = Ledger()
        #expect(response(ledger, 1, 7, nil, at: .zero) == nil)
        ledger.note(1, .init(request: 7, 200, size: 10, at: .seconds(5)))
        let table: [(request: Int, lifetime: Duration?, now: Int, response: Int?)] = [
            (7, nil, 1_000_000, 200), (8, nil, 5, -1), (7, .seconds(10), 15, 200), (8, .seconds(10), 15, -1),
            (7, .seconds(10), 16, nil), (8, .seconds(10), 16, nil),
        ]
        for (request, lifetime, now, expected) in table {
            let found = response(ledger, 1, request, lifetime, at: .seconds(now))
            #expect(found == expected, "\(request) with \(String(describing: lifetime)) at \(now)")
        }
        #expect(ledger[1]?.moment == .seconds(5), "what a confirmation finds has no lifetime")
        ledger.note(1, .init(request: 8, 201, outcome: "full", size: 10, at: .seconds(16)))
        #expect(response(ledger, 1, 8, .seconds(10), at: .seconds(26)) == 201 && ledger[1]?.outcome == "full")
        ledger.note(1, .init(request: 9, 202, size: 10, at: .seconds(20), until: .seconds(23)))
        let moments = [20, 22, 23].map { response(ledger, 1, 9, nil, at: .seconds($0)) }
        #expect(moments == [-2, -2, 202] && response(ledger, 1, 7, nil, at: .seconds(21)) == -1)
        ledger.note(2, .init(204, size: 10, at: .zero))
        #expect(response(ledger, 2, nil, nil, at: .zero) == 204, "a service that compares no requests")
    }

    @Test func itKeepsSoManyBytesOfResponses() {
        let most = 1_000
        var ledger = Ledger(mostBytes: most)
        for number in 0..<40 {
            ledger.note(number, .init(number, size: most / 10, at: .zero))
            #expect(ledger.size <= most)
        }
        #expect(ledger[39] != nil, "the latest one is kept")
        #expect(ledger[29] == nil && ledger[30] != nil)
        // One that is too long alone is not kept at all.
        ledger.note(50, .init(0, size: most + 1, at: .zero))
        #expect(ledger.size == 0 && ledger[50] == nil)
    }

    /// The same as a list of all uses, of which the last ones count.
    @Test func itIsAListOfTheLatestUses() {
        let seed = SeededGenerator.newSeed()
        var random = SeededGenerator(seed: seed)
        var ledger = Ledger(mostEntries: 6, mostBytes: 100)
        var list: [(key: Int, request: Int, response: Int, size: Int, moment: Int)] = []
        for step in 0..<5_000 {
            let (key, request) = (random.below(10), random.below(2))
            let wanted = list.last { $0.key == key }.flatMap { use in
                step - use.moment > 20 ? nil : use.request == request ? use.response : -1
            }
            let found = response(ledger, key, request, .seconds(20), at: .seconds(step))
            #expect(found == wanted, "seed \(seed), step \(step)")
            guard found == nil else { continue }
            let size = random.below(40)
            ledger.note(key, .init(request: request, step, size: size, at: .seconds(step)))
            list.removeAll { $0.key == key }
            list = Array((list + [(key, request, step, size, step)]).suffix(6))
            while list.reduce(0, { $0 + $1.size }) > 100 { list.removeFirst() }
            #expect(ledger.size == list.reduce(0) { $0 + $1.size }, "seed \(seed), step \(step)")
        }
    }
}
