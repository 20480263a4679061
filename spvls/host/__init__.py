"""Host texts: files that hold zero or more SPIR-V modules, and where in them these stand.

cut(text, kind) -> tuple[ModuleSpan, …]
"""
