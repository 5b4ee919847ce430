// Clients of this module also use the types of Placeholders, so one import is enough.
@_exported public import Placeholders
