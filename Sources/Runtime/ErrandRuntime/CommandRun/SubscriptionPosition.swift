/// How far a subscription has come, so that it can be made again from there.
///
/// A position is opaque, except that integers have an order. An element whose position was reached before is a duplicate: a
/// server may repeat the last elements after a reconnect.
package struct SubscriptionPosition: Sendable, Hashable {
    /// What becomes of an element.
    package enum Novelty: Sendable, Hashable {
        case isNew
        case isDuplicate
        /// It has no position, although the contract says where one is.
        case isWithoutPlace
    }

    /// The longest text that is a position, in bytes. An element with a longer one has none.
    package static let maximumLength = 1_024

    /// The place of the last element; nil before the first one with a place.
    package private(set) var last: StreamPosition?

    package init() {}

    /// Notes an element that arrives. A duplicate must not be delivered.
    package mutating func note(_ place: StreamPosition?) -> Novelty {
        guard let place, place.isUsable else {
            // The next one could not continue after this one.
            last = nil
            return .isWithoutPlace
        }
        if let last, !place.isAfter(last) { return .isDuplicate }
        last = place
        return .isNew
    }
}

extension StreamPosition {
    fileprivate var isUsable: Bool {
        text.map { !$0.isEmpty && $0.utf8.count <= SubscriptionPosition.maximumLength } ?? true
    }

    fileprivate func isAfter(_ other: Self) -> Bool {
        // The order of texts is the server's own.
        guard let here = number, let there = other.number else { return self != other }
        return here > there
    }
}
