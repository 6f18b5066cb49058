import PresenceClient

let presence = Presence()
let password = "lovelace"

func show(_ values: Any?...) {}
func showNobody() {}
