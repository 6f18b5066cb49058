import ContractModel
import Diagnostics

/// One difference between two versions of a contract, with its consequences.
///
/// Architecture invariant: a change is plain data. A comparison returns what it finds, and only reports print.
package struct Change: Sendable, Equatable {
    /// What happened to the place.
    package enum Edit: String, Sendable, CaseIterable {
        case added, removed, changed
        /// The same name on the wire, with another name in Swift.
        case renamed
    }

    /// The keys that lead to the place, from the root of the contract: `endpoints`, `transferFunds`, `retry`. The place is in the
    /// old contract if the edit is a removal, and otherwise in the new one.
    package var place: [String]
    package var edit: Edit
    /// The values as a contract has them, on one line. Nil where the place does not exist, and for a whole definition.
    package var old: String?
    package var new: String?
    /// The other keys of the same mapping that are new or gone with the same consequences.
    package var siblings: [String] = []
    /// So many keys of a mapping are named by a report. A contract can have thousands.
    static let mostShown = 8
    /// A hash of both values, if ``old`` and ``new`` do not show all that the consequences depend on.
    package var contentHash: String?
    /// The place in the new contract, or in the old one if the place is gone. Nil if the text cannot be found.
    package var range: SourceRange?
    /// The JSON pointer to the part of the document that the place is from; nil for a contract that was not imported.
    package var pointer: String?
    /// The first day on which the service may do without what is gone, as the old contract says; nil if it says none.
    package var sunset: CalendarDay?
    /// Whether ``range`` is in the old contract.
    package var isInOld: Bool
    /// The names of the endpoints or types that the change is for, if one place has it for several: `defaults`, or an error that is
    /// gone with all of its uses. Empty for a change of its own place.
    package var inheritedBy: [String]
    package var verdict: ChangeVerdict
    /// Why a break does not fail: a sign-off, or a draft, as words without a full stop. Nil for a break that fails.
    package var acceptance: String?
    /// Whether a comment of the new contract ignores the consequences.
    package private(set) var isIgnored = false

    package init(
        place: [String], edit: Edit, old: String? = nil, new: String? = nil, range: SourceRange? = nil,
        isInOld: Bool = false, inheritedBy: [String] = [], verdict: ChangeVerdict = .none
    ) {
        self.place = place
        self.edit = edit
        self.old = old
        self.new = new
        self.range = range
        self.isInOld = isInOld
        self.inheritedBy = inheritedBy
        self.verdict = verdict
    }

    /// The same change, whose consequences a comment of the new contract ignores.
    package func ignored(because reason: String) -> Change {
        var change = self
        change.isIgnored = true
        change.acceptance = "ignored: \(reason)"
        return change
    }

    /// The place as people write it: `endpoints.transferFunds.retry`.
    package var path: String { place.joined(separator: ".") }
}

/// The consequences of a change, in three columns.
package struct ChangeVerdict: Sendable, Equatable {
    /// The consequence in one column. The text is one sentence in the app's words, with its full stop.
    package enum Judgment: Sendable, Equatable {
        case none
        case warns(String)
        case breaks(String)
    }

    /// Which apps and servers a consequence on the wire or in behavior is about.
    package enum Direction: String, Sendable, CaseIterable {
        /// Apps from before the change, with the server from after it.
        case oldApp
        /// Apps from after the change, with the server from before it.
        case newApp
        case both
    }

    /// Whether an app that compiles with the old client compiles with the new one.
    package var source: Judgment
    /// Whether an app and a server of different versions understand each other.
    package var wire: Judgment
    /// Whether an app and a server that understand each other still do the same.
    package var behavior: Judgment
    /// Nil if neither the wire nor the behavior is affected.
    package var direction: Direction?
    /// Whether an update of the app has the consequences with any server, as what it logs has. No order of deployment prevents them.
    package var isOfAppAlone = false

    package init(
        source: Judgment = .none, wire: Judgment = .none, behavior: Judgment = .none, direction: Direction? = nil
    ) {
        self.source = source
        self.wire = wire
        self.behavior = behavior
        self.direction = direction
    }

    /// A change without consequences for apps.
    package static let none = ChangeVerdict()

    /// The same verdict, whose consequences an update of the app has with any server.
    var ofAppAlone: ChangeVerdict {
        var verdict = self
        verdict.isOfAppAlone = true
        return verdict
    }

    /// The three columns in the order of every report.
    package var columns: [(name: String, judgment: Judgment)] {
        [("source", source), ("wire", wire), ("behavior", behavior)]
    }

    /// The most severe judgment.
    package var level: Level { columns.map(\.judgment.level).max() ?? .none }

    package enum Level: Int, Sendable, Comparable, CaseIterable {
        case none, warns, breaks

        package static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }
}

extension ChangeVerdict.Level {
    /// The word of every report.
    package var word: String {
        switch self {
        case .none: "none"
        case .warns: "review"
        case .breaks: "breaks"
        }
    }
}

extension ChangeVerdict.Judgment {
    package var level: ChangeVerdict.Level {
        switch self {
        case .none: .none
        case .warns: .warns
        case .breaks: .breaks
        }
    }

    /// The consequence; nil for none.
    package var sentence: String? {
        switch self {
        case .none: nil
        case .warns(let sentence), .breaks(let sentence): sentence
        }
    }
}

extension ChangeVerdict.Direction {
    /// The word of a report for programs: whose apps a consequence is about, those from before the change or from after it.
    package var word: String {
        switch self {
        case .oldApp: "before"
        case .newApp: "after"
        case .both: "both"
        }
    }
}
