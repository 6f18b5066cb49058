import Foundation

extension OmissionModel {
    /// How a request differs from what the contract and the caller say; nil if it does not.
    func difference(_ sent: RequestModel.Sent, _ variation: Variation) -> String? {
        let wanted = wanted(variation)
        guard sent.method == method.uppercased(), let parts = URLComponents(string: sent.url), parts.host == "a.example"
        else { return "another method or server: \(sent.method) \(sent.url)" }
        let path = parts.percentEncodedPath.split(separator: "/").map { String($0).removingPercentEncoding ?? "?" }
        if path != wanted.path { return "path \(path) instead of \(wanted.path)" }
        let headers = sent.headers.map { (name: $0[0].lowercased(), value: $0[1]) }
        let wantedHeaders = wanted.headers.map { (name: $0.name.lowercased(), value: $0.value) }
        return Self.difference(RequestModel.pairs(parts.percentEncodedQuery ?? ""), wanted.query).map { "query \($0)" }
            ?? Self.difference(headers, wantedHeaders).map { "headers \($0)" }
            ?? bodyDifference(sent, headers.first { $0.name == "content-type" }?.value ?? "", wanted.body)
    }

    private func bodyDifference(_ sent: RequestModel.Sent, _ type: String, _ wanted: Body) -> String? {
        let text = String(decoding: sent.body, as: UTF8.self)
        switch wanted {
        case .none: return text.isEmpty ? nil : "body \(text)"
        case .json(let json):
            guard type == "application/json" else { return "content type \(type)" }
            return text == json ? nil : "body \(text) instead of \(json)"
        case .form(let pairs):
            guard type == "application/x-www-form-urlencoded" else { return "content type \(type)" }
            return Self.difference(RequestModel.pairs(text), pairs).map { "form \($0)" }
        case .multipart(let pairs):
            guard let parts = RequestModel.parts(text, type) else { return "no multipart body: \(text)" }
            return Self.difference(parts, pairs).map { "multipart \($0)" }
        }
    }

    /// Nil if both lists have the same pairs, in any order.
    private static func difference(_ found: [(name: String, value: String)], _ wanted: [Pair]) -> String? {
        var left = found
        for pair in wanted {
            guard
                let index = left.firstIndex(where: {
                    $0.name == pair.name && (pair.value == nil || $0.value == pair.value)
                })
            else { return "without \(pair.name)=\(pair.value ?? "…"): \(found)" }
            left.remove(at: index)
        }
        return left.isEmpty ? nil : "with \(left), which was not asked for"
    }
}
