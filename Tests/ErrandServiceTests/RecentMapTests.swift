import TestSeeds
import Testing

@testable import ErrandService

@Suite struct RecentMapTests {
    @Test func theOldestIsForgotten() {
        var map = RecentMap<Int, String>(most: 3)
        for number in 0..<3 { map[number] = "\(number)" }
        map[0] = "again"
        #expect(map[0] == "again" && map.keys == [0, 1, 2])
        map[1] = nil
        map[3] = "3"
        #expect(map.count == 3 && map.keys == [0, 2, 3], "what was removed makes room")
        map[4] = "4"
        #expect(map[0] == nil && map.keys == [2, 3, 4])
        map[2] = nil
        map[2] = "anew"
        map[5] = "5"
        #expect(map.keys == [4, 2, 5] && map[2] == "anew", "what comes back is the latest")
        for number in 10..<1_000 { map[number] = "\(number)" }
        #expect(map.keys == [997, 998, 999])
        map.removeAll()
        #expect(map.count == 0 && map.keys.isEmpty && map[999] == nil)
    }

    /// The same as a list that is searched for each key.
    @Test func itIsAListWithABound() {
        let seed = SeededGenerator.newSeed()
        var random = SeededGenerator(seed: seed)
        var map = RecentMap<Int, Int>(most: 5)
        var list: [(key: Int, value: Int)] = []
        for step in 0..<5_000 {
            let key = random.below(9)
            switch random.below(8) {
            case 0:
                let removed = map.removeOldest()
                #expect(removed == list.first?.value, "seed \(seed), step \(step)")
                list = Array(list.dropFirst())
            case 1, 2:
                map[key] = nil
                list.removeAll { $0.key == key }
            default:
                map[key] = step
                if let place = list.firstIndex(where: { $0.key == key }) {
                    list[place].value = step
                } else {
                    list = Array((list + [(key, step)]).suffix(5))
                }
            }
            #expect(map.keys == list.map(\.key), "seed \(seed), step \(step)")
            let isSame = list.allSatisfy { map[$0.key] == $0.value } && map.count == list.count
            #expect(isSame, "seed \(seed), step \(step)")
        }
    }
}
