import Foundation

/// A bar on standard error that shows the progress of long work. Without a terminal, it is a line for each quarter.
struct ProgressBar {
    private let title: String
    private let total: Int
    private let isInteractive = isatty(2) == 1
    private var shown: Int?

    /// - Parameter total: the number of steps, or of bytes.
    init(_ title: String, total: Int) {
        (self.title, self.total) = (title, total)
        update(to: 0)
    }

    /// So much is done.
    mutating func update(to done: Int) {
        let percent = done * 100 / total
        guard percent != shown else { return }
        if isInteractive {
            let filled = percent * 40 / 100
            let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: 40 - filled)
            let number = String(repeating: " ", count: 3 - String(percent).count) + "\(percent) %"
            write("\r\u{1B}[K\(title) [\(bar)] \(number)")
        } else if shown.map({ $0 / 25 != percent / 25 }) ?? true {
            write("\(title) \(percent) %\n")
        }
        shown = percent
    }

    /// Takes the bar away.
    func finish() {
        if isInteractive { write("\r\u{1B}[K") }
    }

    private func write(_ text: String) { try? FileHandle.standardError.write(contentsOf: Data(text.utf8)) }
}
