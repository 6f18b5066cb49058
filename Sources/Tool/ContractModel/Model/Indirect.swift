/// A value that most structures of its kind do not have. It is in an object of its own, so that a structure without it stays small,
/// and copies of a structure share it.
@propertyWrapper
package struct Indirect<Value: Sendable>: Sendable {
    private var storage: Storage?

    private final class Storage: Sendable {
        let value: Value

        init(_ value: Value) { self.value = value }
    }

    package init(wrappedValue: Value?) {
        storage = wrappedValue.map(Storage.init)
    }

    package var wrappedValue: Value? {
        get { storage?.value }
        set { storage = newValue.map(Storage.init) }
    }
}
