// A package that uses Errand's plugins needs the tool. This message replaces "no such module", which does not name the cause.
#if !canImport(ArgumentParser)
#error(
    "`traits: []` excludes Errand's tool; a package that uses its plugins must depend on Errand without `traits:`"
)
#endif
