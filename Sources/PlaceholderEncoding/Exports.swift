// Whoever encodes also handles what comes out, so that one import is enough.
@_exported public import Placeholders
