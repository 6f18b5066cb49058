let shop = Shop()

func show(_ text: String) {}
