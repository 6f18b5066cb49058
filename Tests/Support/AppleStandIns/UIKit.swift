// https://developer.apple.com/documentation/uikit
public import Foundation

@MainActor open class UIResponder {
    public init() {}
    open var next: UIResponder? { nil }
}
@MainActor open class UIView: UIResponder {}
@MainActor open class UIViewController: UIResponder {
    public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) { super.init() }
    public required init?(coder: NSCoder) { super.init() }
    public convenience override init() { self.init(nibName: nil, bundle: nil) }
    open var title: String?
    open var view: UIView! {
        get { nil }
        set {}
    }
    open var isBeingDismissed: Bool { false }
    open func viewDidLoad() {}
    open func present(_ viewControllerToPresent: UIViewController, animated flag: Bool, completion: (() -> Void)? = nil)
    {}
    open func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) {}
}
@MainActor open class UIAlertAction {
    public enum Style: Int, Sendable { case `default`, cancel, destructive }
    public convenience init(title: String?, style: Style, handler: ((UIAlertAction) -> Void)? = nil) { self.init() }
    init() {}
}
@MainActor open class UIAlertController: UIViewController {
    public enum Style: Int, Sendable { case actionSheet, alert }
    public convenience init(title: String?, message: String?, preferredStyle: Style) {
        self.init(nibName: nil, bundle: nil)
    }
    open var message: String?
    open var preferredAction: UIAlertAction?
    open func addAction(_ action: UIAlertAction) {}
}
@MainActor open class UIScene: UIResponder {
    public final class ConnectionOptions {}
}
public final class UISceneSession {}
@MainActor open class UIWindowScene: UIScene {}
@MainActor open class UIWindow: UIView {
    public struct Level: Hashable, Sendable { public static let alert = Level() }
    public init(windowScene: UIWindowScene) { super.init() }
    open var windowLevel: Level = .alert
    open var rootViewController: UIViewController?
    open var isHidden = false
    open func makeKeyAndVisible() {}
}
/// https://developer.apple.com/documentation/uikit/uiapplicationdelegate/application(_:handleeventsforbackgroundurlsession:completionhandler:)
@MainActor public protocol UIApplicationDelegate: AnyObject {
    func application(
        _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
        completionHandler: @escaping () -> Void)
}
/// Optional there, which needs Objective-C.
extension UIApplicationDelegate {
    public func application(
        _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
        completionHandler: @escaping () -> Void
    ) {}
}
@MainActor public protocol UIWindowSceneDelegate: AnyObject {}
@MainActor open class UILabel: UIView { open var text: String? }
@MainActor open class UIApplication: UIResponder {
    public class var shared: UIApplication { UIApplication() }
    public weak var delegate: (any UIApplicationDelegate)?
}
public final class UIImage: Sendable { public init?(data: Data) {} }
