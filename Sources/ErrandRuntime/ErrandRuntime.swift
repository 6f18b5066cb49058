@_exported public import ErrandJSON
