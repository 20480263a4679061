/** The hover of what the cursor is on, by a key. */
import { LSPPlugin } from "@codemirror/lsp-client";
import { StateEffect, StateField } from "@codemirror/state";
import { keymap, showTooltip } from "@codemirror/view";
import type { Command, Tooltip } from "@codemirror/view";
import type { Hover, MarkupContent } from "vscode-languageserver-protocol";

const show = StateEffect.define<Tooltip | null>();

const shown = StateField.define<Tooltip | null>({
  create: () => null,
  update(tooltip, transaction) {
    const asked = transaction.effects.find((effect) => effect.is(show));
    return asked ? (asked.value as Tooltip | null) : transaction.docChanged || transaction.selection ? null : tooltip;
  },
  provide: (field) => showTooltip.from(field),
});

const hoverAtCursor: Command = (view) => {
  const plugin = LSPPlugin.get(view);
  if (!plugin) {
    return false;
  }
  const { head } = view.state.selection.main;
  plugin.client.sync();
  const params = { textDocument: { uri: plugin.uri }, position: plugin.toPosition(head) };
  void plugin.client.request<typeof params, Hover | null>("textDocument/hover", params).then((hover) => {
    if (!hover || view.state.selection.main.head !== head) {
      return;
    }
    const create = (): { dom: HTMLElement } => {
      const dom = document.createElement("div");
      dom.className = "cm-lsp-hover-tooltip cm-lsp-documentation";
      dom.setAttribute("role", "status");
      dom.innerHTML = plugin.docToHTML(hover.contents as MarkupContent, "plaintext");
      return { dom };
    };
    view.dispatch({ effects: show.of({ pos: head, create, above: true }) });
  });
  return true;
};

const hide: Command = (view) => {
  const isShown = view.state.field(shown) !== null;
  if (isShown) {
    view.dispatch({ effects: show.of(null) });
  }
  return isShown;
};

export const hoverByKey = [
  shown,
  keymap.of([
    { key: "Alt-F1", run: hoverAtCursor },
    { key: "Escape", run: hide },
  ]),
];
