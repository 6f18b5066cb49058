import ErrandTesting

/// Only compiled.
@available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *)
var simulation: Simulation { preconditionFailure() }
