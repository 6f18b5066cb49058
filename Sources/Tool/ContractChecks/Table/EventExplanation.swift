import ContractModel

/// One event as `errand explain SERVICE EVENT` shows it: its frame and its data, and what its followers can rely on.
package struct EventExplanation: Sendable {
    package struct Field: Sendable {
        /// The member of the data, on the wire.
        package var name: String
        package var type: String
    }

    /// `EVENT notice`, with the kind of the frame.
    package var frame: String
    /// One sentence about what brings it.
    package var cause: String
    /// The fields of its data; empty without data, and if the data is a type of the contract.
    package var fields: [Field]
    /// One sentence about its data.
    package var data: String
    /// Sentences about the sequences that deliver it.
    package var followers: [String]
    /// One sentence about what is done after a lost connection.
    package var reconnection: String
    /// One sentence about one whose data is wrong.
    package var malformed: String

    /// Nil if the contract has no event with this name.
    package init?(_ name: String, in contract: ResolvedContract) {
        guard let connection = contract.connection,
            let event = contract.events.first(where: { $0.name.value == name })
        else { return nil }
        frame = "EVENT \(event.frame.value)"
        cause = "the server sends it without a request, in a frame that has a kind and no id"
        let place = connection.payload.map { "in the member `\($0.value)`" } ?? "beside the kind"
        switch event.data {
        case .fields(let own):
            fields = own.map { Field(name: $0.wireName, type: $0.type.spelling) }
            data = "its fields are \(place)"
        case .type(let type, _):
            fields = []
            data = "its data is a value of `\(type.spelling)`, \(place)"
        case nil:
            fields = []
            data = "it has no data"
        }
        followers = [
            "any number of followers observe it (`events(of:)`), each from the moment in which its sequence was made",
            "a follower keeps the connection open, and sends nothing; without one, the client drops the frame",
        ]
        if contract.session != nil {
            followers.append(
                "a sequence belongs to one login, and ends with it; if the server refuses the session's token, a login is asked for"
            )
        }
        reconnection =
            "after a lost connection, the client opens another one and asks for nothing again: each follower is told with `.gap` that events may be missing"
        malformed =
            "one whose data is not as the contract says is dropped: no follower gets it, no command ends, and observers of the connection are told (`malformed`)"
    }
}
