import TestSeeds
import Testing

@testable import ErrandService

@Suite struct SessionDeskTests {
    private let most = 1_000

    /// Each user is another one, also after more of them than the server remembers.
    @Test func usersStayTwoWithManySessions() {
        var desk = SessionDesk<Int>(most: most)
        let numbers = Set((0..<(most + 100)).map { desk.user(named: $0) })
        #expect(numbers.count == most + 100)
        let known = desk.user(named: most + 99)
        #expect(known == most + 100, "a user who comes back is the same one")
    }

    @Test func aTokenThatWasRevokedStaysRefused() {
        var desk = SessionDesk<String>(most: most)
        func isTaken(_ token: String) -> Bool {
            desk.accept(token)
            return desk.takes(token, at: .zero)
        }
        for number in 0..<(most + 10) { desk.revoke("foreign-\(number)") }
        #expect(!isTaken("foreign-\(most + 9)"))
        for number in 0..<(most + 10) { _ = isTaken("other-\(number)") }
        desk.expireAll()
        #expect(!isTaken("other-\(most + 9)") && !isTaken("other-100"))
        #expect(isTaken("new"))
    }

    /// Tokens that were used up are no reason to forget one that is still good.
    @Test func aRefreshTokenOutlastsThoseThatWereUsed() {
        var desk = SessionDesk<Int>(most: most)
        desk.issue(refresh: 0, to: 1)
        for number in 1...(most + 10) {
            desk.issue(refresh: number, to: 2)
            let user = desk.user(ofRefresh: number, isUsedUp: true)
            #expect(user == 2)
        }
        let users = [false, true, true].map { desk.user(ofRefresh: 0, isUsedUp: $0) }
        #expect(users == [1, 1, nil])
    }

    /// The same as what happened to each token, read again for every question.
    @Test func aTokenIsTakenUnlessSomethingEndedIt() {
        enum Act {
            case issued(user: Int, end: Int?)
            case accepted, revoked, allEnded, allEndedForGood
            case refresh(user: Int)
        }
        let seed = SeededGenerator.newSeed()
        var random = SeededGenerator(seed: seed)
        var desk = SessionDesk<Int>()
        var acts: [(token: Int, act: Act)] = []
        for now in 0..<2_000 {
            let token = random.below(40)
            switch random.below(24) {
            case 0...3:
                let (user, end) = (random.below(5), random.below(2) == 0 ? nil : now + random.below(60))
                desk.issue(access: token, to: user, until: end.map { .seconds($0) })
                acts.append((token, .issued(user: user, end: end)))
            case 4, 5:
                desk.accept(token)
                acts.append((token, .accepted))
            case 6:
                desk.revoke(token)
                acts.append((token, .revoked))
            case 7, 8:
                desk.issue(refresh: token, to: now)
                acts.append((token, .refresh(user: now)))
            case 9 where random.below(4) == 0:
                let isForGood = random.below(2) == 0
                desk.expireAll(refreshTokens: isForGood)
                acts.append((-1, isForGood ? .allEndedForGood : .allEnded))
            default: break
            }
            var (isKnown, isGood, owner, renewed) = (false, false, Int?.none, Int?.none)
            var end: Int?
            for (other, act) in acts where other == token || other == -1 {
                switch act {
                case .issued(let user, let until): (isKnown, isGood, owner, end) = (true, true, user, until)
                case .accepted: if !isKnown { (isKnown, isGood, end) = (true, true, nil) }
                case .revoked: (isKnown, isGood) = (true, false)
                case .allEnded: isGood = false
                case .allEndedForGood: (isGood, renewed) = (false, nil)
                case .refresh(let user): renewed = user
                }
            }
            let isTaken = isGood && end.map { now < $0 } ?? true
            #expect(desk.takes(token, at: .seconds(now)) == isTaken, "seed \(seed), step \(now)")
            #expect(desk.owner(of: token) == owner, "seed \(seed), step \(now)")
            let user = desk.user(ofRefresh: token, isUsedUp: false)
            #expect(user == renewed, "seed \(seed), step \(now)")
        }
    }
}
