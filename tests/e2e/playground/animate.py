"""Makes a GIF of the frames of `record.mjs`: `python animate.py FRAMES OUT`, with Pillow installed."""

from __future__ import annotations

import sys
from pathlib import Path

from PIL import Image

paths = sorted(Path(sys.argv[1]).glob("*.png"))
frames = [Image.open(path).convert("RGB") for path in paths]
durations = [int(path.stem.partition("-")[2]) for path in paths]
width, height = frames[0].size
together = Image.new("RGB", (width, height * len(frames)))
for place, frame in enumerate(frames):
    together.paste(frame, (0, place * height))
palette = together.quantize(160)
first, *others = (frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames)
first.save(sys.argv[2], save_all=True, append_images=others, duration=durations, loop=0, optimize=True)
