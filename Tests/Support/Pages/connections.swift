import PresenceClient

let presence = Presence()
let password = "lovelace"

func show(_ text: String?) {}
func show(_ user: Int, _ isTyping: Bool) {}
func showNobody() {}
