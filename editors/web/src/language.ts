/** Colors of the text, which are there before the server is. */
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import type { StreamParser } from "@codemirror/language";
import { tags } from "@lezer/highlight";

interface State {
  isInString: boolean;
}

const parser: StreamParser<State> = {
  name: "spirv",
  startState: () => ({ isInString: false }),
  token(stream, state) {
    if (state.isInString || stream.eat('"')) {
      state.isInString = true;
      while (!stream.eol()) {
        const next = stream.next();
        if (next === "\\") {
          stream.next();
        } else if (next === '"') {
          state.isInString = false;
          break;
        }
      }
      return "string";
    }
    if (stream.eatSpace()) {
      return null;
    }
    if (stream.match(/^;.*/)) {
      return "comment";
    }
    if (stream.match(/^%\w+/)) {
      return "variableName";
    }
    if (stream.match(/^Op[A-Z]\w*/)) {
      return "keyword";
    }
    if (stream.match(/^!?[+-]?(0x[\da-fA-F.]+(p[+-]?\d+)?|\d[\w.]*([eE][+-]?\d+)?)/)) {
      return "number";
    }
    if (stream.match(/^[A-Za-z_]\w*/)) {
      return "atom";
    }
    stream.next();
    return null;
  },
  languageData: { commentTokens: { line: ";" } },
};

const style = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--token-opcode)" },
  { tag: tags.variableName, color: "var(--token-id)" },
  { tag: tags.atom, color: "var(--token-enumerant)" },
  { tag: tags.number, color: "var(--token-number)" },
  { tag: tags.string, color: "var(--token-string)" },
  { tag: tags.comment, color: "var(--token-comment)", fontStyle: "italic" },
]);

export const spirv = [StreamLanguage.define(parser), syntaxHighlighting(style)];
