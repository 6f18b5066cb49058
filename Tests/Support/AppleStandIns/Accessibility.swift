// https://developer.apple.com/documentation/accessibility/accessibilitynotification
public enum AccessibilityNotification {
    public struct Announcement: Sendable {
        public init(_ announcement: String) {}
        public func post() {}
    }
}
