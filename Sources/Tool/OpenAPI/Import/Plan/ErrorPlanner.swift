import ContractModel

/// Turns the failures of all endpoints into errors that they share.
///
/// One status has one category everywhere, since an app that meets it twice expects the same. Errors that name one status
/// stay apart from those of `default` and `4XX`, which take what is left: where an endpoint has both, their statuses are
/// disjoint.
final class ErrorPlanner {
    private struct Failure {
        var response: Response
        var data: PlannedType?
    }

    private var failures: [String: [Failure]] = [:]
    private var hasRetryAfter: [Int: (with: Int, without: Int)] = [:]
    private(set) var count = 0

    func record(_ response: Response, data: PlannedType?, endpoint: String) {
        count += 1
        failures[endpoint, default: []].append(Failure(response: response, data: data))
        guard let statuses = response.statuses, statuses.count == 1 else { return }
        let says = response.headers.contains { $0.name.lowercased() == "retry-after" }
        let known = hasRetryAfter[statuses.lowerBound] ?? (0, 0)
        hasRetryAfter[statuses.lowerBound] = says ? (known.with + 1, known.without) : (known.with, known.without + 1)
    }

    func forget(_ endpoint: String) { failures[endpoint] = nil }

    /// The types of the data of failures.
    var numbers: [Int] { failures.values.flatMap { $0.flatMap { $0.data?.numbers ?? [] } } }

    /// Replaces the types of the data.
    func mapTypes(_ type: (PlannedType) -> PlannedType) {
        failures = failures.mapValues { list in
            list.map { Failure(response: $0.response, data: $0.data.map(type)) }
        }
    }

    // MARK: Errors

    private struct Key: Hashable {
        var statuses: [ClosedRange<Int>]
        var data: PlannedType?
        var base: String
        var sign: FailureSign?
        var settles = false
    }

    private struct WildKey: Hashable {
        var base: String
        var data: PlannedType?
    }

    /// The name of a 401 of an endpoint without a session, in a contract with one.
    private static let loginFailure = "wrongCredentials"
    /// The names of errors by which a repeated DELETE succeeds, by their statuses.
    private static let deletedBefore = [404: "alreadyGone", 410: "deletedBefore"]
    /// Each is a built-in error, but for 304, which is none.
    private static let leftToBuiltIn: Set<Int> = [304, 408, 425, 429, 502, 503, 504]

    /// The errors of the plan, and which endpoint has which.
    ///
    /// - Parameters:
    ///   - framework: what the service sends besides; nil if it is not known.
    ///   - isCompared: whether the plan has only what the document declares, each error where the document has it.
    func finish(_ plan: inout ContractPlan, _ framework: FrameworkErrors?, isCompared: Bool = false) {
        let hasSession = plan.session != nil
        let categories = Categories(
            hasSession: hasSession,
            retryAfter: Set(hasRetryAfter.filter { $0.value.without == 0 }.keys),
            isOnce: once(plan))
        var specials: [WildKey: Set<Int>] = [:]
        for list in failures.values {
            let single = Set(
                list.compactMap { $0.response.statuses?.count == 1 ? $0.response.statuses?.lowerBound : nil })
            for failure in list where failure.response.statuses?.count != 1 {
                specials[wildKey(failure), default: []].formUnion(single)
            }
        }
        let isOnce = Set(plan.endpoints.filter(\.isOnce).flatMap(\.failures).map(\.sign))
        var numbers: [Key: Int] = [:]
        var endpointName = ""
        func number(_ key: Key, _ category: (name: ErrorCategory, reason: String), _ doc: String?) -> Int {
            if let known = numbers[key] {
                if plan.errors[known].doc != doc { plan.errors[known].doc = nil }
                return known
            }
            numbers[key] = plan.errors.count
            var error = PlannedError(
                category: category.name, reason: category.reason, statuses: key.statuses, data: key.data, doc: doc)
            error.name = key.base
            error.sign = key.sign
            error.settles = key.settles
            error.endpoint = endpointName
            plan.errors.append(error)
            return plan.errors.count - 1
        }
        func one(_ status: Int, _ failure: Failure, _ isLogin: Bool, _ doc: String?, in endpoint: PlannedEndpoint)
            -> Int
        {
            if let base = Self.deletedBefore[status], endpoint.canBeDoneAlready {
                let key = Key(
                    statuses: [status...status], data: failure.data, base: base, settles: true)
                return number(key, Categories.ofDeletion(status), doc)
            }
            let base = isLogin ? Self.loginFailure : StatusNames.error(status...status)
            let key = Key(statuses: [status...status], data: failure.data, base: base)
            return number(key, isLogin ? Categories.ofLogin : categories.category(status), doc)
        }
        for position in plan.endpoints.indices {
            let endpoint = plan.endpoints[position]
            endpointName = endpoint.name
            let list = failures[endpoint.name] ?? []
            let isOpen = endpoint.session == SessionUse.none || !hasSession
            var own: [Int] = []
            var taken = Set<Int>()
            var ranges: [ClosedRange<Int>] = []
            for failure in list {
                guard let statuses = failure.response.statuses else { continue }
                if statuses.count > 1 {
                    ranges.append(statuses)
                    continue
                }
                taken.insert(statuses.lowerBound)
                let isLogin = statuses.lowerBound == 401 && isOpen && hasSession
                own.append(one(statuses.lowerBound, failure, isLogin, failure.response.description, in: endpoint))
            }
            for failure in list where failure.response.statuses?.count != 1 {
                let excluded = specials[wildKey(failure)] ?? []
                for status in excluded.sorted() where !taken.contains(status) && covers(failure, status, ranges) {
                    guard status != 401 || !isOpen || !hasSession else { continue }
                    own.append(one(status, failure, false, nil, in: endpoint))
                }
                // A request that only reads has no credentials in it.
                if hasSession, !taken.contains(401), covers(failure, 401, ranges),
                    isOpen ? endpoint.writes : !excluded.contains(401)
                {
                    own.append(one(401, failure, isOpen, nil, in: endpoint))
                }
                let rest = rest(of: failure, without: excluded, ranges, hasSession: hasSession)
                if !rest.isEmpty {
                    let base = failure.response.statuses.map(StatusNames.error) ?? "requestFailed"
                    let key = Key(statuses: rest, data: failure.data, base: base)
                    own.append(
                        number(
                            key, (.nonRetryable, "the document does not describe the single statuses"),
                            failure.response.description))
                }
            }
            for failure in endpoint.failures {
                count += 1
                let key = Key(
                    statuses: [], data: failure.data, base: Self.name(ofCode: failure.code),
                    sign: failure.sign)
                let category = categories.category(
                    code: failure.code, isOpen: isOpen, isOnce: isOnce.contains(failure.sign))
                let error = number(key, category, failure.doc)
                // A successful status says nothing else than that the server has processed the request.
                if endpoint.writes { plan.errors[error].isOpen = true }
                own.append(error)
            }
            plan.endpoints[position].errors = own.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
        }
        joinBare(&plan)
        let uses = plan.endpoints.flatMap(\.errors).reduce(into: [:]) { $0[$1, default: 0] += 1 }
        framework?.add(to: &plan) { categories.category($0) }
        if count == 0, !plan.endpoints.isEmpty, !isCompared { addUsual(&plan, hasSession) }
        if !isCompared { share(&plan) }
        sort(&plan, uses)
    }

    /// The name of an error that a code identifies.
    private static func name(ofCode code: String) -> String {
        guard code.first?.isLetter != true else { return NameText.valueName(code) }
        let isNumber = code.utf8.allSatisfy { (0x30...0x39).contains($0) }
        return "code" + (isNumber ? code : NameText.typeName(code))
    }

    private func wildKey(_ failure: Failure) -> WildKey {
        WildKey(base: failure.response.status.uppercased(), data: failure.data)
    }

    private func covers(_ failure: Failure, _ status: Int, _ ranges: [ClosedRange<Int>]) -> Bool {
        if let own = failure.response.statuses { return own.contains(status) }
        return (400...599).contains(status) && !ranges.contains { $0.contains(status) }
    }

    /// The statuses that are left to `default` or a class such as `4XX`, in ranges.
    private func rest(
        of failure: Failure, without excluded: Set<Int>, _ ranges: [ClosedRange<Int>], hasSession: Bool
    ) -> [ClosedRange<Int>] {
        let whole = failure.response.statuses ?? 400...599
        var result: [ClosedRange<Int>] = []
        for status in whole {
            guard covers(failure, status, ranges), !excluded.contains(status), !Self.leftToBuiltIn.contains(status),
                status != 401 || !hasSession
            else { continue }
            if let last = result.last, last.upperBound == status - 1 {
                result[result.count - 1] = last.lowerBound...status
            } else {
                result.append(status...status)
            }
        }
        return result
    }

    /// The statuses of an endpoint that is never sent twice.
    private func once(_ plan: ContractPlan) -> Set<Int> {
        var statuses = Set<Int>()
        for endpoint in plan.endpoints where endpoint.isOnce {
            for failure in failures[endpoint.name] ?? [] {
                guard let range = failure.response.statuses, range.count == 1 else { return statuses.union(500...599) }
                statuses.insert(range.lowerBound)
            }
        }
        return statuses
    }

    // MARK: What endpoints share

    /// A document that declares no error gets those that HTTP has names for, without those of its framework.
    private func addUsual(_ plan: inout ContractPlan, _ hasSession: Bool) {
        let reason = "the document declares no errors; this is the meaning of the status in HTTP"
        var usual = [
            PlannedError(category: .nonRetryable, reason: reason, statuses: [400...400, 422...422]),
            PlannedError(category: .nonRetryable, reason: reason, statuses: [403...403]),
            PlannedError(category: .nonRetryable, reason: reason, statuses: [404...404]),
            PlannedError(category: .nonRetryable, reason: reason, statuses: [409...409]),
        ]
        if hasSession { usual.append(PlannedError(category: .requiresLogout, reason: reason, statuses: [401...401])) }
        let known = plan.errors.flatMap(\.statuses)
        for var error in usual where !known.contains(where: error.takes) {
            error.name = StatusNames.error(error.statuses[0])
            plan.defaultErrors.append(plan.errors.count)
            plan.errors.append(error)
        }
    }

    /// A failure without a body in the document is the error that has data elsewhere, if only one such error has its status. An
    /// error is the same with and without its data. The response of a HEAD request never has data, so its errors stay apart.
    private func joinBare(_ plan: inout ContractPlan) {
        let ofHead = Set(plan.endpoints.filter { $0.method == .head }.flatMap(\.errors))
        // A login's 401 has another meaning than the 401 of a session.
        var numbers: [Key: [Int]] = [:]
        for number in plan.errors.indices where plan.errors[number].sign == nil {
            let base = plan.errors[number].name == Self.loginFailure ? Self.loginFailure : ""
            let key = Key(statuses: plan.errors[number].statuses, base: base, settles: plan.errors[number].settles)
            numbers[key, default: []].append(number)
        }
        var joined: [Int: Int] = [:]
        for (_, same) in numbers where same.count == 2 {
            let bare = same.filter { plan.errors[$0].data == nil }
            guard bare.count == 1, let other = same.first(where: { $0 != bare[0] }) else {
                continue
            }
            joined[bare[0]] = other
            if plan.errors[bare[0]].doc != plan.errors[other].doc { plan.errors[other].doc = nil }
        }
        guard !joined.isEmpty else { return }
        let kept = plan.errors.indices.filter { joined[$0] == nil || ofHead.contains($0) }
        let places = Dictionary(uniqueKeysWithValues: kept.enumerated().map { ($1, $0) })
        func place(_ number: Int) -> Int { places[joined[number] ?? number] ?? 0 }
        plan.errors = kept.map { plan.errors[$0] }
        plan.defaultErrors = plan.defaultErrors.map(place)
        for position in plan.endpoints.indices {
            let isHead = plan.endpoints[position].method == .head
            plan.endpoints[position].errors = plan.endpoints[position].errors.map {
                isHead ? places[$0] ?? 0 : place($0)
            }.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
        }
    }

    /// Lists the errors of all endpoints once. Endpoints with a key keep such an error in their own list, too, because the
    /// error settles an open attempt only there.
    private func share(_ plan: inout ContractPlan) {
        guard plan.endpoints.count > 1 else { return }
        for number in plan.errors.indices where !plan.defaultErrors.contains(number) && !plan.errors[number].settles {
            let isLogout = plan.errors[number].category == .requiresLogout
            let isShared = plan.endpoints.allSatisfy { endpoint in
                endpoint.errors.contains(number) || (isLogout && endpoint.session == SessionUse.none)
            }
            if isShared { plan.defaultErrors.append(number) }
        }
        for position in plan.endpoints.indices where plan.endpoints[position].effect == nil {
            plan.endpoints[position].errors.removeAll { plan.defaultErrors.contains($0) }
        }
    }

    /// By status, and of one status the most common first, and one with data before one without.
    private func sort(_ plan: inout ContractPlan, _ uses: [Int: Int]) {
        let order = plan.errors.indices.sorted { left, right in
            // Errors that a code identifies come last.
            let one = (plan.errors[left].statuses.first?.lowerBound ?? 1_000, plan.errors[left].statuses.count)
            let other = (plan.errors[right].statuses.first?.lowerBound ?? 1_000, plan.errors[right].statuses.count)
            if one != other { return one < other }
            let (more, fewer) = (uses[left] ?? 0, uses[right] ?? 0)
            if more != fewer { return more > fewer }
            let (isBare, isOtherBare) = (plan.errors[left].data == nil, plan.errors[right].data == nil)
            return isBare == isOtherBare ? left < right : isOtherBare
        }
        var places = [Int](repeating: 0, count: order.count)
        for (place, number) in order.enumerated() { places[number] = place }
        plan.errors = order.map { plan.errors[$0] }
        plan.defaultErrors = plan.defaultErrors.map { places[$0] }.sorted()
        for position in plan.endpoints.indices {
            plan.endpoints[position].errors = plan.endpoints[position].errors.map { places[$0] }.sorted()
        }
    }
}

extension PlannedEndpoint {
    /// Whether it is a DELETE that can succeed by an error, without a payload.
    fileprivate var canBeDoneAlready: Bool {
        guard method == .delete, effect == nil, stream == nil, xmlResponse == nil else { return false }
        if responseHeaders.contains(where: { !$0.isOptional }) { return false }
        return switch response {
        case .none, .content(.type(.optional)): true
        case .bytes, .content: false
        }
    }
}

extension ContractPlan {
    /// Names the errors after the types have names. The data of errors with the same status distinguishes their names.
    mutating func nameErrors(_ typeName: (PlannedType) -> String) {
        var taken = SwiftWords.errors
        for position in errors.indices {
            let base = errors[position].name
            let ofEndpoint = errors[position].endpoint + NameWords.capitalized(base)
            errors[position].name = NameText.free(
                base, taken, names(of: errors[position], typeName, below: ofEndpoint.count) + [ofEndpoint])
            taken.insert(NameText.folded(errors[position].name))
        }
    }

    /// The names for an error whose usual name another one has. The type of its data tells it from the other one:
    /// `forbiddenScimError`, and `badRequestDetails` for `BadRequestDetails`.
    ///
    /// - Parameter length: the length that a name with the name of a type stays below.
    private func names(of error: PlannedError, _ typeName: (PlannedType) -> String, below length: Int) -> [String] {
        guard error.sign == nil else { return [error.name + "Error"] }
        if let suffix = error.suffix { return [error.name + suffix] }
        guard let data = error.data.map({ NameText.typeName(typeName($0)) }) else { return [error.name + "Bare"] }
        let word = NameWords.capitalized(error.name)
        // `internalServerError` with the data `Error500`
        let stem = data.prefix { !$0.isNumber }
        guard !word.hasSuffix(stem) || data.contains(word) else { return [] }
        let name = data.contains(word) ? NameText.valueName(data) : error.name + data
        return name.count < length ? [name] : []
    }
}
