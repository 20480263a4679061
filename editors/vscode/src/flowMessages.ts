/** What the view of control flow and its web page say to each other. */

export type ToPage =
  | { type: "show"; title: string; svg: string; block: string | undefined; dominators: Record<string, string | null> }
  | { type: "mark"; block: string | undefined }
  | { type: "failed"; reason: string };

export interface FromPage {
  type: "revealBlock";
  block: string;
}
