// A test of a simulated server writes failures as stubs do: `.fails(.insufficientFunds(.declared))`.
@_exported public import ErrandStubs
