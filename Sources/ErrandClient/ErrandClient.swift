// What an app's completion list shows of Errand beside its own clients: the types that an app writes by name on an ordinary day. A
// generated client exports this module, and nothing else of the runtime. Values of every other type come out of these, and their
// members are there without an import; a file that names such a type, as a transport or an observer does, imports
// `ErrandRuntime`.

@_exported public import struct ErrandJSON.CalendarDate
@_exported public import enum ErrandJSON.JSONValue
@_exported public import enum ErrandJSON.Nullable
@_exported public import struct ErrandRuntime.BodySource
@_exported public import protocol ErrandRuntime.CategorizedError
@_exported public import protocol ErrandRuntime.CommandFailure
@_exported public import struct ErrandRuntime.CommandFault
@_exported public import class ErrandRuntime.Dispatcher
@_exported public import struct ErrandRuntime.DispatcherSettings
@_exported public import enum ErrandRuntime.ErrorCategory
@_exported public import struct ErrandRuntime.FailureContext
@_exported public import struct ErrandRuntime.FilePart
@_exported public import class ErrandRuntime.FileSessionStore
@_exported public import struct ErrandRuntime.Incident
@_exported public import enum ErrandRuntime.IncidentAnswer
@_exported public import protocol ErrandRuntime.Responder
@_exported public import class ErrandRuntime.Session
@_exported public import struct ErrandRuntime.SessionTokens

#if canImport(Security)
@_exported public import class ErrandRuntime.KeychainSessionStore
#endif
