import AuthClient
import Foundation
import FriendsClient
import TestServices
import Testing

/// Each endpoint of the social network without faults.
@Suite(.serialized) struct FriendsSuccessTests {
    @Test func listsAndReadsUsers() async throws {
        let network = try await Network.start()
        let users = try await network.friends.listUsers(page: 2, size: 5)
        #expect(users.map(\.id) == [6, 7, 8, 9, 10])
        let user = try await network.friends.getUser(userID: 1)
        #expect(user.handle == "user1" && user.name == "Grace 1" && user.email == "user1@example.org")
        #expect(user.birthday == CalendarDate("1990-02-28") && user.verified && user.tags == ["a", "b"])
        #expect(user.joinedAt == Date(timeIntervalSince1970: 1_583_020_799))
        #expect(user.photo?.absoluteString == "https://images.example/1.jpg")
        #expect(user.interests.map(\.name) == ["chess", "tea"] && user.interests.map(\.weight) == [0.5, 1])
        let bare = try await network.friends.getUser(userID: 12)
        #expect(bare.email == nil && bare.birthday == nil && bare.photo == nil && !bare.verified)

        let owner: Friends.Person = try await network.friends.getOwner(userID: 3)
        #expect(owner.handle == "user3" && owner.name == "Émilie 3" && owner.since == CalendarDate("2020-02-29"))
        await network.end()
    }

    @Test func dropsAndReportsBadUsers() async throws {
        let network = try await Network.start()
        await network.friendsService.setBadUsers(true)
        let reply = try await network.friends.reply(to: Friends.ListUsers(size: 2))
        #expect(reply.value.map(\.id) == [1, 2])
        #expect(
            reply.skipped.map(\.path) == [
                "$[0].interests[1].name", "$[1]", "$[2]", "$[3].name", "$[4].interests[1].name",
            ])
        #expect(reply.skipped.map(\.code)[2] == .missingKey("id"))
        await network.end()
    }

    @Test func searchesWithAndWithoutASession() async throws {
        let network = try await Network.start(isLoggedIn: false)
        let found = try await network.friends.searchUsers(text: "søren & é=1", page: 1)
        #expect(found.people.isEmpty && found.total == 0)
        let anonymous = try #require(await network.friendsService.requests(on: "GET /people").first)
        #expect(anonymous.queryValue("q") == "søren & é=1" && anonymous.queryValue("token") == nil)
        _ = try await network.auth.logIn(user: "ada", password: "lovelace")
        let people = try await network.friends.searchUsers(text: "Søren")
        #expect(people.total == 9 && people.people.count == 9)
        let known = try #require(await network.friendsService.requests(on: "GET /people").last)
        #expect(known.queryValue("token") == network.session.tokens?.access)
        #expect(known.query.map(\.name).sorted() == ["api", "device_id", "locale", "page", "q", "token"])
        await network.end()
    }

    /// GET and DELETE carry the common parameters in the query, POST, PUT and PATCH in the body.
    @Test func makesAndChangesFriends() async throws {
        let network = try await Network.start()
        let friends = network.friends
        guard case .completed(let made) = try await friends.addFriend(userID: 5, closeness: .family, note: "a b+c=d&ü")
        else { throw Unexpected("awaits") }
        #expect(
            made.user.id == 5 && made.closeness == .family && made.since == Date(timeIntervalSince1970: 1_600_000_000))
        guard case .awaitsAnswer(let asked) = try await friends.addFriend(userID: 40) else { throw Unexpected("made") }
        #expect(asked?.askedAt == Date(timeIntervalSince1970: 1_772_357_400))
        let forms = await network.friendsService.requests(on: "POST /friendships")
        let token = try #require(network.session.tokens?.access)
        let wanted = [
            "user_id=5", "closeness=3", "note=a b+c=d&ü", "api=3", "locale=en", "device_id=device-1", "token=\(token)",
        ]
        #expect(forms.first?.form?.map { "\($0.name)=\($0.value)" } == wanted)
        #expect(forms.last?.parameter("closeness") == "2" && forms.last?.parameter("note") == nil)

        let changed = try await friends.changeFriend(userID: 5, closeness: .unrecognized(4))
        #expect(changed.closeness == .unrecognized(4))
        let put = try #require(await network.friendsService.requests(on: "PUT /friendships/*").first)
        #expect(put.rawQuery.isEmpty && put.json?["closeness"] == 4 && put.json?["api"] == "3")
        #expect(put.json?["token"] == .string(token))
        let family = try await friends.listFriends(userID: 1, closeness: .family)
        #expect(family.map(\.user.id) == [3] && family.map(\.closeness) == [.family])
        #expect(try await friends.listFriends(userID: 1).count == 3)
        try await friends.removeFriend(userID: 5, reason: "quarrel/1")
        let delete = try #require(await network.friendsService.requests(on: "DELETE /friendships/*").first)
        #expect(delete.body.isEmpty && delete.queryValue("reason") == "quarrel/1" && delete.queryValue("api") == "3")
        // Whichever attempt has ended it: a friendship that is not there is over.
        let again = try await friends.reply(to: Friends.RemoveFriend(userID: 17))
        #expect(again.status == 404)
        await network.end()
    }

    @Test func changesTheProfile() async throws {
        let network = try await Network.start()
        let friends = network.friends
        let named = try await friends.changeProfile(name: "Ada L.", tags: ["x", "y\"z"])
        #expect(named.name == "Ada L." && named.email == "ada@example.org" && named.tags == ["x", "y\"z"])
        let day = try #require(CalendarDate(year: 1815, month: 12, day: 11))
        let bare = try await friends.changeProfile(email: .null, birthday: .value(day), tags: [])
        #expect(bare.email == nil && bare.birthday == day && bare.tags.isEmpty && bare.name == "Ada L.")
        #expect(try await friends.changeProfile(birthday: .null).birthday == nil)
        let bodies = await network.friendsService.requests(on: "PATCH /profile").compactMap { $0.json?.members }
        let own = bodies.map { $0.filter { !["api", "locale", "device_id", "token"].contains($0.name) } }
        #expect(own[0] == [.init("name", "Ada L."), .init("tags", ["x", "y\"z"])])
        #expect(own[1] == [.init("e_mail", nil), .init("birthday", "1815-12-11"), .init("tags", [])])
        #expect(own[2] == [.init("birthday", nil)])
        await network.end()
    }

    @Test func uploadsAPhotoByteByByte() async throws {
        let network = try await Network.start()
        // line breaks, dashes and a would-be boundary inside
        let photo = Array("\r\n--errand-\r\n\r\n--".utf8) + (0..<40_000).map { UInt8(truncatingIfNeeded: $0) }
        let file = FilePart(photo, fileName: "fa\"ce\r\nX: y ü.jpg")
        let stored = try await network.friends.changePhoto(photo: file, caption: "Me, \"myself\" & ü\r\n--")
        #expect(stored.photo.absoluteString == "https://images.example/new.jpg")
        #expect(await network.friendsService.photo == photo)
        let request = try #require(await network.friendsService.requests(on: "POST /profile/photo").first)
        #expect(request.parameter("caption") == "Me, \"myself\" & ü\r\n--")
        #expect(request.parameter("token") == network.session.tokens?.access)
        let part = try #require(request.parts?.first { $0.name == "photo" })
        #expect(part.contentType == "image/jpeg" && part.fileName == "fa%22ce%0D%0AX: y ü.jpg")
        await network.end()
    }

    @Test func readsAMapOfDates() async throws {
        let network = try await Network.start()
        #expect(try await network.friends.birthdays(month: 2) == ["user2": CalendarDate("1990-02-28")])
        let failure = try await network.friends.fault(of: Friends.Birthdays(month: 13))
        #expect(failure.kind == .invalidRequest)
        await network.end()
    }

    @Test func authRegistersAndKnowsWhoOneIs() async throws {
        let network = try await Network.start()
        let person = try await network.auth.registerPerson(
            handle: "zoe_1", name: "Zoë + Co & \u{1F600}", password: "pass word")
        #expect(person.handle == "zoe_1" && person.name == "Zoë + Co & \u{1F600}" && person.id == 3)
        #expect(person.since == CalendarDate("2020-02-29"))
        let me = try await network.auth.whoAmI()
        #expect((me.id, me.handle, me.name) == (1, "ada", "Ada Lovelace"))
        let request = try #require(await network.authService.requests(on: "GET /me").first)
        #expect(request.query.map(\.name).sorted() == ["client_id", "nonce", "sent_at", "token"])
        try await network.auth.logOut()
        #expect(network.session.tokens == nil)
        await network.end()
    }
}
