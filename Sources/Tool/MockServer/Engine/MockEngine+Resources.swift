import ContractModel
import JSONTree

extension MockEngine {
    /// How many items a collection begins with.
    static let usualItems = 5
    /// The same for a list that comes in pages.
    static let usualPagedItems = 25

    /// Handles a request about the things of the service. Nil if the request is handled like any other.
    mutating func handle(_ call: Call, _ place: ResourceModel.Place, _ input: JSONNode) -> Handled? {
        let resource = resources.resources[place.resource]
        let segments = segments(of: call)
        guard segments.count >= resource.depth else { return nil }
        let collection = Self.path(segments.prefix(resource.depth), call)
        open(collection, place.resource)
        switch place.role {
        case .list where !store.isChanged(collection) && call.endpoint.definition.pagination == nil:
            // Until a client changes something, a request of an example has the response of the example.
            let maker = PayloadMaker(contract: contract, seed: settings.seed)
            if let payload = maker.examplePayload(of: call.endpoint, input) { return success(payload, call) }
            return list(call, place, store.items(in: collection), input)
        case .list: return list(call, place, store.items(in: collection), input)
        case .create: return create(call, resource, in: collection, input)
        case .read, .replace, .delete, .change:
            guard segments.count > resource.depth else { return nil }
            let identity = segments[resource.depth]
            if store.wasRemoved(identity, in: collection) {
                return (place.role == .delete ? doneAlready(call, input) : nil) ?? notFound(call)
            }
            var item = store.item(identity, in: collection) ?? sample(identity, resource, in: collection)
            if place.role == .delete {
                store.remove(identity, in: collection)
                return success(payload(of: call, item, resource, input), call)
            }
            // An item that was only read is the same whenever it is asked for, so nothing is kept.
            if place.role != .read {
                let inputs = PayloadMaker(contract: contract, seed: settings.seed).inputs(of: call.endpoint)
                take(input, inputs, into: &item, fields(of: resource))
                item[resource.identity.wireName] = identityValue(identity, resource)
                store.put(item, as: identity, in: collection, isListed: false)
            }
            return success(payload(of: call, item, resource, input), call)
        }
    }

    /// The payload about an item: the item, or what a response of another type has of it.
    private func payload(
        of call: Call, _ item: JSONNode, _ resource: ResourceModel.Resource, _ input: JSONNode
    ) -> JSONNode? {
        if ResourceModel.structure(of: call.endpoint, in: contract)?.name == resource.type { return item }
        let maker = PayloadMaker(contract: contract, seed: settings.seed)
        guard var payload = maker.payload(of: call.endpoint, request: input) else { return nil }
        take(item, fields(of: resource), into: &payload, responseFields(call.endpoint))
        echo(input, into: &payload, call)
        return payload
    }

    private func fields(of resource: ResourceModel.Resource) -> [FieldDefinition] {
        guard case .structure(let fields)? = contract.type(named: resource.type)?.form else { return [] }
        return fields
    }

    /// Whether the request is about a part of an item that was removed.
    func isInsideRemoved(_ call: Call) -> Bool {
        let segments = segments(of: call)
        return segments.indices.dropLast().contains {
            store.wasRemoved(segments[$0], in: Self.path(segments[..<$0], call))
        }
    }

    /// The decoded segments of the path below the base path.
    private func segments(of call: Call) -> [String] {
        call.request.path.dropFirst(call.route.base.count).split(separator: "/").map {
            PercentText.validated($0) ?? String($0)
        }
    }

    private static func path(_ segments: ArraySlice<String>, _ call: Call) -> String {
        segments.reduce(call.route.base) { ResourceStore.path(of: $1, in: $0) }
    }

    /// Fills a collection when it is first used.
    private mutating func open(_ collection: String, _ position: Int) {
        let resource = resources.resources[position]
        let isPaged = resources.places.contains { endpoint, place in
            place.resource == position && place.role == .list
                && contract.endpoints[endpoint].definition.pagination != nil
        }
        let examples = exampleItems(position)
        var count = isPaged ? Self.usualPagedItems : Self.usualItems
        // A list without pages is its example, if that is for each request.
        if !isPaged, isWholeList(position) { count = min(count, examples.count) }
        let (model, seed) = (contract, settings.seed)
        store.open(collection) {
            var items: [(identity: String, value: JSONNode)] = []
            var known: Set<ByteText> = []
            for example in examples {
                guard let identity = example[resource.identity.wireName]?.scalarText,
                    known.insert(ByteText(identity)).inserted
                else { continue }
                items.append((identity, example))
            }
            var number = 1
            while items.count < count, number <= 2 * count {
                var generator = SampleGenerator(
                    model, seed: seed, for: collection, number: number, identity: resource.identity.wireName)
                let value = generator.value(of: .named(Located(resource.type, at: resource.identity.name.range)))
                number += 1
                guard let identity = value[resource.identity.wireName]?.scalarText,
                    known.insert(ByteText(identity)).inserted
                else { continue }
                items.append((identity, value))
            }
            return items
        }
    }

    /// The items that the examples of a contract have.
    private func exampleItems(_ position: Int) -> [JSONNode] {
        let maker = PayloadMaker(contract: contract, seed: settings.seed)
        var items: [JSONNode] = []
        for (endpoint, place) in resources.places.sorted(by: { $0.key < $1.key }) where place.resource == position {
            guard place.role == .list || place.role == .read else { continue }
            for payload in maker.examplePayloads(of: contract.endpoints[endpoint]) {
                items += place.role == .list ? payload.value(at: place.items[...])?.elements ?? [] : [payload]
            }
        }
        return Array(items.prefix(Self.usualPagedItems))
    }

    /// Whether an example of the list is for each request.
    private func isWholeList(_ position: Int) -> Bool {
        resources.places.contains { endpoint, place in
            place.resource == position && place.role == .list
                && contract.endpoints[endpoint].definition.examples.contains { $0.response != nil && $0.request == nil }
        }
    }

    /// An item that no client made: the service has it as soon as it is asked for.
    private func sample(_ identity: String, _ resource: ResourceModel.Resource, in collection: String) -> JSONNode {
        var generator = SampleGenerator(contract, seed: settings.seed, for: collection + "/" + identity)
        var value = generator.value(of: .named(Located(resource.type, at: resource.identity.name.range)))
        value[resource.identity.wireName] = identityValue(identity, resource)
        return value
    }

    private func identityValue(_ identity: String, _ resource: ResourceModel.Resource) -> JSONNode {
        let primitive = contract.expanded(resource.identity.type.unwrapped).type.primitive
        return primitive?.isNumber == true ? .number(identity) : .string(identity)
    }

    private mutating func create(
        _ call: Call, _ resource: ResourceModel.Resource, in collection: String, _ input: JSONNode
    ) -> Handled {
        // A chosen identity is taken as it is; otherwise the next that is free.
        let chosen = input[resource.identity.wireName]?.scalarText.flatMap { $0.isEmpty ? nil : $0 }
        if let chosen, store.item(chosen, in: collection) != nil, let done = doneAlready(call, input) { return done }
        var item = JSONNode.null
        var identity = ""
        for _ in 0..<1_000 {
            let number = store.takeNumber(in: collection)
            var generator = SampleGenerator(
                contract, seed: settings.seed, for: collection, number: number, identity: resource.identity.wireName)
            item = generator.value(of: .named(Located(resource.type, at: resource.identity.name.range)))
            identity = chosen ?? item[resource.identity.wireName]?.scalarText ?? String(number)
            if chosen != nil || store.item(identity, in: collection) == nil { break }
        }
        echo(input, into: &item, call)
        item[resource.identity.wireName] = identityValue(identity, resource)
        store.put(item, as: identity, in: collection, isListed: true)
        return success(item, call)
    }

    private mutating func list(
        _ call: Call, _ place: ResourceModel.Place, _ items: [JSONNode], _ input: JSONNode
    ) -> Handled {
        if place.items.isEmpty { return paged(.array(items), call) ?? success(.array(items), call) }
        let maker = PayloadMaker(contract: contract, seed: settings.seed)
        var payload = maker.payload(of: call.endpoint, request: input) ?? .object([])
        payload.put(.array(items), at: place.items[...])
        return paged(payload, call) ?? success(payload, call)
    }
}
