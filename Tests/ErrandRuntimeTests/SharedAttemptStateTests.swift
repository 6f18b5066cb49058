import Testing

@testable import ErrandRuntime

/// Which reads share an attempt, against a model that looks through all attempts there ever were.
@Suite struct SharedAttemptStateTests {
    /// One attempt, as the model knows it.
    private struct Known {
        let attempt: SharedAttempt
        let key: Int
        let begun: Int
        let limit: Int
        var waiters: [Int]
        var isOver = false
        /// Whether a write has ended since it was begun.
        var isOutdated = false
    }

    private struct Place {
        let attempt: SharedAttempt
        let number: Int
        let waiter: Int
    }

    @Test(arguments: 1...40) func aReadNeverJoinsWhatItMustNot(_ seed: UInt64) {
        var chance = SeededGenerator(seed: seed)
        func random(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &chance) }
        var state = SharedAttemptState<Int, Int>()
        var known: [Known] = []
        var places: [Place] = []
        var now = 0
        var joins = 0
        for waiter in 1...400 {
            now += random(3)
            switch random(10) {
            case 0:
                state.close()
                for index in known.indices { known[index].isOutdated = true }
            case 1, 2:
                guard !places.isEmpty else { continue }
                let place = places.remove(at: random(places.count))
                let isLast = state.leave(place.attempt, place.number)
                guard let index = known.firstIndex(where: { $0.attempt === place.attempt }) else { continue }
                let wasThere = !known[index].isOver
                known[index].waiters.removeAll { $0 == place.waiter }
                let isEmpty = wasThere && known[index].waiters.isEmpty
                #expect(isLast == isEmpty, "seed \(seed), waiter \(waiter)")
                if isEmpty { known[index].isOver = true }
                let isLastAgain = state.leave(place.attempt, place.number)
                #expect(!isLastAgain, "a place is given up once")
            case 3:
                guard let index = known.indices.randomElement(using: &chance) else { continue }
                let told = state.end(known[index].attempt)
                #expect(told == (known[index].isOver ? [] : known[index].waiters), "seed \(seed), waiter \(waiter)")
                known[index].isOver = true
            default:
                let (key, limit) = (random(3), 1 + random(20))
                // Of several equal ones, the youngest is the one to join.
                let youngest = known.lastIndex { $0.key == key && !$0.isOver && !$0.isOutdated }
                let mayJoin = youngest.map { index in
                    let age = now - known[index].begun
                    return age < known[index].limit && age + limit <= 2 * known[index].limit
                }
                let joined = state.join(key, waiter, limit: .seconds(limit), at: .seconds(now))
                if let joined {
                    joins += 1
                    #expect(mayJoin == true, "seed \(seed), waiter \(waiter)")
                    guard let youngest else { continue }
                    #expect(known[youngest].attempt === joined.attempt, "seed \(seed), waiter \(waiter)")
                    known[youngest].waiters.append(waiter)
                    places.append(Place(attempt: joined.attempt, number: joined.number, waiter: waiter))
                } else {
                    #expect(mayJoin != true, "seed \(seed), waiter \(waiter)")
                    let begun = state.begin(
                        SharedAttempt(), key, waiter, limit: .seconds(limit), at: .seconds(now))
                    // The one before takes no one any more.
                    if let youngest { known[youngest].isOutdated = true }
                    known.append(
                        Known(attempt: begun.attempt, key: key, begun: now, limit: limit, waiters: [waiter]))
                    places.append(Place(attempt: begun.attempt, number: begun.number, waiter: waiter))
                }
            }
            #expect(state.counts.attempts == known.filter { !$0.isOver }.count, "seed \(seed), waiter \(waiter)")
        }
        #expect(joins > 20, "seed \(seed)")
    }
}
