// Clients that encode also use the results, so that one import suffices.
@_exported public import Placeholders
