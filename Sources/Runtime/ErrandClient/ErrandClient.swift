// The types of Errand in an app's completion list, beside its own clients: the types that an app ordinarily names. A generated
// client exports this module, and nothing else of the runtime. Values of all other types come from these types, and their
// members are available without an import. A file that names another type, for instance to implement a transport or an
// observer, imports `ErrandRuntime`.

@_exported public import struct ErrandJSON.CalendarDate
@_exported public import enum ErrandJSON.DateOrTimestamp
@_exported public import enum ErrandJSON.JSONValue
@_exported public import enum ErrandJSON.Nullable
@_exported public import struct ErrandRuntime.BodySource
@_exported public import protocol ErrandRuntime.CategorizedError
@_exported public import protocol ErrandRuntime.CommandFailure
@_exported public import struct ErrandRuntime.CommandFault
@_exported public import class ErrandRuntime.Dispatcher
@_exported public import struct ErrandRuntime.DispatcherSettings
@_exported public import struct ErrandRuntime.FailureContext
@_exported public import struct ErrandRuntime.FilePart
@_exported public import class ErrandRuntime.FileSessionStore
@_exported public import struct ErrandRuntime.Incident
@_exported public import protocol ErrandRuntime.Responder
@_exported public import class ErrandRuntime.Session
@_exported public import struct ErrandRuntime.SessionTokens
@_exported public import enum ErrandSemantics.ErrorCategory
@_exported public import enum ErrandSemantics.IncidentAnswer

#if canImport(Security)
@_exported public import class ErrandRuntime.KeychainSessionStore
#endif
