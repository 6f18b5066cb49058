let market = Market()

func show(_ price: Market.Product) {}
