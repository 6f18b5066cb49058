/// The version of the tool and of the runtime that its output needs.
enum ErrandVersion {
    static let text = "0.1.0"
}
