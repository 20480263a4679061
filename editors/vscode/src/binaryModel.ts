/** What the binary view knows: the words that the server told, and what of them the last edits changed. No editor in here. */
import type { Position, Range } from "vscode-languageserver-types";
import { linesSplice, patched, spliced, wordsSplice } from "./binaryDelta";
import { changedWords, linesOf, rangeOfWord, spansAt } from "./binaryLayout";
import type { Line, Span } from "./binaryLayout";
import type { FromPage, ToPage } from "./binaryMessages";
import type { BinaryDelta, BinaryResult } from "./protocol";

/** Edits closer to each other than this are one change: what it marks is new since before the first of them. */
const ONE_CHANGE_MS = 1500;
const LONGEST_NOTE = 200;

export const BINARY_BODY =
  '<main><div id="viewport" tabindex="0" role="listbox" aria-label="Words of the binary"><div id="canvas" role="presentation"></div></div></main>';

/** What the server told last. The text of an instruction is read once, when it is shown first. */
interface Known {
  result: BinaryResult;
  notes: (string | undefined)[];
}

interface Shown {
  words: number[];
  lines: Line[];
  summary: string;
}

function plural(n: number, noun: string): string {
  return `${n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`;
}

function summaryOf({ header, words, map, gaps }: BinaryResult): string {
  const parts = [
    header ? `SPIR-V ${header.version}` : "No module",
    plural(map.length, "instruction"),
    plural(words.length, "word"),
    plural(words.length * 4, "byte"),
  ];
  return [...parts, ...(gaps.length ? [`${gaps.length} not encoded`] : [])].join(" · ");
}

export class BinaryModel {
  private known: Known | undefined;
  private shown: Shown | undefined;
  private changed: Span[] = [];
  private beforeChange: number[] = [];
  private lastChange = 0;
  /** Whether the last answer may be about another module than the one in sight. */
  private isOther = false;

  /** `getText` reads the document. */
  constructor(private readonly getText: (range: Range) => string) {}

  /** Version of the document whose words are known; the server tells what changed since. */
  get since(): number | undefined {
    return this.known?.result.version;
  }

  /** For a page that is new, and shows nothing. */
  get whole(): ToPage | undefined {
    return this.shown && { type: "show", ...this.shown, changed: this.changed };
  }

  /** Where in the text is what the user pointed at. */
  rangeOf(message: FromPage): Range | undefined {
    return message.type === "revealWord"
      ? rangeOfWord(this.known?.result.map ?? [], message.word)
      : this.known?.result.gaps[message.gap]?.range;
  }

  /** Whether a position is in the lines of the module whose words are known. */
  covers({ line }: Position): boolean {
    const map = this.known?.result.map ?? [];
    return map.length > 0 && map[0]!.range.start.line <= line && line <= map[map.length - 1]!.range.end.line;
  }

  /** What the cursor is on. */
  selection(position: Position): ToPage | undefined {
    const spans = this.known && spansAt(this.known.result.map, position);
    return spans && { type: "select", ...spans };
  }

  /** Takes an answer in, also one that edits have overtaken: the next one tells what changed since. */
  learn(answer: BinaryResult | BinaryDelta): void {
    if (!("since" in answer)) {
      this.isOther = this.known !== undefined;
      this.known = { result: answer, notes: new Array<undefined>(answer.map.length).fill(undefined) };
    } else if (this.known) {
      const { start, deleteCount, insert } = answer.map;
      const notes = spliced(this.known.notes, { start, deleteCount, insert: insert.map(() => undefined) });
      this.known = { result: patched(this.known.result, answer), notes };
    }
  }

  private textOf(range: Range): string {
    return this.getText(range).replace(/\s+/g, " ").slice(0, LONGEST_NOTE);
  }

  /** What a page that shows what was known before is to show now. The document is that of the last answer. */
  update(): ToPage | undefined {
    if (!this.known) {
      return undefined;
    }
    const { result, notes } = this.known;
    result.map.forEach(({ range }, i) => (notes[i] ??= this.textOf(range)));
    const lines = linesOf(result, notes as string[], (range) => this.textOf(range));
    const before = this.isOther && changedWords(this.shown?.words ?? [], result.words).length ? undefined : this.shown;
    this.isOther = false;
    if (before) {
      this.markChanges(before.words, result.words);
    } else {
      this.changed = [];
      this.beforeChange = result.words;
    }
    this.shown = { words: result.words, lines, summary: summaryOf(result) };
    return before
      ? {
          type: "change",
          summary: this.shown.summary,
          words: wordsSplice(before.words, result.words),
          lines: linesSplice(before.lines, lines),
          changed: this.changed,
        }
      : this.whole;
  }

  /** An answer with the same words, as after an edit of white space, leaves the marks of the last change. */
  private markChanges(before: number[], after: number[]): void {
    if (before.length === after.length && changedWords(before, after).length === 0) {
      return;
    }
    const now = Date.now();
    if (now - this.lastChange > ONE_CHANGE_MS) {
      this.beforeChange = before;
    }
    this.lastChange = now;
    this.changed = changedWords(this.beforeChange, after);
  }
}
