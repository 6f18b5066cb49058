#if canImport(SwiftUI)
public import ErrandRuntime
public import SwiftUI

/// The progress of a transfer, as a `ProgressView` of any style. Without a total it is indeterminate, and where the transfer goes
/// back, the bar is there at once.
///
///     TransferBar(download.progress).progressViewStyle(.linear)
@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *)
public struct TransferBar: View {
    private let progress: TransferProgress
    @State private var state: TransferState

    public init(_ progress: TransferProgress) {
        self.progress = progress
        _state = State(wrappedValue: progress.current)
    }

    public var body: some View {
        ProgressView(value: state.fraction)
            // Another view, so that nothing animates on the way back, or from an unknown total to a known one.
            .id(Turn(restarts: state.restarts, isDefinite: state.total != nil))
            .task(id: ObjectIdentifier(progress)) {
                for await state in progress { self.state = state }
            }
    }

    private struct Turn: Hashable {
        let restarts: Int
        let isDefinite: Bool
    }
}
#endif
