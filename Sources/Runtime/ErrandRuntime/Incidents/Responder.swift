/// Answers incidents: it informs people, asks them, and decides. It is asked once for each incident, for any number of
/// commands.
///
/// Responders form a chain. The responder that was given last to a client (`client.responding(with:)`) is asked first, the
/// dispatcher's responder last. A screen answers the incidents that it wants to show itself, and passes on the rest.
///
/// Commands that a responder sends while it decides neither open nor join an incident. A responder can therefore use the client
/// to check whether the server responds. For an action that runs in another task, such as a button's, use
/// `incident.client(_:)`.
///
/// ## Which responders are the same
/// An incident asks the same responder once. Two instances of a class or an actor are the same if they are identical. Two
/// values are the same if they are equal (`Hashable` or `Equatable`), or else if they have the same type and are stored
/// alike, bit by bit: values without properties are, and so are copies.
public protocol Responder: Sendable {
    /// Decides about an incident. The time that it takes doesn't count against a deadline. The task is cancelled when the
    /// incident ends by itself: the network is back, the host responds, a session has begun, or the last command has ended. The
    /// method should then return soon, because the next question waits for it.
    func respond(to incident: Incident) async -> IncidentAnswer

    /// How many questions the responder takes at a time: 1 by default, so that alerts do not stack. Further ones wait in a
    /// queue, and are asked only if their cause still lasts.
    var maximumQuestions: Int { get }
}

extension Responder {
    public var maximumQuestions: Int { 1 }
}

/// A responder's place in a chain.
final class ResponderLevel: Sendable {
    let responder: any Responder
    let identity: ResponderIdentity

    init(_ responder: any Responder) {
        self.responder = responder
        identity = ResponderIdentity(responder)
    }
}

/// Tells whether two responders are the same.
struct ResponderIdentity: Sendable, Hashable {
    private let type: ObjectIdentifier
    private let responder: WeakOrValue

    /// Instances are held weakly: a remembered answer must not keep a screen alive.
    private enum WeakOrValue: Sendable {
        case object(WeakResponder)
        case value(any Responder)
    }

    init(_ responder: any Responder) {
        let type = Swift.type(of: responder) as any Any.Type
        self.type = ObjectIdentifier(type)
        if type is AnyClass, let object = responder as? any Responder & AnyObject {
            self.responder = .object(WeakResponder(object))
        } else {
            self.responder = .value(responder)
        }
    }

    static func == (first: Self, second: Self) -> Bool {
        guard first.type == second.type else { return false }
        switch (first.responder, second.responder) {
        case (.object(let first), .object(let second)):
            guard let first = first.object, let second = second.object else { return false }
            return first === second
        case (.value(let first), .value(let second)): return isSame(first, second)
        case (.object, .value), (.value, .object): return false
        }
    }

    /// By type alone: an app has few responders of one type at a time.
    func hash(into hasher: inout Hasher) { hasher.combine(type) }

    private static func isSame<First: Responder>(_ first: First, _ second: any Responder) -> Bool {
        guard let second = second as? First else { return false }
        if let first = first as? any Equatable { return first.isEqual(to: second) }
        return withUnsafeBytes(of: first) { first in
            withUnsafeBytes(of: second) { first.elementsEqual($0) }
        }
    }
}

private final class WeakResponder: Sendable {
    private let reference: LockedState<Reference>
    private struct Reference: Sendable { weak var object: (any Responder & AnyObject)? }

    init(_ object: any Responder & AnyObject) { reference = LockedState { Reference(object: object) } }

    var object: (any Responder & AnyObject)? { reference.withLock { $0.object } }
}

extension Equatable {
    fileprivate func isEqual(to other: Any) -> Bool { (other as? Self) == self }
}
