@_exported public import ErrandRuntime
