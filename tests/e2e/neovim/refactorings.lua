-- A refactoring of what is selected: one edit, which one undo takes back.
check.attached()

local client = require("spvls.client")
local server = client.of(0)

local function text()
  return vim.api.nvim_buf_get_lines(0, 0, -1, false)
end

local function has(line)
  return vim.tbl_contains(text(), line)
end

local before = text()
local line = check.line_of("OpFAdd")
local actions = client.request_sync(server, 0, "textDocument/codeAction", {
  textDocument = { uri = vim.uri_from_bufnr(0) },
  range = { start = { line = line, character = 0 }, ["end"] = { line = line + 1, character = 0 } },
  context = { diagnostics = {}, only = { "refactor" } },
})
local titles = {}
for _, action in ipairs(actions) do
  titles[action.title] = action
end
check.holds(titles["Extract the selection as a function"], "a function can be extracted")
check.equal(titles["Wrap the selection in a loop"], nil, "wrapping what is used later")
local action = titles["Extract the selection as a function"]
local edit = action.edit or client.request_sync(server, 0, "codeAction/resolve", action).edit
vim.lsp.util.apply_workspace_edit(edit, server.offset_encoding or "utf-16")

check.holds(has("        %sum = OpFunctionCall %float %extracted"), "the call")
check.holds(has("      %sum_1 = OpFAdd %float %float_1 %float_1"), "the instruction in the function")
vim.cmd("undo")
check.equal(text(), before, "the text after one undo")
