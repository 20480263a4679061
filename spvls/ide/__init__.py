"""What an editor shows of an assembly text: one module a feature, plain data in, plain data out."""
