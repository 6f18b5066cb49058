import Foundation

/// The terminal: what is asked there, and what is not part of the result.
enum Terminal {
    static var home: String { FileManager.default.homeDirectoryForCurrentUser.path }

    /// The bank's text without what controls a terminal. (The messages of failures come without it.)
    static func shown(_ text: String) -> String {
        var shown = String.UnicodeScalarView()
        for scalar in text.unicodeScalars where ![.control, .format].contains(scalar.properties.generalCategory) {
            shown.append(scalar)
        }
        return String(shown)
    }

    static func complain(_ line: String) {
        FileHandle.standardError.write(Data((line + "\n").utf8))
    }

    /// Asks without showing what is typed; reads a line where standard input is not a terminal.
    static func password(prompt: String) -> String {
        guard isatty(STDIN_FILENO) == 1 else { return readLine() ?? "" }
        guard let typed = getpass(prompt) else { return "" }
        return String(cString: typed)
    }
}
