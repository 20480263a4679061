"""Images and samplers."""
