/** What the view of the summary and its web page say to each other. */
import type { Range } from "vscode-languageserver-types";
import type { Details } from "./protocol";

export type ToPage = { type: "show"; details: Details } | { type: "failed"; reason: string };

export interface FromPage {
  type: "reveal";
  range: Range;
}
