-- Hints: a copy that is not needed, and, where a setting asks for it, a variable that its values can replace, as an action does.
check.attached()

local client = require("spvls.client")
local server = client.of(0)

-- The rule and the line of each hint, sorted.
local function hints()
  local found = vim.tbl_map(function(finding)
    local code = finding.code or finding.user_data.lsp.code
    return ("%d %s"):format(finding.lnum, code)
  end, vim.diagnostic.get(0, { severity = vim.diagnostic.severity.HINT }))
  table.sort(found)
  return found
end

local function come(what, expected)
  check.eventually(what .. ": " .. vim.inspect(expected), function()
    return vim.deep_equal(hints(), expected)
  end)
end

local function titles(pattern)
  local line = check.line_of(pattern)
  local place = { line = line, character = 0 }
  local found = {}
  for _, action in ipairs(client.request_sync(server, 0, "textDocument/codeAction", {
    textDocument = { uri = vim.uri_from_bufnr(0) },
    range = { start = place, ["end"] = place },
    context = { diagnostics = {}, only = { "refactor" } },
  })) do
    found[action.title] = action
  end
  return found
end

local constants = check.line_of("%%float_1 = ")
vim.api.nvim_buf_set_lines(0, constants, constants, false, { "%local = OpTypePointer Function %float" })
local at = check.line_of("OpFAdd")
vim.api.nvim_buf_set_lines(0, at, at, false, {
  "%v = OpVariable %local Function",
  "OpStore %v %float_1",
  "%old = OpLoad %float %v",
  "%copy = OpCopyObject %float %old",
})
check.replace("OpStore %%kept %%sum", "OpStore %%kept %%copy")
check.replace("OpFAdd %%float %%float_1 %%float_1", "OpFAdd %%float %%copy %%float_1")
check.replace("OpStore %%kept %%copy", "OpStore %%kept %%sum")
local variable, copy = check.line_of("%%v = "), check.line_of("%%copy = ")
local of_copy = ("%d computation/copy-is-needed"):format(copy)
local of_variable = ("%d memory/variable-is-needed"):format(variable)

come("the copy has a hint", { of_copy })
check.holds(titles("%%copy = ")["Use %old in the place of its copy %copy"], "an action removes the copy")

client.set("validation", { simplifications = true })
local both = { of_copy, of_variable }
table.sort(both)
come("the variable has one as well", both)
local action = check.holds(titles("%%v = ")["Replace the variable %v by its values"], "an action replaces the variable")
local edit = action.edit or client.request_sync(server, 0, "codeAction/resolve", action).edit
vim.o.undolevels = vim.o.undolevels -- a change of its own
vim.lsp.util.apply_workspace_edit(edit, server.offset_encoding or "utf-16")
come("the hint goes with the variable", { ("%d computation/copy-is-needed"):format(check.line_of("%%copy = ")) })
vim.cmd("undo")
come("the variable is back", both)

client.set("validation", { simplifications = false })
come("the setting is off", { of_copy })
client.set("validation", { advice = false })
come("no hints", {})
