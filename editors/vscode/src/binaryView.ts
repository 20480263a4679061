/** The binary beside the text: the words of the module, and what of them the last edits changed. */
import * as vscode from "vscode";
import type { Range } from "vscode-languageclient/lib/common/api";
import { linesSplice, patched, spliced, wordsSplice } from "./binaryDelta";
import { changedWords, linesOf, rangeOfWord, spansAt } from "./binaryLayout";
import type { Line, Span } from "./binaryLayout";
import type { FromPage, ToPage } from "./binaryMessages";
import { LivePanel, toEditorRange } from "./livePanel";
import type { PanelKind } from "./livePanel";
import { binary } from "./protocol";
import type { BinaryDelta, BinaryResult } from "./protocol";
import type { Server } from "./server";

/** Edits closer to each other than this are one change: what it marks is new since before the first of them. */
const ONE_CHANGE_MS = 1500;
const LONGEST_NOTE = 200;

const KIND: PanelKind = {
  name: "binary",
  title: "binary",
  pause: 30,
  body: '<main id="viewport" tabindex="0"><div id="canvas"></div></main>',
};

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

export class BinaryView extends LivePanel<ToPage, FromPage> {
  private known: Known | undefined;
  private shown: Shown | undefined;
  private changed: Span[] = [];
  private beforeChange: number[] = [];
  private lastChange = 0;

  constructor(document: vscode.TextDocument, server: Server, extension: vscode.Uri, onClose: () => void) {
    super(document, server, extension, KIND, onClose);
  }

  protected resume(): void {
    if (this.shown) {
      this.post({ type: "show", ...this.shown, changed: this.changed });
    }
  }

  protected receive(message: FromPage): void {
    if (message.type === "revealWord") {
      this.revealText(rangeOfWord(this.known?.result.map ?? [], message.word));
    } else {
      this.revealText(this.known?.result.gaps[message.gap]?.range);
    }
  }

  protected select(position: vscode.Position): void {
    const spans = this.known && spansAt(this.known.result.map, position);
    if (spans) {
      this.post({ type: "select", ...spans });
    }
  }

  protected async refresh(): Promise<void> {
    const answer = await this.server.request(binary, { textDocument: this.uri, since: this.known?.result.version });
    this.learn(answer);
    if (answer.version === this.document.version) {
      this.show();
    }
  }

  /** Takes an answer in, also one that edits have overtaken: the next one tells what changed since. */
  private learn(answer: BinaryResult | BinaryDelta): void {
    if (!("since" in answer)) {
      this.known = { result: answer, notes: new Array<undefined>(answer.map.length).fill(undefined) };
    } else if (this.known) {
      const { start, deleteCount, insert } = answer.map;
      const notes = spliced(this.known.notes, { start, deleteCount, insert: insert.map(() => undefined) });
      this.known = { result: patched(this.known.result, answer), notes };
    }
  }

  private textOf(range: Range): string {
    return this.document.getText(toEditorRange(range)).replace(/\s+/g, " ").slice(0, LONGEST_NOTE);
  }

  private show(): void {
    if (!this.known) {
      return;
    }
    const { result, notes } = this.known;
    result.map.forEach(({ range }, i) => (notes[i] ??= this.textOf(range)));
    const lines = linesOf(result, notes as string[], (range) => this.textOf(range));
    const before = this.shown;
    if (before) {
      this.markChanges(before.words, result.words);
    }
    this.shown = { words: result.words, lines, summary: summaryOf(result) };
    if (before) {
      this.post({
        type: "change",
        summary: this.shown.summary,
        words: wordsSplice(before.words, result.words),
        lines: linesSplice(before.lines, lines),
        changed: this.changed,
      });
    } else {
      this.resume();
    }
    if (this.editor) {
      this.select(this.editor.selection.active);
    }
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
