#if HAS_YYJSON
import CYYJSON
import FeedClient

/// Fills the generated structs from a document of yyjson, in the fast way that its documentation describes. Keys are searched
/// after the last one found, lists reserve their size, kinds are compared as bytes.
enum YYJSONReader {
    typealias Node = UnsafeMutablePointer<yyjson_val>

    /// The articles; nil if the bytes aren't JSON, or aren't a list of articles.
    static func articles(_ bytes: [UInt8]) -> [Feed.Article]? {
        withDocument(bytes) { list($0, article) } ?? nil
    }

    /// Whether the bytes are JSON.
    static func isValid(_ bytes: [UInt8]) -> Bool { withDocument(bytes) { _ in true } ?? false }

    private static func withDocument<Value>(_ bytes: [UInt8], _ body: (Node) -> Value) -> Value? {
        bytes.withUnsafeBytes { raw in
            guard let document = yyjson_read(raw.bindMemory(to: CChar.self).baseAddress, raw.count, 0) else {
                return nil
            }
            defer { yyjson_doc_free(document) }
            return yyjson_doc_get_root(document).map(body)
        }
    }

    // MARK: Models

    private static func article(_ node: Node) -> Feed.Article? {
        var fields = yyjson_obj_iter_with(node)
        guard let id = integer(&fields, "id"), let title = string(&fields, "title") else { return nil }
        let summary = string(&fields, "summary")
        guard let kind = value(&fields, "kind").flatMap(kind),
            let author = value(&fields, "author").flatMap(author),
            let tags = value(&fields, "tags").flatMap({ list($0, text) }),
            let views = integer(&fields, "views"), let likes = integer(&fields, "likes"),
            let rating = number(&fields, "rating")
        else { return nil }
        let price = number(&fields, "price")
        guard let isPinned = bool(&fields, "isPinned"), let reactions = value(&fields, "reactions").flatMap(map),
            let images = value(&fields, "images").flatMap({ list($0, image) })
        else { return nil }
        return Feed.Article(
            id: id, title: title, summary: summary, kind: kind, author: author, tags: tags, views: views,
            likes: Int64(likes),
            rating: rating, price: price, isPinned: isPinned, reactions: reactions, images: images,
            parent: integer(&fields, "parent"))
    }

    private static func author(_ node: Node) -> Feed.Author? {
        var fields = yyjson_obj_iter_with(node)
        guard let id = integer(&fields, "id"), let name = string(&fields, "name"),
            let isVerified = bool(&fields, "isVerified")
        else {
            return nil
        }
        return Feed.Author(id: id, name: name, isVerified: isVerified, homepage: string(&fields, "homepage"))
    }

    private static func image(_ node: Node) -> Feed.Image? {
        var fields = yyjson_obj_iter_with(node)
        guard let path = string(&fields, "path"), let width = integer(&fields, "width"),
            let height = integer(&fields, "height")
        else {
            return nil
        }
        return Feed.Image(path: path, width: width, height: height)
    }

    private static func kind(_ node: Node) -> Feed.ArticleKind? {
        if isText(node, "story") { return .story }
        if isText(node, "report") { return .report }
        if isText(node, "interview") { return .interview }
        if isText(node, "review") { return .review }
        if isText(node, "notice") { return .notice }
        return text(node).map(Feed.ArticleKind.unrecognized)
    }

    // MARK: Values

    private static func list<Element>(_ node: Node, _ read: (Node) -> Element?) -> [Element]? {
        guard yyjson_is_arr(node) else { return nil }
        var elements: [Element] = []
        elements.reserveCapacity(yyjson_arr_size(node))
        var iterator = yyjson_arr_iter_with(node)
        while let next = yyjson_arr_iter_next(&iterator) {
            guard let element = read(next) else { return nil }
            elements.append(element)
        }
        return elements
    }

    private static func map(_ node: Node) -> [String: Int]? {
        guard yyjson_is_obj(node) else { return nil }
        var map: [String: Int] = [:]
        map.reserveCapacity(yyjson_obj_size(node))
        var iterator = yyjson_obj_iter_with(node)
        while let key = yyjson_obj_iter_next(&iterator) {
            guard let name = text(key), let value = yyjson_obj_iter_get_val(key), yyjson_is_int(value) else {
                return nil
            }
            map[name] = Int(yyjson_get_sint(value))
        }
        return map
    }

    private static func text(_ node: Node) -> String? {
        guard let characters = yyjson_get_str(node) else { return nil }
        let bytes = UnsafeRawBufferPointer(start: characters, count: yyjson_get_len(node))
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isText(_ node: Node, _ text: StaticString) -> Bool {
        text.withUTF8Buffer {
            $0.withMemoryRebound(to: CChar.self) { yyjson_equals_strn(node, $0.baseAddress, $0.count) }
        }
    }

    private static func value(_ fields: inout yyjson_obj_iter, _ key: StaticString) -> Node? {
        key.withUTF8Buffer {
            $0.withMemoryRebound(to: CChar.self) { yyjson_obj_iter_getn(&fields, $0.baseAddress, $0.count) }
        }
    }

    private static func string(_ fields: inout yyjson_obj_iter, _ key: StaticString) -> String? {
        value(&fields, key).flatMap(text)
    }

    private static func integer(_ fields: inout yyjson_obj_iter, _ key: StaticString) -> Int? {
        guard let node = value(&fields, key), yyjson_is_int(node) else { return nil }
        return Int(yyjson_get_sint(node))
    }

    private static func number(_ fields: inout yyjson_obj_iter, _ key: StaticString) -> Double? {
        guard let node = value(&fields, key), yyjson_is_num(node) else { return nil }
        return yyjson_get_num(node)
    }

    private static func bool(_ fields: inout yyjson_obj_iter, _ key: StaticString) -> Bool? {
        guard let node = value(&fields, key), yyjson_is_bool(node) else { return nil }
        return yyjson_get_bool(node)
    }
}
#endif
