// What uses Errand's plugins needs the tool. Said here, since "no such module" does not say where the module went.
#if !canImport(Mustache)
#error(
    "`traits: []` excludes Errand's tool; a package that uses its plugins must depend on Errand without `traits:`"
)
#endif
