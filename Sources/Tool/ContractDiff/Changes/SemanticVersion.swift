/// A version of a contract by the rules of Semantic Versioning 2.0.0.
package struct SemanticVersion: Sendable, Equatable, Comparable {
    package let major: Int
    package let minor: Int
    package let patch: Int
    /// The part after the hyphen: `beta.1` of `2.0.0-beta.1`. Nil for a release.
    package let preRelease: String?

    package init(_ major: Int, _ minor: Int, _ patch: Int, preRelease: String? = nil) {
        self.major = major
        self.minor = minor
        self.patch = patch
        self.preRelease = preRelease
    }

    /// Reads a version. `2` and `2.1` are `2.0.0` and `2.1.0`, and only a version with all three numbers has a pre-release. A `v` may
    /// precede it, and the build after `+` is not a part of it. Nil for any other text.
    package init?(_ text: String) {
        var rest = text[...]
        if rest.hasPrefix("v") { rest = rest.dropFirst() }
        if let build = rest.firstIndex(of: "+") { rest = rest[..<build] }
        var preRelease: String?
        if let hyphen = rest.firstIndex(of: "-") {
            preRelease = String(rest[rest.index(after: hyphen)...])
            rest = rest[..<hyphen]
            guard preRelease?.isEmpty == false else { return nil }
        }
        let parts = rest.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part -> Int? in
            // More digits than a version has, or a sign.
            part.utf8.count < 10 && part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(part) : nil
        }
        guard (1...3).contains(parts.count), numbers.count == parts.count else { return nil }
        // `2026-01` is a date.
        guard preRelease == nil || parts.count == 3 else { return nil }
        self.init(
            numbers[0], numbers.count > 1 ? numbers[1] : 0, numbers.count > 2 ? numbers[2] : 0, preRelease: preRelease)
    }

    package var text: String { "\(major).\(minor).\(patch)" + (preRelease.map { "-" + $0 } ?? "") }

    package static func < (left: SemanticVersion, right: SemanticVersion) -> Bool {
        let numbers = ([left.major, left.minor, left.patch], [right.major, right.minor, right.patch])
        if numbers.0 != numbers.1 { return numbers.0.lexicographicallyPrecedes(numbers.1) }
        switch (left.preRelease, right.preRelease) {
        case (nil, _): return false
        case (_?, nil): return true
        case (let one?, let other?): return precedes(one, other)
        }
    }

    /// The order of pre-releases (section 11): numbers by their value and before words, and fewer parts before more.
    private static func precedes(_ one: String, _ other: String) -> Bool {
        let parts = (one.split(separator: "."), other.split(separator: "."))
        for (left, right) in zip(parts.0, parts.1) where left != right {
            switch (Int(left), Int(right)) {
            case (let left?, let right?): return left < right
            case (_?, nil): return true
            case (nil, _?): return false
            case (nil, nil): return left < right
            }
        }
        return parts.0.count < parts.1.count
    }
}

/// The part of a version that a set of changes must raise.
package enum VersionStep: Int, Sendable, Comparable {
    /// Nothing changed.
    case none
    case patch
    case minor
    case major

    package static func < (left: VersionStep, right: VersionStep) -> Bool { left.rawValue < right.rawValue }

    /// The step that changes ask for: major for a break, minor for an addition and for a change that warns, and patch for all
    /// others.
    package init(_ changes: [Change]) {
        self =
            changes.map { change -> VersionStep in
                switch change.verdict.level {
                case .breaks: .major
                case .warns: .minor
                case .none: change.edit == .added ? .minor : .patch
                }
            }.max() ?? .none
    }

    /// The least version after another one.
    ///
    /// Before 1.0.0, the minor version is the one that a break raises, and the patch the one for anything else. A pre-release of
    /// a version that already has the step leads to the version itself.
    package func next(after old: SemanticVersion) -> SemanticVersion {
        guard self != .none else { return old }
        let step: VersionStep = old.major == 0 ? (self == .major ? .minor : .patch) : self
        if old.preRelease != nil {
            let hasStep =
                switch step {
                case .major: old.minor == 0 && old.patch == 0
                case .minor: old.patch == 0
                case .patch, .none: true
                }
            if hasStep { return SemanticVersion(old.major, old.minor, old.patch) }
        }
        switch step {
        case .none: return old
        case .patch: return SemanticVersion(old.major, old.minor, old.patch + 1)
        case .minor: return SemanticVersion(old.major, old.minor + 1, 0)
        case .major: return SemanticVersion(old.major + 1, 0, 0)
        }
    }
}

/// The version that a contract needs after its changes, beside the one that it has.
package struct VersionNeed: Sendable, Equatable {
    package let step: VersionStep
    /// Nil if the old contract has no version, or one that is not semantic.
    package let old: SemanticVersion?
    /// Nil if the new contract has no version, or one that is not semantic.
    package let new: SemanticVersion?

    /// - Parameters:
    ///   - old: the text of the old contract's version.
    ///   - new: the text of the new contract's version.
    package init(_ changes: [Change], old: String?, new: String?) {
        // The version is not a change that asks for a version.
        step = VersionStep(changes.filter { $0.place != ["version"] })
        self.old = old.flatMap { SemanticVersion($0) }
        self.new = new.flatMap { SemanticVersion($0) }
    }

    /// The next version; nil if the old contract has none to count from.
    package var suggested: SemanticVersion? { old.map { step.next(after: $0) } }

    /// Whether the new contract's own version says at least what is needed. A pre-release of the needed version says it. Nil if
    /// that cannot be told.
    package var isMet: Bool? {
        guard let suggested, let new else { return nil }
        if step == .none { return new >= suggested }
        return SemanticVersion(new.major, new.minor, new.patch) >= suggested && new != old
    }
}
