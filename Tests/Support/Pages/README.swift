let password = "lovelace"

func show(_ values: Any?...) {}
func ask(_ approver: String?) {}
