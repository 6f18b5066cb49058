import ContractDiff
import ContractModel
import Diagnostics

/// The version that one contract needs after its changes.
package struct DiffVersion: Sendable {
    private let need: VersionNeed
    private let oldText: String?
    private let newText: String?
    private let service: String
    private let file: String
    private let range: SourceRange?
    private let wasDraft: Bool

    /// - Parameters:
    ///   - old: the text of the old contract's version.
    ///   - wasDraft: whether the old contract is a draft, which may break.
    ///   - new: the new contract.
    package init(_ changes: [Change], old: String?, wasDraft: Bool, _ new: ContractExamination) {
        let version = new.written?.version
        need = VersionNeed(changes, old: old, new: version?.value)
        oldText = old
        newText = version?.value
        service = new.written?.service.value ?? ""
        file = new.file
        range = version?.range ?? new.written?.service.range
        self.wasDraft = wasDraft
    }

    /// The least version, in a line: `Shop 1.2.0 → 2.0.0`.
    package var suggestion: String {
        guard let oldText else { return "\(service) has no version; write `version: 1.0.0`" }
        guard let suggested = need.suggested else {
            return "\(service) has the version \(oldText), which is not a semantic version such as 1.2.0"
        }
        return need.step == .none ? "\(service) \(oldText)" : "\(service) \(oldText) → \(suggested.text)"
    }

    /// Whether the contract's own version says that apps break, after one that says something else.
    package var announcesBreaks: Bool { need.step == .major && need.isMet == true }

    /// The text of the contract's own version.
    package var text: String { newText ?? "" }

    /// The finding if the contract's own version says less than its changes need. A contract that was a draft may break, so it needs no version.
    package var finding: Diagnostic? {
        guard !wasDraft, need.step != .none, need.isMet != true else { return nil }
        let message: String
        switch (newText, need.suggested) {
        case (nil, _): message = "the contract has changes and no version"
        case (let text?, let suggested?):
            message =
                need.new == nil
                ? "the version `\(text)` is not a semantic version such as \(suggested.text)"
                : "the version `\(text)` is too low after \(oldText ?? ""): \(Self.reason(need.step))"
        case (let text?, nil):
            guard need.new == nil || oldText != nil else { return nil }
            message = "the version `\(text)` cannot be compared with `\(oldText ?? "")`"
        }
        let help = "write `version: \(need.suggested?.text ?? "1.0.0")`"
        guard let range else { return Diagnostic(rule: .versionTooLow, message: message, file: file, help: help) }
        return Diagnostic(rule: .versionTooLow, message: message, at: range, help: help)
    }

    private static func reason(_ step: VersionStep) -> String {
        switch step {
        case .major: "a change breaks apps"
        case .minor: "something is new or needs a review"
        case .patch, .none: "something changed"
        }
    }
}
