/// The pages of a list, one after the other. See ``ServiceClient/pages(of:)``.
public struct Pages<C: PagedCommand>: AsyncSequence, Sendable {
    public typealias Element = Page<C>
    public typealias Failure = C.Failure

    private let binding: ServiceBinding
    private let command: C

    init(_ binding: ServiceBinding, _ command: C) {
        self.binding = binding
        self.command = command
    }

    /// Begins a walk. Nothing is sent yet.
    public func makeAsyncIterator() -> Iterator { Iterator(PageTurner(binding, command)) }

    /// One walk over the pages. A screen keeps it, and calls `next()` whenever it needs more.
    ///
    /// After a failure, `next()` asks for the same page again. It may be called from several tasks, each of which gets
    /// another page.
    public final class Iterator: AsyncIteratorProtocol, Sendable {
        public typealias Element = Page<C>
        public typealias Failure = C.Failure

        private let turner: PageTurner<C>

        init(_ turner: PageTurner<C>) { self.turner = turner }

        /// How many pages there are, as the last one has said; nil if it has not.
        public var totalPages: Int? { turner.totals.pages }
        /// How many elements the list has, as the last page has said; nil if it has not.
        public var totalElements: Int? { turner.totals.elements }
        /// Whether this was the last page. Known with the last page, before `next()` says so.
        public var isOver: Bool { turner.isOver }

        /// The next page; nil at the end. Nothing is fetched ahead.
        ///
        /// - Throws: the endpoint's own failure type.
        public func next() async throws(C.Failure) -> Page<C>? { try await turner.next() }

        public func next(isolation actor: isolated (any Actor)?) async throws(C.Failure) -> Page<C>? {
            try await turner.next()
        }
    }
}

/// The elements of a list, across all of its pages. See ``ServiceClient/elements(of:)``.
public struct PageElements<C: PagedCommand>: AsyncSequence, Sendable {
    public typealias Element = C.PageElement
    public typealias Failure = C.Failure

    private let binding: ServiceBinding
    private let command: C

    init(_ binding: ServiceBinding, _ command: C) {
        self.binding = binding
        self.command = command
    }

    /// Begins a walk. Nothing is sent yet.
    public func makeAsyncIterator() -> Iterator { Iterator(PageTurner(binding, command)) }

    /// One walk over the elements. After a failure, `next()` asks for the same page again: no element is left out, and none comes
    /// twice. It may be called from several tasks, each of which gets another element.
    public final class Iterator: AsyncIteratorProtocol, Sendable {
        public typealias Element = C.PageElement
        public typealias Failure = C.Failure

        /// The elements of the last page, taken before `index`.
        @usableFromInline
        struct Buffer: Sendable {
            @usableFromInline var elements: [C.PageElement] = []
            @usableFromInline var index = 0

            @inlinable
            mutating func popFirst() -> C.PageElement? {
                let index = index
                guard index < elements.count else { return nil }
                self.index = index + 1
                return elements[index]
            }
        }

        private let turner: PageTurner<C>
        @usableFromInline let buffer = LockedState<Buffer> { Buffer() }

        init(_ turner: PageTurner<C>) { self.turner = turner }

        /// How many pages there are, as the last one has said; nil if it has not.
        public var totalPages: Int? { turner.totals.pages }
        /// How many elements the list has, as the last page has said; nil if it has not.
        public var totalElements: Int? { turner.totals.elements }
        /// Whether every element was given, known with the last one.
        public var isOver: Bool { turner.isOver && buffer.withLock { $0.index >= $0.elements.count } }

        /// The next element; nil at the end. The next page is asked for when the elements of this one are used up.
        ///
        /// - Throws: the endpoint's own failure type.
        #if compiler(>=6.2)
        @inlinable
        nonisolated(nonsending) public func next() async throws(C.Failure) -> C.PageElement? {
            if let element = buffer.withLock({ $0.popFirst() }) { return element }
            return try await fetch()
        }
        #else
        public func next() async throws(C.Failure) -> C.PageElement? {
            if let element = buffer.withLock({ $0.popFirst() }) { return element }
            return try await fetch()
        }
        #endif

        /// The same on the caller's actor.
        @inlinable
        public func next(isolation actor: isolated (any Actor)?) async throws(C.Failure) -> C.PageElement? {
            if let element = buffer.withLock({ $0.popFirst() }) { return element }
            return try await fetch()
        }

        @usableFromInline
        func fetch() async throws(C.Failure) -> C.PageElement? {
            guard await turner.turns.enter() else {
                _ = try await turner.next()
                return nil
            }
            defer { turner.turns.leave() }
            // Another task may have brought a page meanwhile.
            while true {
                if let element = buffer.withLock({ $0.popFirst() }) { return element }
                guard let page = try await turner.takeNext() else { return nil }
                buffer.withLock { $0 = Buffer(elements: page.elements) }
            }
        }
    }
}

extension ServiceClient {
    /// The pages of the list that the command requests a part of, from that part on.
    ///
    ///     for try await page in bank.pages(of: Bank.ListTransfers(accountID: 7)) {
    ///         show(page.elements, of: page.totalPages)
    ///     }
    ///
    /// Each page is a command of its own, with this client's options. All pages belong to the login of the first page. If that login ends, the walk ends with `sessionEnded`.
    public func pages<C: PagedCommand>(of command: C) -> Pages<C> where C.Service == Self {
        Pages(binding, command)
    }

    /// The elements of the list that the command asks for a part of, from that part on.
    ///
    ///     for try await transfer in bank.elements(of: Bank.ListTransfers(accountID: 7)) { … }
    public func elements<C: PagedCommand>(of command: C) -> PageElements<C> where C.Service == Self {
        PageElements(binding, command)
    }
}

// Overloads that no program can call. They name the mistake where the compiler would otherwise refer to the iterator's constraint.
extension ServiceClient {
    /// Unavailable: only a command whose endpoint has `paginate` in the contract has pages.
    @available(
        *, unavailable,
        message: "the endpoint of this command has no `paginate` in the contract. Send the command to get its response"
    )
    public func pages<Other: Command>(of command: Other) -> AsyncStream<Never> where Other.Service == Self {
        AsyncStream { nil }
    }

    /// Unavailable: only a command whose endpoint has `paginate` in the contract has pages.
    @available(
        *, unavailable,
        message: "the endpoint of this command has no `paginate` in the contract. Send the command to get its response"
    )
    public func elements<Other: Command>(of command: Other) -> AsyncStream<Never> where Other.Service == Self {
        AsyncStream { nil }
    }
}
