#if AsyncHTTPClient
import AsyncHTTPClient
import Crypto
import ErrandRuntime
import NIOCore
import NIOSSL

extension HTTPClient.Configuration {
    /// Has each new connection compared with pins, after its handshake and before any request is written. One to a server with another
    /// key is closed, and its requests get the `PinError`.
    mutating func compareConnections(with pins: PublicKeyPins, of host: String) {
        let (first, second) = (http1_1ConnectionDebugInitializer, http2ConnectionDebugInitializer)
        http1_1ConnectionDebugInitializer = { Self.compare($0, pins, host, then: first) }
        http2ConnectionDebugInitializer = { Self.compare($0, pins, host, then: second) }
        // The key would be the same again.
        connectionPool.retryConnectionEstablishment = false
    }

    private static func compare(
        _ channel: any Channel, _ pins: PublicKeyPins, _ host: String,
        then next: (@Sendable (any Channel) -> EventLoopFuture<Void>)?
    ) -> EventLoopFuture<Void> {
        let compared = channel.eventLoop.submit {
            let certificate = try? channel.pipeline.syncOperations.nioSSL_peerCertificate()
            try pins.verify(try? certificate?.toDERBytes(), of: host) { Array(SHA256.hash(data: $0)) }
        }
        compared.whenFailure { _ in channel.close(promise: nil) }
        return compared.flatMap { next?(channel) ?? channel.eventLoop.makeSucceededVoidFuture() }
    }
}
#endif
