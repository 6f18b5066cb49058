import Foundation

/// The Python whose packages tests use, which `scripts/install-python-tools` installs.
public enum PythonTools {
    /// The program. It exists only after the script has run.
    ///
    /// The folder is in the checkout, so that two checkouts do not share one. A script that runs tests in a copy of the project
    /// links the folder into the copy.
    public static let python = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent(".build-python/bin/python")

    /// Whether the program exists.
    public static var areInstalled: Bool { FileManager.default.isExecutableFile(atPath: python.path) }
}
