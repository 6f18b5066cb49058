@_exported public import ErrandClient
public import ErrandRuntime

extension Dispatcher {
    /// The dispatcher that all clients without one of their own share. It sends over the system's transport with the default
    /// settings.
    public static let standard = Dispatcher()

    /// A dispatcher that sends over the system's transport (`SystemTransport`). Settings without `localize` take the texts of the app's
    /// bundle (`BundleTexts`).
    public convenience init(
        network: any PathMonitor = SystemPathMonitor.shared, responder: (any Responder)? = nil,
        interceptors: [any Interceptor] = [], observers: [any CommandObserver] = [],
        settings: DispatcherSettings = DispatcherSettings(),
        environment: DispatcherEnvironment = DispatcherEnvironment()
    ) {
        var settings = settings
        if settings.localize == nil { settings.localize = BundleTexts.localization() }
        self.init(
            transport: SystemTransport.make(), network: network, responder: responder,
            interceptors: interceptors, observers: observers, settings: settings, environment: environment)
    }
}
