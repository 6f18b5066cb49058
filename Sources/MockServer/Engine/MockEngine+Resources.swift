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
        let segments = call.request.path.dropFirst(call.route.base.count).split(separator: "/")
        guard segments.count >= resource.depth else { return nil }
        let collection = call.route.base + "/" + segments.prefix(resource.depth).joined(separator: "/")
        open(collection, place.resource)
        switch place.role {
        case .list: return list(call, place, store.items(in: collection), input)
        case .create: return create(call, resource, in: collection, input)
        case .read, .replace, .delete, .change:
            guard segments.count > resource.depth, let identity = TextCoding.decoded(segments[resource.depth]) else {
                return nil
            }
            if store.wasRemoved(identity, in: collection) { return notFound(call) }
            if place.role == .delete {
                store.remove(identity, in: collection)
                let maker = PayloadMaker(contract: contract, seed: settings.seed)
                return success(maker.payload(of: call.endpoint, request: input), call)
            }
            var item = store.item(identity, in: collection) ?? sample(identity, resource, in: collection)
            if place.role != .read { echo(input, into: &item, call) }
            item[resource.identity.wireName] = identityValue(identity, resource)
            store.put(item, as: identity, in: collection, isListed: false)
            let hasPayload = if case .none = call.endpoint.response.value { false } else { true }
            return success(hasPayload ? item : nil, call)
        }
    }

    /// Fills a collection when it is first used.
    private mutating func open(_ collection: String, _ position: Int) {
        let resource = resources.resources[position]
        let isPaged = resources.places.contains { endpoint, place in
            place.resource == position && place.role == .list
                && contract.endpoints[endpoint].definition.pagination != nil
        }
        let count = isPaged ? Self.usualPagedItems : Self.usualItems
        let examples = exampleItems(position)
        let (model, seed) = (contract, settings.seed)
        store.open(collection) {
            var items: [(identity: String, value: JSONNode)] = []
            for example in examples {
                if let identity = example[resource.identity.wireName]?.scalarText { items.append((identity, example)) }
            }
            var number = 1
            while items.count < count, number <= 2 * count {
                var generator = SampleGenerator(model, seed: seed, for: collection, number: number)
                let value = generator.value(of: .named(Located(resource.type, at: resource.identity.name.range)))
                number += 1
                guard let identity = value[resource.identity.wireName]?.scalarText,
                    !items.contains(where: { $0.identity == identity })
                else { continue }
                items.append((identity, value))
            }
            return items
        }
    }

    /// The items that the examples of a contract have.
    private func exampleItems(_ position: Int) -> [JSONNode] {
        var items: [JSONNode] = []
        for (endpoint, place) in resources.places.sorted(by: { $0.key < $1.key }) where place.resource == position {
            guard place.role == .list || place.role == .read,
                contract.endpoints[endpoint].definition.examples.contains(where: { $0.response != nil }),
                let payload = PayloadMaker(contract: contract, seed: settings.seed).payload(
                    of: contract.endpoints[endpoint])
            else { continue }
            let found = place.role == .list ? payload.value(at: place.items[...])?.elements ?? [] : [payload]
            items += found.prefix(Self.usualItems)
        }
        return items
    }

    /// An item that nobody made: the service has it as soon as it is asked for.
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
        let chosen = input[resource.identity.wireName]?.scalarText
        var item = JSONNode.null
        var identity = ""
        for _ in 0..<1_000 {
            let number = store.takeNumber(in: collection)
            var generator = SampleGenerator(contract, seed: settings.seed, for: collection, number: number)
            item = generator.value(of: .named(Located(resource.type, at: resource.identity.name.range)))
            identity = chosen ?? item[resource.identity.wireName]?.scalarText ?? String(number)
            if chosen != nil || store.item(identity, in: collection) == nil { break }
        }
        echo(input, into: &item, call)
        item[resource.identity.wireName] = identityValue(identity, resource)
        store.put(item, as: identity, in: collection, isListed: true)
        return success(item, call, isCreation: true)
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
