// What an app sees. A generated client exports this module, and nothing else of the runtime: an app's completion list then shows
// what an app writes, and not what generated code, transports and interceptors are made of. These import `ErrandRuntime`.

@_exported public import struct ErrandJSON.CalendarDate
@_exported public import enum ErrandJSON.JSONValue
@_exported public import enum ErrandJSON.Nullable
@_exported public import struct ErrandJSON.SkippedElements
@_exported public import struct ErrandRuntime.AffectedCommand
@_exported public import enum ErrandRuntime.Applied
@_exported public import struct ErrandRuntime.BodySource
@_exported public import enum ErrandRuntime.BodySourceProblem
@_exported public import struct ErrandRuntime.BrokenField
@_exported public import protocol ErrandRuntime.CategorizedError
@_exported public import protocol ErrandRuntime.Command
@_exported public import struct ErrandRuntime.CommandEvent
@_exported public import class ErrandRuntime.CommandEventFeed
@_exported public import protocol ErrandRuntime.CommandFailure
@_exported public import struct ErrandRuntime.CommandFault
@_exported public import protocol ErrandRuntime.CommandObserver
@_exported public import struct ErrandRuntime.CommandOptions
@_exported public import struct ErrandRuntime.Completion
@_exported public import struct ErrandRuntime.ConsoleLog
@_exported public import class ErrandRuntime.Dispatcher
@_exported public import struct ErrandRuntime.DispatcherSettings
@_exported public import struct ErrandRuntime.ErrorCategories
@_exported public import enum ErrandRuntime.ErrorCategory
@_exported public import struct ErrandRuntime.FailureContext
@_exported public import struct ErrandRuntime.FailureDetails
@_exported public import struct ErrandRuntime.FilePart
@_exported public import class ErrandRuntime.FileSessionStore
@_exported public import struct ErrandRuntime.HTTPHeaders
@_exported public import struct ErrandRuntime.Incident
@_exported public import enum ErrandRuntime.IncidentAnswer
@_exported public import struct ErrandRuntime.IncidentCohort
@_exported public import enum ErrandRuntime.IncidentEvent
@_exported public import struct ErrandRuntime.LoginHasNoClient
@_exported public import struct ErrandRuntime.LoginReason
@_exported public import struct ErrandRuntime.MemorySessionStore
@_exported public import class ErrandRuntime.OpenedStream
@_exported public import struct ErrandRuntime.Patience
@_exported public import enum ErrandRuntime.Priority
@_exported public import struct ErrandRuntime.Receipt
@_exported public import struct ErrandRuntime.Reply
@_exported public import protocol ErrandRuntime.Responder
@_exported public import struct ErrandRuntime.ResponseStream
@_exported public import protocol ErrandRuntime.ServiceClient
@_exported public import class ErrandRuntime.Session
@_exported public import enum ErrandRuntime.SessionPhase
@_exported public import protocol ErrandRuntime.SessionStore
@_exported public import enum ErrandRuntime.SessionStoreProblem
@_exported public import struct ErrandRuntime.SessionTokens
@_exported public import protocol ErrandRuntime.StreamCommand
@_exported public import class ErrandRuntime.SystemPathMonitor
@_exported public import struct ErrandRuntime.TrustedAuthority
@_exported public import enum ErrandRuntime.TrustedAuthorityProblem
@_exported public import enum ErrandRuntime.WaitPlace
@_exported public import struct ErrandRuntime.WaitingCommand

#if canImport(Security)
@_exported public import class ErrandRuntime.KeychainSessionStore
#endif
