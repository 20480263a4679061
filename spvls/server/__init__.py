"""The language server: sessions, scheduling, configuration, and conversion to the protocol's terms."""

from spvls.server import lsp_records

lsp_records.load()
