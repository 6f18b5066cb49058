/// A command whose response is a stream of elements (`delivery: stream` in the contract). Generated code conforms to this.
public protocol StreamCommand<Service>: Command where Response == OpenedStream {
    /// The type of the stream's elements.
    associatedtype Element: Sendable

    /// Reads one element; nil if the reader is at fault.
    static func element(from reader: inout JSONReader) -> Element?
}

extension StreamCommand {
    /// Never called: the elements are read one by one.
    public static func load(from reader: inout JSONReader) -> OpenedStream? {
        reader.skipValue()
        return nil
    }
}

/// A command of the runtime that carries another one. Transports see the carried command's type.
package protocol CarrierCommand: Command {
    static var carried: any Command.Type { get }
}
