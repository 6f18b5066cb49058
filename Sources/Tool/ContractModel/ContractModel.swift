@_exported public import ErrandSemantics
