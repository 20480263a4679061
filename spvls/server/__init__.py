"""The language server: sessions, scheduling, configuration, and conversion to the protocol's terms."""
