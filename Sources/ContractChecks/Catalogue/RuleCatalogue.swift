/// All rules, in the order of the alphabet. A test holds that none is missing here.
package enum RuleCatalogue {
    package static let all: [any Rule.Type] = [
        AmbiguousPaths.self,
        BodyOn204.self,
        BodyOnDelete.self,
        BusinessConditionAsError.self,
        CategoryContradictsStatus.self,
        CategoryDiffersAcrossEndpoints.self,
        ChangeWithoutSession.self,
        ClosedEnumInResponse.self,
        CommentInText.self,
        CompressedTwice.self,
        ContradictoryRetry.self,
        CreationByPut.self,
        CredentialInURL.self,
        DataRequiredBesideError.self,
        DefaultInUpdate.self,
        DeprecatedTypeUsed.self,
        DeprecatedWithoutReplacement.self,
        EffectByDefault.self,
        EffectContradictsMethod.self,
        EnvelopeBypassed.self,
        EnvelopeInResponse.self,
        EnvelopePathUnknown.self,
        EnvelopeWithoutSuccessCondition.self,
        ErrorDataNotInEnvelope.self,
        ErrorMatchesSuccess.self,
        ErrorWithoutMessage.self,
        ExampleDoesNotFit.self,
        IDTypesDiffer.self,
        IdempotentCreation.self,
        InsecureServer.self,
        KeyLifetimeBelowDeadline.self,
        LimitWithoutRange.self,
        ListWithoutPagination.self,
        LocalProductionServer.self,
        LogoutOn403.self,
        LogoutOnPublicEndpoint.self,
        LogoutWithoutLoginEndpoint.self,
        MissingTimeout.self,
        MisspelledBuiltInError.self,
        MixedEndpointCases.self,
        MixedNameCases.self,
        MoneyAsDouble.self,
        NamingConvention.self,
        NoServers.self,
        NonStandardStatus.self,
        OptionalWithDefault.self,
        PagesWithoutPaginate.self,
        PatchWithoutNull.self,
        PlaceholderMessage.self,
        PlainPassword.self,
        ReadThatChanges.self,
        RequiredCursor.self,
        ReservedHeader.self,
        RetriedStreamBody.self,
        RetriesExceedDeadline.self,
        RetryWithoutLimit.self,
        RetryableErrorOnOnceEndpoint.self,
        SameConditionTwice.self,
        SessionWithoutIdentity.self,
        ShortUploadTimeout.self,
        StableImportsDraft.self,
        StaleSuppression.self,
        StatusOfAFrame.self,
        StreamWithoutPosition.self,
        StringThatIsATimestamp.self,
        SuppressionWithoutReason.self,
        ThrottlingNotRetryable.self,
        TimeoutOutOfRange.self,
        TokenInHeader.self,
        TokenInURL.self,
        TotalOfOtherUnit.self,
        TrailingSlash.self,
        TypeContradictsName.self,
        UnavailableOnOnceEndpoint.self,
        UndeclaredPathParameter.self,
        UnmarkedPersonalData.self,
        UnreachableError.self,
        UnusedEnvelope.self,
        UnusedError.self,
        UnusedImport.self,
        UnusedSession.self,
        UnusedType.self,
        VerbInPath.self,
        WeakSignature.self,
    ]

    /// The rules that look at a contract that was read.
    package static let lint = all.compactMap { $0.asLintRule }

    package static func rule(named name: String) -> (any Rule.Type)? { all.first { $0.name == name } }
}

extension Rule {
    /// The rule's page, from its doc comment, in Markdown.
    package static var page: String { RulePages.texts[name] ?? "" }

    /// The first paragraph of the page in one line.
    package static var summary: String {
        page.split(separator: "\n", omittingEmptySubsequences: false).prefix { !$0.isEmpty }.joined(separator: " ")
    }
}
