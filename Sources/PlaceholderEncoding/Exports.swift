// Clients that encode also use the result types, so one import is enough.
@_exported public import Placeholders
