import ErrandRuntime
import Foundation
import TestServices
import Testing
import VideoClient

/// The endpoints of the video service whose documents are XML.
@Suite(.serialized) struct VideoChannelTests {
    @Test func readsAnAtomFeed() async throws {
        let service = try await VideoService.start()
        let video = try await Video.asAda(service)
        let channel = try await video.getChannel(channelID: "top")
        #expect(channel.title.text == "dive into mark" && channel.title.kind == "text")
        #expect(channel.id == "tag:example.org,2003:3" && channel.authors.isEmpty)
        #expect(channel.updated == Date(timeIntervalSince1970: 1_122_812_969))
        #expect(channel.links.map(\.relation) == ["alternate", "self"])
        #expect(channel.links.last?.target == "http://example.org/feed.atom")
        let entry = try #require(channel.entries.first)
        #expect(channel.entries.count == 2)
        #expect(entry.title.text == "Atom draft-07 snapshot" && entry.title.kind == "text")
        #expect(entry.links.map(\.size) == [nil, 1337])
        #expect(entry.published == Date(timeIntervalSince1970: 1_071_318_569))
        #expect(entry.authors.map(\.name) == ["Mark Pilgrim"] && entry.authors.first?.email == "f8dy@example.com")
        #expect(entry.content?.kind == "xhtml" && entry.summary == nil && entry.views == nil)
        #expect(
            entry.content?.text.trimmingCharacters(in: .whitespacesAndNewlines)
                == "[Update: The Atom draft is finished.]")
        let last = try #require(channel.entries.last)
        #expect(last.title.text == "<b>New</b> & free" && last.views == 9_007_199_254_740_993 && last.links.isEmpty)
        #expect(last.updated == Date(timeIntervalSince1970: 1_772_366_400))

        let request = try #require(await service.requests(on: "GET /channels/*/feed").first)
        #expect(request.header("Accept") == "application/xml, text/xml, */*;q=0.5")
        await service.end()
    }

    @Test func sendsAnEntry() async throws {
        let service = try await VideoService.start()
        let video = try await Video.asAda(service)
        let entry = try await video.recommendVideo(
            channelID: "top", id: "v<1>", title: "A & \"B\"", updated: Date(timeIntervalSince1970: 1_772_366_400),
            authors: [.init(name: "Ada"), .init(name: "Grace", email: "g@example.org")],
            summary: .init(kind: "html", text: " <p>\r\n"))
        let request = try #require(await service.requests(on: "POST /channels/*/feed").first)
        #expect(request.header("Content-Type") == "application/atom+xml")
        #expect(
            request.bodyText == """
                <?xml version="1.0" encoding="UTF-8"?><entry xmlns="http://www.w3.org/2005/Atom"><id>v&lt;1&gt;</id>\
                <title>A &amp; "B"</title><updated>2026-03-01T12:00:00Z</updated><author><name>Ada</name></author>\
                <author><name>Grace</name><email>g@example.org</email></author>\
                <summary type="html"> &lt;p&gt;&#13;\n</summary></entry>
                """)
        #expect(entry.id == "v<1>" && entry.title.text == "A & \"B\"" && entry.authors.count == 2)
        #expect(entry.summary?.text == " <p>\r\n" && entry.summary?.kind == "html")
        await service.end()
    }

    @Test func readsTheDataOfAnError() async throws {
        let service = try await VideoService.start()
        let video = try await Video.asAda(service)
        let gone = try await video.failure(of: Video.GetChannel(channelID: "v404"))
        if case .noSuchVideo = gone {} else { throw Unexpected(gone) }
        let blocked = try await video.failure(of: Video.GetChannel(channelID: "v451"))
        guard case .regionBlocked(let details) = blocked else { throw Unexpected(blocked) }
        #expect(details.data?.error.reason == "license" && details.data?.error.allowed == ["DE", "AT"])
        await service.end()
    }

    @Test(arguments: [("laughs", "declares entities"), ("page", "well-formed XML")])
    func aDocumentThatCannotBeReadIsMalformed(_ channel: String, _ reason: String) async throws {
        let service = try await VideoService.start()
        let video = try await Video.asAda(service)
        let fault = try await video.fault(of: Video.GetChannel(channelID: channel))
        #expect(fault.kind == .malformed)
        #expect(fault.context.decodingError.map { "\($0)".contains(reason) } == true, "\(fault)")
        await service.end()
    }

    @Test func whatXMLCannotExpressIsNotSent() async throws {
        let service = try await VideoService.start()
        let video = try await Video.asAda(service)
        let fault = try await video.fault(
            of: Video.RecommendVideo(
                channelID: "top", id: "v1", title: "a\u{0}b", updated: Date(timeIntervalSince1970: 0), authors: []))
        #expect(fault.kind == .invalidRequest)
        #expect(fault.context.brokenFields.first.map { "\($0)".contains("no form in XML") } == true, "\(fault)")
        #expect(await service.requests(on: "POST /channels/*/feed").isEmpty)
        await service.end()
    }
}
