public import BankClient
public import ErrandUI
public import VideoClient

/// The services of the sample app: one dispatcher, one session, and one presenter for all errors.
@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *)
public struct SampleServices: Sendable {
    public let presenter: ErrorPresenter
    public let video: Video
    public let bank: Bank
    public let transfers: OutgoingTransfers

    /// - Parameter makeDispatcher: makes the dispatcher; a test makes one of its simulation.
    public init(_ makeDispatcher: (ErrorPresenter) -> Dispatcher = { Dispatcher(responder: $0) }) {
        presenter = ErrorPresenter()
        let dispatcher = makeDispatcher(presenter)
        let session = Session()
        video = Video(on: dispatcher, session: session)
        bank = Bank(on: dispatcher, session: session)
        transfers = OutgoingTransfers(bank: bank)
    }
}
