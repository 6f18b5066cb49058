/// A generated file: its path below the output folder, and its content.
package struct OutputFile: Sendable, Equatable {
    /// The path's components joined by `/`; never absolute and never upwards.
    package let path: String
    package let bytes: [UInt8]

    package init(path: String, text: String) {
        self.init(path: path, bytes: Array(text.utf8))
    }

    private init(path: String, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
    }

    /// The same file without its folder, with another name of the service in its own.
    package func renamed(_ stem: String) -> OutputFile {
        let parts = path.split(separator: "/")
        guard parts.count == 2 else { return self }
        return OutputFile(path: stem + parts[1].dropFirst(parts[0].count), bytes: bytes)
    }

    /// How many lines it has.
    package var lineCount: Int { bytes.lazy.filter { $0 == 0x0A }.count }
}
