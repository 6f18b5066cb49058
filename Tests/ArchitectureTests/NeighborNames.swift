/// Names of types, protocols and property wrappers at the top level of modules that an app or a server imports beside a
/// client. A public name of ours that equals one of them would have to be spelled with its module.
enum NeighborNames {
    static let all: [(module: String, names: Set<String>)] = [
        ("SwiftUI", words(swiftUI)), ("Foundation", words(foundation)), ("Combine", words(combine)),
        ("Network", words(network)), ("Hummingbird", words(hummingbird)),
    ]

    private static func words(_ text: String) -> Set<String> {
        Set(text.split(whereSeparator: \.isWhitespace).map(String.init))
    }

    private static let swiftUI = """
        AccessibilityActionKind AccessibilityFocusState Alert AlignmentKey Alignment Anchor Angle AngularGradient Animatable
        AnimatablePair Animation AnyGradient AnyLayout AnyShape AnyShapeStyle AnyTransition AnyView App AppStorage AsyncImage
        Axis BackgroundStyle BackgroundTask Binding BlendMode Bindable BorderedButtonStyle Button ButtonRole ButtonStyle Canvas
        Capsule Circle Color ColorPicker ColorScheme Commands CommandGroup CommandMenu ConfirmationDialog ContainerRelativeShape
        ContentMode ContentSizeCategory ContentTransition ContentUnavailableView ControlGroup ControlSize CoordinateSpace
        DatePicker DismissAction DisclosureGroup Divider DocumentGroup DragGesture DropDelegate DropInfo Edge EdgeInsets
        EditActions EditButton EditMode Ellipse EllipticalGradient EmptyView Entry Environment EnvironmentKey EnvironmentObject
        EnvironmentValues EventModifiers FetchRequest FetchedResults FileDocument FillStyle FocusState FocusedValue FocusedValues
        Font ForEach ForegroundStyle Form Gauge GeometryEffect GeometryProxy GeometryReader Gesture GestureState Gradient
        GraphicsContext Grid GridItem GridRow Group GroupBox HStack HelpLink HorizontalAlignment HoverEffect Image
        ImageRenderer InsetShape KeyboardShortcut KeyEquivalent KeyPress Label LabelStyle LabeledContent Layout LayoutDirection
        LayoutValueKey LazyHGrid LazyHStack LazyVGrid LazyVStack LinearGradient Link List ListStyle LocalizedStringKey
        LongPressGesture MagnifyGesture Material Menu MenuBarExtra MenuStyle MeshGradient MultiDatePicker Namespace
        NavigationLink NavigationPath NavigationSplitView NavigationStack NavigationView ObservedObject OffsetShape OpenURLAction
        OutlineGroup PasteButton Path Phase PhaseAnimator Picker PinnedScrollableViews PlainButtonStyle Popover Preview
        PreferenceKey PresentationDetent PresentationMode PreviewProvider ProgressView Prominence ProposedViewSize
        RadialGradient Rectangle RedactionReasons RefreshAction RenameAction ResetFocusAction RotateGesture RoundedRectangle
        SafeAreaRegions Scene ScenePhase SceneStorage ScrollView ScrollViewProxy ScrollViewReader Section SecureField
        Settings Shader Shape ShapeStyle ShareLink Slider Solid Spacer SpatialTapGesture State StateObject Stepper StrokeStyle
        SubmitLabel SubviewsCollection Tab TabView Table TableColumn TableRow TapGesture Text TextAlignment TextEditor TextField
        TimelineView Toggle ToolbarItem ToolbarItemGroup Transaction Transferable Transform Transition TupleView UnitPoint VStack
        VectorArithmetic VerticalAlignment View ViewBuilder ViewModifier ViewThatFits Visibility WidgetConfiguration Window
        WindowGroup ZStack
        """

    private static let foundation = """
        AffineTransform AttributeContainer AttributeScope AttributedString AttributedSubstring Bundle ByteCountFormatter
        CachedURLResponse Calendar CharacterSet ComparisonResult Data DataProtocol Date DateComponents
        DateComponentsFormatter DateFormatter DateInterval Decimal Dimension DirectoryEnumerationOptions DistributedLock Encoder
        EnergyFormatter ErrorPointer FileHandle FileManager FileWrapper FormatStyle Formatter Host HTTPCookie HTTPCookieStorage
        HTTPURLResponse IndexPath IndexSet InlinePresentationIntent InputStream ISO8601DateFormatter JSONDecoder JSONEncoder
        JSONSerialization KeyValueObservingPublisher LengthFormatter Locale LocalizedError LocalizedStringResource MassFormatter
        Measurement MeasurementFormatter Message MessagePort Morphology NetService Notification NotificationCenter NotificationQueue
        NumberFormatter ObservableObject Observation Operation OperationQueue OutputStream ParseStrategy PersonNameComponents Pipe
        Port Predicate Process ProcessInfo Progress PropertyListDecoder PropertyListEncoder PropertyListSerialization
        RecoverableError RunLoop Scanner SocketPort SortComparator SortDescriptor SortOrder Stream StringEncodingDetectionOptionsKey
        Thread TimeInterval TimeZone Timer URL URLAuthenticationChallenge URLCache URLComponents URLCredential
        URLCredentialStorage URLError URLProtectionSpace URLProtocol URLQueryItem URLRequest URLResponse URLResource URLResourceKey
        URLResourceValues URLSession URLSessionConfiguration URLSessionDataTask URLSessionDelegate URLSessionTask
        URLSessionTaskMetrics UUID UndoManager Unit UnitDuration UnitLength UserDefaults UserInfo ValueTransformer XMLDocument
        XMLElement XMLNode XMLParser
        """

    private static let combine = """
        AnyCancellable AnyPublisher AnySubscriber Cancellable CombineIdentifier ConnectablePublisher CurrentValueSubject
        CustomCombineIdentifierConvertible Deferred Empty Fail Future ImmediateScheduler Just ObservableObject
        ObservableObjectPublisher Optional PassthroughSubject Published Publisher Publishers Record Scheduler SchedulerTimeIntervalConvertible
        Sequence Subject Subscriber Subscribers Subscription Subscriptions TopLevelDecoder TopLevelEncoder
        """

    private static let network = """
        Coder IPAddress IPv4Address IPv6Address NWBrowser NWConnection NWConnectionGroup NWDataTransferReport NWEndpoint NWError
        NWEthernetChannel NWGroupDescriptor NWInterface NWListener NWMulticastGroup NWMultiplexGroup NWParameters NWPath NWPathMonitor
        NWProtocol NWProtocolDefinition NWProtocolFramer NWProtocolFramerImplementation NWProtocolIP NWProtocolMetadata
        NWProtocolOptions NWProtocolQUIC NWProtocolTCP NWProtocolTLS NWProtocolUDP NWProtocolWebSocket NWTXTRecord NetworkBrowser
        NetworkConnection NetworkListener PrivacyContext ProxyConfiguration QUIC RelayHop TCP TLS TLV UDP WebSocket
        """

    private static let hummingbird = """
        Application ApplicationConfiguration ApplicationContext ApplicationProtocol ApplicationRequestContextSource Authenticator
        BasicAuthentication BearerAuthentication BasicRequestContext ByteBuffer CallbackResponder ChildRequestContext Client CORSMiddleware
        Cookie Cookies CoreRequestContextStorage EditedHTTPError EditedResponse EndpointPath Environment FileIO FileMiddleware
        FileProvider HTTPChannelHandler HTTPError HTTPField HTTPFields HTTPRequest HTTPResponder HTTPResponse HTTPResponseError
        HTTPServer HTTPServerBuilder HTTPVersion JobQueue LogRequestsMiddleware MediaType MemoryPersistDriver MetricsMiddleware
        MiddlewareFixedTypeBuilder MiddlewareGroup MiddlewareProtocol MiddlewareStack Parameters PersistDriver PersistError
        ReadOnlyRequest Request RequestBody RequestContext RequestContextSource RequestDecoder RequestID RequestUploadStream
        Response ResponseBody ResponseBodyWriter ResponseEncodable ResponseEncoder ResponseGenerator Router RouterBuilder RouterGroup
        RouterMethods RouterMiddleware RouterOptions RouterPath RouterResponder RoutingResponder Server ServerConfiguration
        SessionContext SessionData SessionMiddleware SessionRequestContext SessionStorage TLSConfiguration TracingMiddleware
        URI URLEncodedFormDecoder URLEncodedFormEncoder Validation
        """
}
