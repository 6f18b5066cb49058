// https://developer.apple.com/documentation/appkit
public import Foundation

@MainActor open class NSResponder {
    public init() {}
    open var nextResponder: NSResponder?
}
@MainActor public protocol NSApplicationDelegate: AnyObject {}
@MainActor open class NSApplication: NSResponder {
    public struct ModalResponse: RawRepresentable, Hashable, Sendable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }
        public static let alertFirstButtonReturn = ModalResponse(rawValue: 1000)
    }
    public class var shared: NSApplication { NSApplication() }
    public weak var delegate: (any NSApplicationDelegate)?
}
@MainActor open class NSWindow: NSResponder {
    open func endSheet(_ sheetWindow: NSWindow) {}
}
@MainActor open class NSButton: NSResponder {
    open var keyEquivalent = ""
}
@MainActor open class NSAlert {
    public init() {}
    open var messageText = ""
    open var informativeText = ""
    open var window: NSWindow { NSWindow() }
    @discardableResult open func addButton(withTitle title: String) -> NSButton { NSButton() }
    open func beginSheetModal(
        for sheetWindow: NSWindow, completionHandler handler: ((NSApplication.ModalResponse) -> Void)? = nil
    ) {}
}
