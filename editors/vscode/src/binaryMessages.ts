/** What the binary view and its web page say to each other. */
import type { LinesSplice, wordsSplice } from "./binaryDelta";
import type { Line, Span } from "./binaryLayout";

export type ToPage =
  | { type: "show"; summary: string; words: number[]; lines: Line[]; changed: Span[] }
  | { type: "change"; summary: string; words: ReturnType<typeof wordsSplice>; lines: LinesSplice; changed: Span[] }
  | { type: "select"; instruction: Span; token: Span }
  | { type: "failed"; reason: string };

export type FromPage = { type: "revealWord"; word: number } | { type: "revealGap"; gap: number };
