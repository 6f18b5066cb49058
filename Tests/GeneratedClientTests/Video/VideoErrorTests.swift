import ErrandRuntime
import Foundation
import TestSeeds
import TestServices
import Testing
import VideoClient

/// Each error that the video contract declares, and the two ways in which a session ends there.
@Suite(.serialized) struct VideoErrorTests {
    @Test func wrongPasswordIsToldByTheBody() async throws {
        let service = try await VideoService.start()
        let video = Video(.init(url: service.url), on: .brisk())
        let failure = try await video.failure(of: Video.LogIn(email: "ada@example.org", password: "hunter22"))
        guard case .wrongPassword = failure else { throw Unexpected(failure) }
        failure.expect(
            WantedContext("wrongPassword", .nonRetryable, status: 401, says: "wrong password"),
            at: service.url + "/sessions")
        // the same status for another reason; a login asks for no session, so it is a refusal
        await service.script(
            .body(#"{"error":{"message":"later","reason":"tooMany"}}"#, status: 401), on: "POST /sessions")
        let other = try await video.fault(of: Video.LogIn(email: "ada@example.org", password: "lovelace"))
        #expect(other.kind == .rejected)
        other.expect(WantedContext("rejected", .nonRetryable, status: 401, says: "later"))
        await service.end()
    }

    @Test func noSuchVideoEverywhere() async throws {
        let service = try await VideoService.start()
        let video = try await Video.asAda(service)
        let gone = WantedContext("noSuchVideo", .nonRetryable, status: 404, says: "gone")
        let get = try await video.failure(of: Video.GetVideo(videoID: "v404"))
        if case .noSuchVideo = get {} else { throw Unexpected(get) }
        get.expect(gone, at: service.url + "/videos/v404")
        let head = try await video.failure(of: Video.CheckVideo(videoID: "v404"))
        if case .noSuchVideo = head {} else { throw Unexpected(head) }
        head.expect(WantedContext("noSuchVideo", .nonRetryable, status: 404))
        let related = try await video.failure(of: Video.ListRelated(videoID: "v404"))
        if case .noSuchVideo = related {} else { throw Unexpected(related) }
        related.expect(gone)
        let preview = try await video.failure(of: Video.PreloadVideo(videoID: "v404"))
        if case .noSuchVideo = preview {} else { throw Unexpected(preview) }
        preview.expect(WantedContext("noSuchVideo", .nonRetryable, status: 404))
        let rating = try await video.failure(of: Video.RateVideo(videoID: "v404", stars: .one))
        if case .noSuchVideo = rating {} else { throw Unexpected(rating) }
        rating.expect(gone)
        let comments = try await video.failure(of: Video.ListComments(videoID: "v404"))
        if case .noSuchVideo = comments {} else { throw Unexpected(comments) }
        comments.expect(gone)
        await service.script(.status(410), on: "PUT /watchlist/*")
        let save = try await video.failure(of: Video.SaveVideo(videoID: "v404"))
        if case .noSuchVideo = save {} else { throw Unexpected(save) }
        save.expect(WantedContext("noSuchVideo", .nonRetryable, status: 410))
        await service.end()
    }

    @Test func regionBlockedWithItsData() async throws {
        let service = try await VideoService.start()
        let video = try await Video.asAda(service)
        let failure = try await video.failure(of: Video.GetVideo(videoID: "v451"))
        guard case .regionBlocked(let details) = failure else { throw Unexpected(failure) }
        #expect(details.data?.error.reason == "license" && details.data?.error.allowed == ["DE", "AT"])
        failure.expect(WantedContext("regionBlocked", .nonRetryable, status: 451, says: "blocked"))
        for body in ["", "{}", #"{"error":{"reason":1}}"#, "<html>", "[1"] {
            await service.script(.body(body, status: 451), on: "GET /videos/*")
            let bare = try await video.failure(of: Video.GetVideo(videoID: "v1"))
            guard case .regionBlocked(let details) = bare else { throw Unexpected(bare) }
            #expect(details.data == nil && details.status == 451)
        }
        await service.end()
    }

    /// The contract calls 5xx retryable here, twice at most.
    @Test func aRedeclaredServerFault() async throws {
        let service = try await VideoService.start()
        let video = try await Video.asAda(service)
        await service.script(.status(500), times: 2, on: "GET /channels")
        let failure = try await video.fault(of: Video.ChannelTitles())
        #expect(failure.kind == .serverFault)
        #expect(failure.context.message == "The server has a problem. Please try again.")
        failure.expect(WantedContext("serverFault", .retryable, .never, status: 500, attempts: 2))
        // `retry: never` is the endpoint's, and applies to errors without a rule of their own
        await service.script(.status(503), on: "GET /videos/*/preview")
        let preview = try await video.fault(of: Video.PreloadVideo(videoID: "v1"))
        #expect(preview.kind == .unavailable && preview.context.attempts == 1)
        await service.end()
    }

    @Test(arguments: [VideoService.SessionLoss.status401, .hangUp])
    func aLostSessionAsksForOneLoginForAll(loss: VideoService.SessionLoss) async throws {
        let service = try await VideoService.start()
        await service.setSessionLoss(loss)
        let asked = Tally()
        let session = Session {
            await asked.add()
            return Video.LogIn(email: "ada@example.org", password: "lovelace")
        }
        let video = Video(.init(url: service.url), on: .withoutReuse(), session: session)
        _ = try await video.channelTitles()
        await service.expireSessions()
        let ids = await withTaskGroup(of: String?.self) { group in
            for number in 2..<8 { group.addTask { try? await video.getVideo(videoID: "v\(number)").id } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(ids) == Set((2..<8).map { "v\($0)" }))
        #expect(await asked.count == 2)
        #expect(await service.logins == 2)
        await service.end()
    }

    @Test func aLostSessionWithoutALoginIsTold() async throws {
        let service = try await VideoService.start()
        let session = Session()
        let video = try await Video.asAda(service, on: .withoutReuse(), session: session)
        await service.expireSessions()
        let refused = try await video.failure(of: Video.ChannelTitles())
        guard case .sessionLost = refused else { throw Unexpected(refused) }
        refused.expect(WantedContext("sessionLost", .requiresLogout, status: 401, says: "please log in"))
        #expect(session.tokens == nil)

        await session.begin(SessionTokens(access: "old"))
        await service.setSessionLoss(.hangUp)
        let silent = try await video.failure(of: Video.ChannelTitles())
        guard case .sessionLost(let context) = silent else { throw Unexpected(silent) }
        #expect(context.status == nil && context.category == .requiresLogout && context.evidence == .sent)
        #expect((context.underlying as? TransportFault)?.kind == .lost)
        await service.end()
    }

    /// `loadImage` asks for no session: a 401 there is a refusal, a hang-up a lost connection.
    @Test func aPictureNeedsNoSession() async throws {
        let asked = Tally()
        let session = Session { () -> Video.LogIn? in
            await asked.add()
            return nil
        }
        let elsewhere = try await FaultServer(.status(401, body: ""))
        let video = Video(.init(url: elsewhere.url), on: .brisk(), session: session)
        let url = try #require(URL(string: elsewhere.url + "/p.png"))
        let refused = try await video.fault(of: Video.LoadImage(imageURL: url))
        #expect(refused.kind == .rejected && refused.category == .nonRetryable && refused.context.status == 401)
        await elsewhere.otherwise(.closeOnAccept)
        let lost = try await Video(.init(url: elsewhere.url), on: .brisk(), session: session)
            .fault(of: Video.LoadImage(imageURL: url))
        #expect(lost.kind == .connectionLost && lost.context.attempts == 3)
        #expect(await asked.count == 0)
        await elsewhere.stop()
    }
}
