import Diagnostics

/// One entry of `groups`: endpoints that an app finds under one property of the client.
package struct GroupDefinition: Sendable {
    package var name: Located<String>
    package var doc: String

    package init(name: Located<String>, doc: String) {
        self.name = name
        self.doc = doc
    }
}
