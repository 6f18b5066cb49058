@_exported public import ErrandJSON
@_exported public import ErrandSemantics
