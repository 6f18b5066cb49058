import FeedClient
import Foundation
import MeasuredTurns

// The models of the contract as an engineer would write them for `Codable`: the same fields, synthesized conformances. The
// kind is a plain enum, which is the fastest that `Codable` has; the generated one also keeps values that it does not know.

struct ArticleTwin: Codable, Equatable {
    var id: Int
    var title: String
    var summary: String?
    var kind: KindTwin
    var author: AuthorTwin
    var tags: [String]
    var views: Int
    var likes: Int64
    var rating: Double
    var price: Double?
    var isPinned: Bool
    var reactions: [String: Int]
    var images: [ImageTwin]
    var parent: Int?
}

enum KindTwin: String, Codable {
    case story, report, interview, review, notice
}

struct AuthorTwin: Codable, Equatable {
    var id: Int
    var name: String
    var isVerified: Bool
    var homepage: String?
}

struct ImageTwin: Codable, Equatable {
    var path: String
    var width: Int
    var height: Int
}

struct EventTwin: Codable, Equatable {
    var id: Int
    var name: String
    var place: String?
    var createdAt: Date
    var changedAt: Date
    var startsAt: Date
    var endsAt: Date?
    var seats: Int
    var isPublic: Bool
}

/// The envelope of the contract for `Codable`.
struct EnvelopeTwin<Payload: Decodable>: Decodable {
    var code: Int
    var message: String?
    var data: Payload?
}

// MARK: From generated models, to compare

extension ArticleTwin {
    init(_ article: Feed.Article) throws {
        guard let kind = KindTwin(rawValue: article.kind.rawValue) else {
            throw Disagreement(what: "the kind \(article.kind.rawValue)")
        }
        self.init(
            id: article.id, title: article.title, summary: article.summary, kind: kind,
            author: AuthorTwin(article.author),
            tags: article.tags, views: article.views, likes: article.likes, rating: article.rating,
            price: article.price,
            isPinned: article.isPinned, reactions: article.reactions, images: article.images.map(ImageTwin.init),
            parent: article.parent)
    }
}

extension AuthorTwin {
    init(_ author: Feed.Author) {
        self.init(id: author.id, name: author.name, isVerified: author.isVerified, homepage: author.homepage)
    }
}

extension ImageTwin {
    init(_ image: Feed.Image) { self.init(path: image.path, width: image.width, height: image.height) }
}

extension EventTwin {
    init(_ event: Feed.Event) {
        self.init(
            id: event.id, name: event.name, place: event.place, createdAt: event.createdAt, changedAt: event.changedAt,
            startsAt: event.startsAt, endsAt: event.endsAt, seats: event.seats, isPublic: event.isPublic)
    }
}
