import Foundation
import TestProxy
import Testing

@testable import ErrandRuntime

@Suite struct ProxySettingsTests {
    // MARK: URLs of proxies

    @Test(arguments: [
        ("proxy.test", "http://proxy.test:1080"), ("proxy.test:8080", "http://proxy.test:8080"),
        ("http://a:b@Proxy.test:3128/", "http://proxy.test:3128"), ("HTTPS://proxy.test", "https://proxy.test:443"),
        ("socks5h://[::1]:9", "socks5h://[::1]:9"), ("socks5://[::1]", "socks5://[::1]:1080"),
        ("socks4a://10.0.0.1:1", "socks4a://10.0.0.1:1"), ("user@host:1", "http://host:1"),
    ])
    func aProxyIsRead(text: String, description: String) throws {
        #expect(try Proxy(text).description == description)
    }

    @Test func itsCredentialsAreDecodedAndNotShown() throws {
        let proxy = try Proxy("http://a%40da:s%3Acr%C3%A9t@proxy.test:1")
        #expect(proxy.credentials == Proxy.Credentials(user: "a@da", password: "s:crét"))
        #expect(proxy.credentials?.authorization == "Basic " + Data("a@da:s:crét".utf8).base64EncodedString())
        #expect(try Proxy("http://ada@proxy.test:1").credentials == Proxy.Credentials(user: "ada", password: ""))
        let settings = ProxySettings(http: proxy, https: proxy)
        for text in ["\(proxy)", "\(settings)", String(reflecting: proxy), String(reflecting: settings)] {
            #expect(!text.contains("da") && !text.contains("cr"), "\(text)")
        }
        var dumped = ""
        dump([settings], to: &dumped)
        dump([proxy], to: &dumped)
        dump(proxy.credentials, to: &dumped)
        #expect(!dumped.contains("a@da") && !dumped.contains("crét"), "\(dumped)")
    }

    @Test(arguments: [
        "", "http://", "ftp://secret:pa55@proxy.test", "http://secret:pa/ss@proxy.test:1", "proxy.test:port",
        "proxy.test:0", "proxy.test:65536", "proxy.test:", "::1:3128", "http:/proxy.test:1", "http://proxy.test:1/pac",
        "http://proxy.test:1?x", "pro xy.test:1", "http://secret%0d%0aX:1@proxy.test:1",
        "http://secret%3a:1@proxy.test:1",
        "http://prőxy.test:1",
    ])
    func anythingElseIsAnErrorWithoutTheText(text: String) {
        do throws(ProxyError) {
            _ = try Proxy(text, of: "the variable http_proxy")
            Issue.record("it was read")
        } catch {
            #expect(error.description.hasPrefix("the variable http_proxy has "), "\(error)")
            #expect(!error.description.contains("secret") && !error.description.contains("pa55"), "\(error)")
        }
    }

    // MARK: The environment

    /// The variables, a URL, and its proxy.
    @Test(
        arguments: [
            (["http_proxy": "a:1"], "http://x.test/", "a"), (["HTTP_PROXY": "a:1"], "http://x.test/", "a"),
            (["http_proxy": "a:1", "HTTP_PROXY": "b:1"], "http://x.test/", "a"),
            (["http_proxy": "", "HTTP_PROXY": "b:1"], "http://x.test/", "b"),
            (["HTTP_PROXY": "a:1", "REQUEST_METHOD": "GET"], "http://x.test/", nil),
            (["HTTP_PROXY": "a:1", "REQUEST_METHOD": "GET", "all_proxy": "b:1"], "http://x.test/", "b"),
            (["http_proxy": "a:1", "REQUEST_METHOD": "GET"], "http://x.test/", "a"),
            (["http_proxy": "a:1"], "https://x.test/", nil), (["https_proxy": "a:1"], "http://x.test/", nil),
            (["https_proxy": "a:1"], "https://x.test/", "a"), (["HTTPS_PROXY": "a:1"], "https://x.test/", "a"),
            (["HTTPS_PROXY": "a:1", "REQUEST_METHOD": "GET"], "https://x.test/", "a"),
            (["all_proxy": "a:1", "ALL_PROXY": "b:1"], "https://x.test/", "a"),
            (["ALL_PROXY": "b:1", "https_proxy": "c:1"], "https://x.test/", "c"),
            (["ALL_PROXY": "b:1", "https_proxy": "c:1"], "http://x.test/", "b"),
            (["http_proxy": "a:1"], "ws://x.test/", "a"), (["https_proxy": "a:1"], "wss://x.test/", "a"),
            (["all_proxy": "a:1", "no_proxy": "x.test"], "wss://x.test/", nil),
            (["all_proxy": "a:1", "no_proxy": "x.test", "NO_PROXY": "y.test"], "http://y.test/", "a"),
            (["all_proxy": "a:1", "no_proxy": "", "NO_PROXY": "y.test"], "http://y.test/", nil),
            (["all_proxy": "a:1"], "ftp://x.test/", nil), ([:], "http://x.test/", nil),
        ] as [([String: String], String, String?)])
    func itsVariablesAreThoseOfCurl(_ variables: [String: String], _ url: String, _ host: String?) throws {
        #expect(try ProxySettings(environment: variables).proxy(for: url)?.host == host)
    }

    /// The request is never sent directly, and other requests are.
    @Test func aMalformedVariableIsAnErrorOfItsRequests() throws {
        let settings = ProxySettings(environment: [
            "https_proxy": "ftp://x", "http_proxy": "a:1", "no_proxy": "here.test",
        ])
        #expect(throws: ProxyError.self) { try settings.proxy(for: "https://x.test/") }
        #expect(throws: ProxyError.self) { try settings.proxy(for: "wss://x.test/") }
        #expect(try settings.proxy(for: "https://here.test/") == nil)
        #expect(try settings.proxy(for: "http://x.test/")?.host == "a")
        do throws(ProxyError) {
            _ = try settings.proxy(for: "https://x.test/")
        } catch {
            #expect(error.description.contains("the variable https_proxy"))
            let fault = TransportFault(error)
            #expect(fault.evidence == .notSent && fault.category == .nonRetryable, "\(fault)")
            #expect(fault.description.contains("the variable https_proxy"))
        }
    }

    // MARK: Hosts without a proxy

    static let everyHost = [
        "example.com", "www.example.com", "nonexample.com", "EXAMPLE.com", "example.com.", "a.b.c", "b.c", "c",
        "localhost", "10.0.0.1", "10.1.2.3", "192.168.255.1", "127.0.0.1", "[::1]", "[fe80::1]", "[2001:db8::5]",
    ]

    /// A list, and those of the hosts that are reached directly.
    @Test(arguments: [
        ("example.com", ["example.com", "www.example.com", "EXAMPLE.com", "example.com."]),
        (".example.com", ["example.com", "www.example.com", "EXAMPLE.com", "example.com."]),
        ("example.com.", ["example.com", "www.example.com", "EXAMPLE.com", "example.com."]),
        ("Www.Example.com", ["www.example.com"]), ("ample.com", []), ("*.example.com", []), ("*,x", []),
        ("*", everyHost), ("", []), (".", []), (", ,", []),
        ("c localhost", ["a.b.c", "b.c", "c", "localhost"]), ("x,\tb.c ,y", ["a.b.c", "b.c"]),
        ("10.0.0.0/8", ["10.0.0.1", "10.1.2.3"]), ("10.0.0.0/15", ["10.0.0.1", "10.1.2.3"]),
        ("10.0.0.0/16", ["10.0.0.1"]), ("10.0.0.1", ["10.0.0.1"]), ("10.0.0.1/32", ["10.0.0.1"]),
        ("10.0.0.1/0", ["10.0.0.1"]), ("10.0.0.0/33", []), ("10.0.0.0/", []), ("10.0.0.0/x", []), ("10.0.0.0/-8", []),
        ("10", []), ("10.0.0", []), ("0.0.1", []),
        ("::1", ["[::1]"]), ("[::1]", ["[::1]"]), ("0:0::1", ["[::1]"]), ("fe80::/10", ["[fe80::1]"]),
        ("2001:db8::/32", ["[2001:db8::5]"]), ("2001:db8::4/127", ["[2001:db8::5]"]), ("::/129", []),
        ("example.com:80", ["example.com", "www.example.com", "EXAMPLE.com", "example.com."]),
        ("example.com:81,10.0.0.1:81,[::1]:81", []), ("10.0.0.1:80,[::1]:80", ["10.0.0.1", "[::1]"]),
        ("example.com:port", []),
    ])
    func theListIsThatOfCurl(_ list: String, _ direct: [String]) throws {
        let settings = ProxySettings(environment: ["http_proxy": "proxy.test:1", "no_proxy": list])
        let found = try Self.everyHost.filter { try settings.proxy(for: "http://\($0)/") == nil }
        #expect(found == direct)
    }

    @Test func theAppsListHasTheSameRules() throws {
        let proxy = try Proxy("proxy.test:1")
        let some = ProxySettings(http: proxy, except: ["localhost", ".example.com", "10.0.0.0/8"])
        #expect(try some.proxy(for: "http://www.example.com/") == nil && some.proxy(for: "http://10.9.9.9/") == nil)
        #expect(try some.proxy(for: "http://other.test/") == proxy && some.proxy(for: "https://other.test/") == nil)
        #expect(try ProxySettings(http: proxy, except: ["*"]).proxy(for: "http://other.test/") == nil)
    }

    private static let curl = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":")
        .map { "\($0)/curl" }.first(where: FileManager.default.isExecutableFile)

    /// Random lists, in the eyes of curl. Left out is what versions of curl disagree about: networks of IPv6, brackets and lists without
    /// commas.
    @Test(.enabled(if: curl != nil, "there is no curl command here"))
    func curlDecidesTheSame() async throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let entries = [
            "example.com", ".example.com", "example.com.", "www.example.com", "com", "*", "*.example.com", "10.0.0.0/8",
            "10.0.0.1", "10.0.0.0/0", "10.1.0.0/15", "192.168.0.0/16", "192.168.255.1/32", "10.0.0.0/33", "::1", "c",
            ".c",
            "b.c", "a", "local", "localhost", "127.0.0.0/8", ".", "",
        ]
        let urls = Self.everyHost.filter { !$0.hasPrefix("[") || $0 == "[::1]" }.map { "http://\($0)/" }
        let proxy = try TestProxy(.refuse(418))
        defer { proxy.stop() }
        for _ in 0..<12 {
            let separator = [",", ", ", " ,", ",,"].randomElement(using: &random) ?? ","
            let count = Int.random(in: 0...4, using: &random)
            let list = (0..<count).compactMap { _ in entries.randomElement(using: &random) }.joined(
                separator: separator)
            let variables = ["http_proxy": proxy.url(), "no_proxy": list]
            let ours = ProxySettings(environment: variables)
            let theirs = try Self.statuses(urls, variables)
            try #require(theirs.count == urls.count, "curl said something else for `\(list)`, seed \(seed)")
            for (url, status) in zip(urls, theirs) {
                #expect(try (ours.proxy(for: url) != nil) == (status == 418), "\(url) with `\(list)`, seed \(seed)")
            }
        }
    }

    /// The status that curl gets from each URL; 0 without a response.
    private static func statuses(_ urls: [String], _ variables: [String: String]) throws -> [Int] {
        let process = Process()
        process.executableURL = curl.map { URL(fileURLWithPath: $0) }
        // Every host is this machine, so nothing leaves it.
        process.arguments =
            ["-q", "-s", "--resolve", "*:80:127.0.0.1", "-w", "%{http_code}\\n"]
            + urls.flatMap { ["-o", "/dev/null", $0] }
        process.environment = variables
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        return text.split(separator: "\n").compactMap { Int($0) }
    }
}
