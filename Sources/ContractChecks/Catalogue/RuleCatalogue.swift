/// All rules, in the order of the alphabet. A test holds that none is missing here.
package enum RuleCatalogue {
    package static let all: [any Rule.Type] = [
        BusinessConditionAsError.self,
        CategoryContradictsStatus.self,
        CategoryDiffersAcrossEndpoints.self,
        DataRequiredBesideError.self,
        EffectContradictsMethod.self,
        EnvelopeBypassed.self,
        EnvelopePathUnknown.self,
        EnvelopeWithoutSuccessCondition.self,
        ErrorDataNotInEnvelope.self,
        ErrorMatchersOverlap.self,
        ErrorMatchesSuccess.self,
        ErrorWithoutCategory.self,
        ErrorWithoutMessage.self,
        LoginRequiresSession.self,
        LogoutOn403.self,
        LogoutOnPublicEndpoint.self,
        LogoutWithoutLoginEndpoint.self,
        MissingTimeout.self,
        NonStandardStatus.self,
        RetriesExceedDeadline.self,
        RetryWithoutLimit.self,
        RetryableErrorOnOnceEndpoint.self,
        ThrottlingNotRetryable.self,
        TimeoutOutOfRange.self,
        UnreachableError.self,
        UnusedError.self,
    ]

    /// The rules that look at a contract that was read; the others are found while it is read.
    package static let lint = all.compactMap { $0 as? any LintRule.Type }

    package static func rule(named name: String) -> (any Rule.Type)? { all.first { $0.name == name } }
}

extension Rule {
    /// The rule's page, as its doc comment says it, in Markdown.
    package static var page: String { RulePages.texts[name] ?? "" }

    /// The first paragraph of the page in one line.
    package static var summary: String {
        page.split(separator: "\n", omittingEmptySubsequences: false).prefix { !$0.isEmpty }.joined(separator: " ")
    }
}
