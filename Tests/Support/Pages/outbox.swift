import ErrandDurable
import ErrandRuntime

let chat = Chat()
let store = MemoryOutboxStore()

/// The outbox of the app.
var outbox: Outbox<Chat> { preconditionFailure("only compiled") }

func show(_ values: Any?...) {}
@Sendable func encrypt(_ bytes: [UInt8]) throws -> [UInt8] { bytes }
@Sendable func decrypt(_ bytes: [UInt8]) throws -> [UInt8] { bytes }
