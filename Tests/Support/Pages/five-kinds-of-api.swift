let bank = Bank()
let video = Video()
let live = Live(common: Live.Common(appVersion: "1.0"), privateKey: "secret")
let presence = Presence()
let password = "lovelace"

func show(_ values: Any?...) {}
