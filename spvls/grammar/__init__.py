"""The instruction tables: opcodes, operand kinds, extended instruction sets, generators.

`records` holds what an entry of the tables is, `tables` finds and serves them, `importer` makes the data from
the machine-readable grammars of Khronos.
"""
