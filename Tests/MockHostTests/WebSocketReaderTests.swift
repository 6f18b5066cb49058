import Testing

@testable import ErrandHTTPServer

/// The frames of RFC 6455: its own examples, a stream of bytes that is cut at each place, and what hostile clients send.
@Suite struct WebSocketReaderTests {
    /// What a reader makes of bytes, and the fault that ends it.
    private static func read(
        _ parts: [[UInt8]], _ change: (inout ConnectionLimits) -> Void = { _ in }
    ) -> (events: [WebSocketEvent], code: UInt16?) {
        var limits = ConnectionLimits()
        change(&limits)
        var (reader, events) = (WebSocketReader(limits), [WebSocketEvent]())
        do throws(WebSocketFault) {
            for part in parts {
                reader.append(part)
                while let event = try reader.next() { events.append(event) }
            }
            return (events, nil)
        } catch {
            return (events, error.code)
        }
    }

    /// A frame of a client, masked, with the shortest length unless another number of bytes is given.
    static func frame(
        _ opcode: UInt8, _ payload: [UInt8], isLast: Bool = true, mask: [UInt8] = [0x37, 0xFA, 0x21, 0x3D],
        lengthBytes: Int? = nil
    ) -> [UInt8] {
        var frame = [(isLast ? 0x80 : 0) | opcode]
        switch lengthBytes ?? (payload.count < 126 ? 0 : payload.count < 65_536 ? 2 : 8) {
        case 0: frame.append(0x80 | UInt8(payload.count))
        case 2: frame += [0x80 | 126] + (0..<2).map { UInt8(truncatingIfNeeded: payload.count >> (8 - 8 * $0)) }
        default: frame += [0x80 | 127] + (0..<8).map { UInt8(truncatingIfNeeded: payload.count >> (56 - 8 * $0)) }
        }
        return frame + mask + payload.enumerated().map { $1 ^ mask[$0 & 3] }
    }

    /// Section 1.3, and the digests of FIPS 180-4 with their NIST examples.
    @Test func theHandshakeIsTheOneOfTheRFC() {
        #expect(WebSocketHandshake.accept("dGhlIHNhbXBsZSBub25jZQ==") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
        let digests: [(String, [UInt8])] = [
            ("", [0xDA, 0x39, 0xA3, 0xEE]), ("abc", [0xA9, 0x99, 0x3E, 0x36]),
            ("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", [0x84, 0x98, 0x3E, 0x44]),
            (String(repeating: "a", count: 1_000), [0x29, 0x1E, 0x9A, 0x6C]),
        ]
        for (text, start) in digests { #expect(Array(SHA1.digest(Array(text.utf8)).prefix(4)) == start, "\(text)") }
    }

    /// Section 5.7.
    @Test func theExamplesOfTheRFCAreRead() {
        let hello = Array("Hello".utf8)
        let masked: [UInt8] = [0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58]
        #expect(Self.read([masked]).events == [.text(hello)])
        let fragments = Self.frame(1, Array("Hel".utf8), isLast: false) + Self.frame(0, Array("lo".utf8))
        #expect(Self.read([fragments]).events == [.text(hello)])
        #expect(Self.read([Self.frame(9, hello)]).events == [.ping(hello)])
        #expect(WebSocketOpcode.text.frame(hello) == [0x81, 0x05] + hello)
        #expect(WebSocketOpcode.pong.frame(hello) == [0x8A, 0x05] + hello)
        let (medium, long) = ([UInt8](repeating: 7, count: 256), [UInt8](repeating: 7, count: 65_536))
        #expect(WebSocketOpcode.binary.frame(medium).prefix(4) == [0x82, 0x7E, 0x01, 0x00])
        #expect(WebSocketOpcode.binary.frame(long).prefix(10) == [0x82, 0x7F, 0, 0, 0, 0, 0, 1, 0, 0])
        #expect(Self.read([Self.frame(2, medium)]).events == [.binary(count: 256)])
        #expect(Self.read([Self.frame(2, long)]).events == [.binary(count: 65_536)])
    }

    @Test func bytesMayBeCutAnywhere() {
        let bytes =
            Self.frame(1, Array("€".utf8.prefix(1)), isLast: false) + Self.frame(9, [1, 2])
            + Self.frame(0, [], isLast: false)
            + Self.frame(10, []) + Self.frame(0, Array("€".utf8.dropFirst()))
            + Self.frame(2, [UInt8](repeating: 1, count: 126))
            + Self.frame(1, []) + Self.frame(8, [0x03, 0xE8] + Array("bye".utf8))
        let wanted: [WebSocketEvent] = [
            .ping([1, 2]), .pong, .text(Array("€".utf8)), .binary(count: 126), .text([]), .close(code: 1000),
        ]
        #expect(Self.read([bytes]).events == wanted)
        #expect(Self.read(bytes.map { [$0] }).events == wanted)
        for cut in bytes.indices {
            let read = Self.read([Array(bytes[..<cut]), Array(bytes[cut...])])
            #expect(read.events == wanted && read.code == nil, "cut at \(cut)")
        }
    }

    /// Each ends the connection with the code that RFC 6455 says, as soon as enough of it has arrived.
    @Test func wrongFramesEndTheConnection() {
        let hello = Array("Hello".utf8)
        let table: [(name: String, bytes: [UInt8], code: UInt16)] = [
            ("not masked", [0x81, 0x05] + hello, 1002),
            ("a reserved bit", [0xC1], 1002),
            ("another reserved bit", [0x91], 1002),
            ("an unknown opcode", [0x83], 1002),
            ("an unknown control opcode", [0x8B], 1002),
            ("a fragmented ping", [0x09], 1002),
            ("a long ping", [0x89, 0xFE], 1002),
            ("a long close", [0x88, 0xFF], 1002),
            ("a continuation of nothing", Self.frame(0, hello), 1002),
            ("a message in a message", Self.frame(1, hello, isLast: false) + Self.frame(1, hello), 1002),
            ("bytes in a message", Self.frame(1, hello, isLast: false) + Self.frame(2, hello), 1002),
            ("a length of two bytes for one", Self.frame(1, hello, lengthBytes: 2), 1002),
            (
                "a length of eight bytes for two", Self.frame(1, [UInt8](repeating: 97, count: 200), lengthBytes: 8),
                1002
            ),
            ("a length with the highest bit", [0x81, 0xFF, 0x80, 0, 0, 0, 0, 0, 0, 0], 1002),
            ("an exabyte", [0x81, 0xFF, 0x0F, 0, 0, 0, 0, 0, 0, 0], 1009),
            ("not UTF-8", Self.frame(1, [0xC0, 0xAF]), 1007),
            ("half of a character", Self.frame(1, [0xE2, 0x82]), 1007),
            ("a surrogate", Self.frame(1, [0xED, 0xA0, 0x80]), 1007),
            ("half of a code", Self.frame(8, [3]), 1002),
            ("a code that is not sent", Self.frame(8, [0x03, 0xED]), 1002),
            ("a code that is too small", Self.frame(8, [0x00, 0x01]), 1002),
            ("a code that is too large", Self.frame(8, [0xFF, 0xFF]), 1002),
            ("a reason that is not UTF-8", Self.frame(8, [0x03, 0xE8, 0xFF]), 1007),
        ]
        for (name, bytes, code) in table {
            #expect(Self.read([bytes]).code == code, "\(name)")
            #expect(Self.read(bytes.map { [$0] }).code == code, "\(name), byte by byte")
        }
    }

    @Test func whatAClientCanMakeTheServerKeepIsBounded() {
        let limit: (inout ConnectionLimits) -> Void = { ($0.messageBytes, $0.fragments) = (100, 10) }
        let part = { (count: Int, opcode: UInt8, isLast: Bool) in
            Self.frame(opcode, [UInt8](repeating: 97, count: count), isLast: isLast)
        }
        #expect(Self.read([part(100, 1, true)], limit).code == nil)
        #expect(Self.read([part(101, 1, true)], limit).code == 1009)
        // The head is enough to refuse a frame.
        #expect(Self.read([[0x81, 0x80 | 101]], limit).code == 1009)
        #expect(Self.read([part(60, 1, false), part(40, 0, true)], limit).code == nil)
        #expect(Self.read([part(60, 1, false), part(41, 0, true)], limit).code == 1009)
        let fragments = [part(0, 1, false)] + [[UInt8]](repeating: part(0, 0, false), count: 9)
        #expect(Self.read(fragments, limit).code == nil)
        #expect(Self.read(fragments + [part(0, 0, true)], limit).code == 1009)
        // Control frames between fragments do not count.
        #expect(Self.read(fragments + [[UInt8]](repeating: part(1, 9, true), count: 50), limit).events.count == 50)
    }

    @Test func aReasonIsCutToAControlFrame() {
        let frame = WebSocketOpcode.closeFrame(1008, String(repeating: "ä", count: 100))
        #expect(frame.count == 2 + 2 + 122 && frame.prefix(4) == [0x88, 124, 0x03, 0xF0])
        #expect(String(validating: frame.dropFirst(4), as: UTF8.self) != nil)
    }

    @Test func handshakesAreChecked() {
        let right: [(String, String)] = [
            ("Host", "a"), ("Upgrade", "WebSocket"), ("Connection", "keep-alive, Upgrade"),
            ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="), ("Sec-WebSocket-Version", "13"),
            ("Sec-WebSocket-Protocol", "chat, superchat"),
        ]
        func status(_ change: (inout HTTPRequest) -> Void) -> Int? {
            var request = HTTPRequest(method: "GET", target: "/", headers: right.map { ($0.0, $0.1) }, body: [])
            change(&request)
            do throws(HTTPFault) {
                #expect(try WebSocketHandshake(request).subprotocols == ["chat", "superchat"])
                return nil
            } catch {
                return error.status
            }
        }
        func without(_ name: String, _ value: String? = nil) -> (inout HTTPRequest) -> Void {
            { request in
                request.headers.removeAll { $0.name == name }
                if let value { request.headers.append((name, value)) }
            }
        }
        #expect(status { _ in } == nil)
        #expect(status { $0.method = "POST" } == 426)
        #expect(status { $0.body = [1] } == 426)
        for name in ["Upgrade", "Connection", "Sec-WebSocket-Version"] {
            #expect(status(without(name)) == 426, "\(name)")
        }
        #expect(status(without("Sec-WebSocket-Version", "8")) == 426)
        #expect(status(without("Sec-WebSocket-Key")) == 400)
        for key in ["", "short", "dGhlIHNhbXBsZSBub25jZQ", "dGhlIHNhbXBsZSBub25j!Q=="] {
            #expect(status(without("Sec-WebSocket-Key", key)) == 400, "\(key)")
        }
        #expect(status { $0.headers.append(("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==")) } == 400)
    }
}
