/// The version of the tool and of the runtime that its output needs.
package enum ErrandVersion {
    package static let text = "0.1.0"
}
