/** The editor of the text. */
import { autocompletion, closeBrackets, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { lintGutter, lintKeymap } from "@codemirror/lint";
import {
  LSPClient,
  findReferencesKeymap,
  formatKeymap,
  hoverTooltips,
  jumpToDefinitionKeymap,
  renameKeymap,
  serverCompletion,
  signatureHelp,
} from "@codemirror/lsp-client";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState } from "@codemirror/state";
import type { Extension } from "@codemirror/state";
import {
  EditorView,
  drawSelection,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import DOMPurify from "dompurify";
import { hoverByKey } from "./hover";
import { spirv } from "./language";

export const URI = "untitled:module.spvasm";

/** A request is given up after so many milliseconds; the first ones wait for the server to start. */
const TIMEOUT = 120_000;

export function languageClient(): LSPClient {
  return new LSPClient({
    timeout: TIMEOUT,
    // Hovers show names of a module; nothing that they name is loaded.
    sanitizeHTML: (html) => DOMPurify.sanitize(html, { FORBID_TAGS: ["img", "style", "form", "input"], FORBID_ATTR: ["style"] }),
    extensions: [serverCompletion(), hoverTooltips(), signatureHelp()],
  });
}

const look = EditorView.theme({
  "&": { height: "100%", backgroundColor: "var(--vscode-editor-background)", color: "var(--vscode-editor-foreground)" },
  ".cm-scroller": { fontFamily: "var(--vscode-editor-font-family)", fontSize: "var(--vscode-editor-font-size)" },
  ".cm-content": { caretColor: "var(--vscode-foreground)" },
  ".cm-cursor": { borderLeftColor: "var(--vscode-foreground)" },
  ".cm-gutters": {
    backgroundColor: "var(--vscode-sideBar-background)",
    color: "var(--vscode-editorLineNumber-foreground)",
    borderRight: "1px solid var(--vscode-panel-border)",
  },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--vscode-editor-lineHighlightBackground)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--vscode-editor-selectionBackground)",
  },
  ".cm-panels, .cm-tooltip": {
    backgroundColor: "var(--vscode-sideBar-background)",
    color: "var(--vscode-foreground)",
    borderColor: "var(--vscode-panel-border)",
  },
  ".cm-tooltip": { maxWidth: "min(640px, 90vw)", fontSize: "12px" },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": {
    backgroundColor: "var(--vscode-editor-selectionBackground)",
    color: "var(--vscode-foreground)",
  },
  ".cm-lsp-hover-tooltip, .cm-lsp-documentation": { padding: "4px 8px", maxHeight: "320px", overflow: "auto" },
  ".cm-lsp-documentation pre": { whiteSpace: "pre-wrap" },
  a: { color: "var(--vscode-textLink-foreground)" },
});

const darkness = new Compartment();
const prefersDark = matchMedia("(prefers-color-scheme: dark)");

function dark(): Extension {
  return EditorView.theme({}, { dark: prefersDark.matches });
}

export function createEditor(parent: HTMLElement, text: string, client: LSPClient, ...more: Extension[]): EditorView {
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        lintGutter(),
        highlightActiveLine(),
        highlightActiveLineGutter(),
        history(),
        drawSelection(),
        closeBrackets(),
        autocompletion({ icons: false }),
        search(),
        highlightSelectionMatches(),
        EditorState.tabSize.of(4),
        EditorView.contentAttributes.of({ "aria-label": "SPIR-V assembly" }),
        spirv,
        look,
        darkness.of(dark()),
        hoverByKey,
        // Tab is not bound: it leads out of the editor.
        keymap.of([
          ...formatKeymap,
          ...renameKeymap,
          ...jumpToDefinitionKeymap,
          ...findReferencesKeymap,
          ...completionKeymap,
          ...lintKeymap,
          ...searchKeymap,
          ...historyKeymap,
          ...defaultKeymap,
        ]),
        client.plugin(URI, "spirv"),
        ...more,
      ],
    }),
  });
  prefersDark.addEventListener("change", () => view.dispatch({ effects: darkness.reconfigure(dark()) }));
  return view;
}

/** Another text in the place of all of it, as one edit. */
export function replaceText(view: EditorView, text: string): void {
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text }, selection: { anchor: 0 }, scrollIntoView: true });
}
