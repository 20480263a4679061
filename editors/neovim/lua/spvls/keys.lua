-- Keys of buffers that the server is attached to: those that the newest Neovim has, where this one has none.
local client = require("spvls.client")

local M = {}

-- Whether hovers can be shown as Markdown: from 0.9 on that takes a parser, which a package may have left out.
function M.has_markdown()
  if vim.fn.has("nvim-0.9") == 0 then
    return true
  end
  local ok, added = pcall(vim.treesitter.language.add, "markdown")
  return ok and (added ~= nil or vim.fn.has("nvim-0.11") == 0)
end

-- The hover at the cursor, in a window of its own; as plain text where there is no parser of Markdown.
function M.hover()
  local buffer = vim.api.nvim_get_current_buf()
  local server = client.of(buffer)
  if not server then
    return
  end
  local params = vim.lsp.util.make_position_params(0, server.offset_encoding or "utf-16")
  client.request(server, buffer, "textDocument/hover", params, function(_, result)
    if not (result and result.contents) then
      vim.notify("spvls: there is nothing to say here")
      return
    end
    local lines = vim.lsp.util.convert_input_to_markdown_lines(result.contents)
    local syntax = M.has_markdown() and "markdown" or "plaintext"
    vim.lsp.util.open_floating_preview(lines, syntax, { focus_id = "spvls_hover" })
  end)
end

-- Shows inlay hints in the buffer, or hides them.
function M.toggle_hints()
  local hints = vim.lsp.inlay_hint
  if vim.fn.has("nvim-0.10") == 0 or not hints then
    vim.notify("spvls: inlay hints need Neovim 0.10 or newer", vim.log.levels.WARN)
    return
  end
  local filter = { bufnr = 0 }
  hints.enable(not hints.is_enabled(filter), filter)
end

-- What the keys do, in the order of the documentation.
M.keys = {
  { "n", "K", M.hover, "What the cursor is at" },
  { "n", "grn", function() vim.lsp.buf.rename() end, "Rename the id" },
  { "n", "gra", function() vim.lsp.buf.code_action() end, "Fixes and rewrites" },
  { "n", "grr", function() vim.lsp.buf.references() end, "Uses of the id" },
  { "n", "gri", function() vim.lsp.buf.implementation() end, "Implementation" },
  { "n", "gO", function() vim.lsp.buf.document_symbol() end, "Outline" },
  { "i", "<C-S>", function() vim.lsp.buf.signature_help() end, "Operands of the instruction" },
  { "n", "[d", function() vim.diagnostic.goto_prev() end, "Finding before the cursor" },
  { "n", "]d", function() vim.diagnostic.goto_next() end, "Finding after the cursor" },
}

-- Sets the keys of a buffer that neither the user nor this Neovim has set, and what completion and tags go by.
function M.set(buffer)
  for _, key in ipairs(M.keys) do
    local mode, lhs, run, desc = unpack(key)
    local taken = vim.api.nvim_buf_call(buffer, function()
      return vim.fn.maparg(lhs, mode)
    end)
    if taken == "" or (lhs == "K" and taken:find("vim.lsp.buf.hover", 1, true)) then
      vim.keymap.set(mode, lhs, run, { buffer = buffer, desc = desc })
    end
  end
  for option, value in pairs({ omnifunc = "v:lua.vim.lsp.omnifunc", tagfunc = "v:lua.vim.lsp.tagfunc" }) do
    if vim.bo[buffer][option] == "" then
      vim.bo[buffer][option] = value
    end
  end
end

return M
