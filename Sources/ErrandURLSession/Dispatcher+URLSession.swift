@_exported public import ErrandRuntime

extension Dispatcher {
    /// The dispatcher of clients that are given none: it sends over `URLSession`, with the default
    /// settings. All of them share it.
    public static let standard = Dispatcher()

    /// A dispatcher that sends over `URLSession`.
    public convenience init(
        settings: DispatcherSettings = DispatcherSettings(),
        surroundings: DispatcherSurroundings = DispatcherSurroundings()
    ) {
        self.init(transport: URLSessionTransport(), settings: settings, surroundings: surroundings)
    }
}
