-- Refactorings: offered for the cursor or a selection, each one edit that one undo takes back.
check.attached()

local client = require("spvls.client")
local server = client.of(0)

-- The action that is offered under a title from one place to another, lines and columns from zero.
local function offered(title, first, last)
  local actions = client.request_sync(server, 0, "textDocument/codeAction", {
    textDocument = { uri = vim.uri_from_bufnr(0) },
    range = { start = { line = first[1], character = first[2] }, ["end"] = { line = last[1], character = last[2] } },
    context = { diagnostics = {}, only = { "refactor" } },
  })
  for _, action in ipairs(actions) do
    if action.title == title then
      return action
    end
  end
end

local function refactor(title, first, last)
  local action
  check.eventually(title .. " is offered", function()
    action = offered(title, first, last)
    return action ~= nil
  end)
  local edit = action.edit or client.request_sync(server, 0, "codeAction/resolve", action).edit
  vim.lsp.util.apply_workspace_edit(edit, server.offset_encoding or "utf-16")
end

local function text()
  return vim.api.nvim_buf_get_lines(0, 0, -1, false)
end

local function has(line)
  return vim.tbl_contains(text(), line)
end

local function undone(before, what)
  vim.cmd("undo")
  check.equal(text(), before, "the text after one undo of " .. what)
end

local before = text()
local line = check.line_of("OpFAdd")
refactor("Extract the selection as a function", { line, 0 }, { line + 1, 0 })
check.holds(has("        %sum = OpFunctionCall %float %extracted"), "the call")
check.holds(has("      %sum_1 = OpFAdd %float %float_1 %float_1"), "the instruction in the function")
check.eventually("the text with the function is valid", function()
  return #check.finding_lines() == 0
end)
local call, column = check.line_of("OpFunctionCall")
refactor("Inline the call of %extracted", { call, column }, { call, column })
check.holds(has("        %sum = OpFAdd %float %float_1 %float_1"), "the inlined instruction")
vim.cmd("undo")
undone(before, "the extraction")

local entry, at = check.line_of("OpEntryPoint")
refactor("Add a storage buffer of %v4float", { entry, at }, { entry, at })
check.holds(has("               OpDecorate %buffer Binding 0"), "the binding")
check.holds(has('               OpEntryPoint GLCompute %main "main" %buffer'), "the interface")
undone(before, "the variable")
