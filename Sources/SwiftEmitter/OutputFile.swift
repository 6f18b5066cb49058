/// A generated file: where it goes below the output folder, and what it holds.
package struct OutputFile: Sendable, Equatable {
    /// The path's components joined by `/`; never absolute and never upwards.
    package let path: String
    package let bytes: [UInt8]

    package init(path: String, text: String) {
        self.path = path
        self.bytes = Array(text.utf8)
    }

    /// How many lines it has.
    package var lineCount: Int { bytes.lazy.filter { $0 == 0x0A }.count }
}

/// What a user may choose about generated code.
package struct EmitterOptions: Sendable, Equatable {
    package var access: AccessLevel

    package init(access: AccessLevel = .public) {
        self.access = access
    }
}

/// Who may use generated declarations.
package enum AccessLevel: String, Sendable, CaseIterable {
    case `public`
    case package
}
