let bytes: [UInt8] = []
