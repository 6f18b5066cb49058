/// The video service's documents in XML.
enum VideoChannel {
    /// The extended example of RFC 4287 section 1.1, with an entry of this service after it.
    static let feed = """
        <?xml version="1.0" encoding="utf-8"?>
        <feed xmlns="http://www.w3.org/2005/Atom">
          <title type="text">dive into mark</title>
          <subtitle type="html">
            A &lt;em&gt;lot&lt;/em&gt; of effort
            went into making this effortless
          </subtitle>
          <updated>2005-07-31T12:29:29Z</updated>
          <id>tag:example.org,2003:3</id>
          <link rel="alternate" type="text/html"
           hreflang="en" href="http://example.org/"/>
          <link rel="self" type="application/atom+xml"
           href="http://example.org/feed.atom"/>
          <rights>Copyright (c) 2003, Mark Pilgrim</rights>
          <generator uri="http://www.example.com/" version="1.0">
            Example Toolkit
          </generator>
          <entry>
            <title>Atom draft-07 snapshot</title>
            <link rel="alternate" type="text/html"
             href="http://example.org/2005/04/02/atom"/>
            <link rel="enclosure" type="audio/mpeg" length="1337"
             href="http://example.org/audio/ph34r_my_podcast.mp3"/>
            <id>tag:example.org,2003:3.2397</id>
            <updated>2005-07-31T12:29:29Z</updated>
            <published>2003-12-13T08:29:29-04:00</published>
            <author>
              <name>Mark Pilgrim</name>
              <uri>http://example.org/</uri>
              <email>f8dy@example.com</email>
            </author>
            <contributor>
              <name>Sam Ruby</name>
            </contributor>
            <contributor>
              <name>Joe Gregorio</name>
            </contributor>
            <content type="xhtml" xml:lang="en"
             xml:base="http://diveintomark.org/">
              <div xmlns="http://www.w3.org/1999/xhtml">
                <p><i>[Update: The Atom draft is finished.]</i></p>
              </div>
            </content>
          </entry>
          <v:pause xmlns:v="https://video.example/ns"/>
          <a:entry xmlns:a="http://www.w3.org/2005/Atom" xmlns:v="https://video.example/ns">
            <a:title type="html"><![CDATA[<b>New</b> & free]]></a:title>
            <a:id>v2</a:id><a:updated> 2026-03-01T12:00:00Z </a:updated>
            <v:views>9007199254740993</v:views><views>1</views>
          </a:entry>
        </feed>
        """

    static let blocked =
        "<fault><error><reason>license</reason><allowed>DE</allowed><allowed>AT</allowed></error></fault>"

    /// The response to a request about the feed of a channel.
    static func answer(_ request: ReceivedRequest) -> ServedAnswer {
        switch (request.segments[1], request.method) {
        case ("v404", _): .text("<error/>", contentType: "application/xml", status: 404)
        case ("v451", _): .text(blocked, contentType: "application/xml", status: 451)
        case ("laughs", _): .text(laughs, contentType: "application/atom+xml")
        case ("page", _): .text("<html><p>Log in<br></html>", contentType: "text/html")
        case (_, "POST"): .text(request.bodyText, contentType: "application/atom+xml;type=entry;charset=utf-8")
        default: .text(feed, contentType: "application/atom+xml; charset=\"utf-8\"")
        }
    }

    private static let laughs = "<!DOCTYPE r [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;&a;\">]><feed>&b;</feed>"
}
