import ErrandRuntime

extension TransportConformance {
    /// State that a transport must neither keep nor reveal.
    static let stateChecks: [Check] = [
        Check(
            "no-cookies", "Cookies are neither stored nor sent.",
            because: "The pipeline manages the session, and sends it where the contract says."
        ) { trial in
            let server = try trial.serve(each: message("200 OK", "Set-Cookie: served=1; Path=/\r\n", "x"))
            for _ in 0..<2 {
                try await trial.expectAnswer(to: server.get())
            }
            trial.expect(!server.requests.contains { $0.lowercased().contains("\r\ncookie:") }, "a cookie was sent")
        },
        Check(
            "no-cache", "Every request reaches the server, even if earlier responses allow caching.",
            because: "A cached account balance may be outdated. A contract says which reads have a cache."
        ) { trial in
            let headers = "Cache-Control: public, max-age=1000\r\nETag: \"1\"\r\n"
            let server = try trial.serve(each: message("200 OK", headers, "x"))
            for _ in 0..<3 {
                try await trial.expectAnswer(to: server.get(), body: "x")
            }
            trial.expect(server.requests.count == 3, "\(server.requests.count) of 3 requests came")
        },
        Check(
            "secrets-not-printed",
            "The description of a fault and of its underlying error contains neither the URL, nor a header, nor the body.",
            because: "Descriptions end up in logs."
        ) { trial in
            let port = try SilentPort()
            let cutting = try trial.serve(once: "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this")
            let urls = [
                "http://127.0.0.1:\(port.port)", cutting.url, "https://127.0.0.1:\(cutting.port)",
                "http://no-such-host.invalid",
            ]
            for url in urls {
                var headers = HTTPHeaders()
                headers.append("Authorization", "c4nary", isSensitive: true)
                let request = TransportRequest(
                    method: .post, url: url + "/c4nary?key=c4nary", headers: headers, body: Array("c4nary".utf8),
                    timeout: .seconds(4),
                    isRepeatable: false)
                guard case .fault(let fault) = await trial.outcome(of: request) else { continue }
                var text = "\(fault) \(String(reflecting: fault)) \(String(describing: fault.underlying))"
                if let underlying = fault.underlying {
                    text += String(reflecting: underlying)
                    dump(underlying, to: &text)
                }
                trial.expect(!text.contains("c4nary"), "\(fault) prints what the request carried")
            }
        },
    ]
}
