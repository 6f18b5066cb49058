// What uses Errand's plugins needs the tool. Said here, since "no such module" does not say where the module went.
#if !canImport(Mustache)
#error(
    "Errand's tool was left out by `traits: []`; a package that uses its plugins depends on Errand without `traits:`"
)
#endif
