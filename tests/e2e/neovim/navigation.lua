-- Hover tells about an opcode; a use leads to its definition.
check.attached()
local hover = check.request_at("textDocument/hover", "OpTypeFloat")
local text = type(hover.contents) == "table" and hover.contents.value or hover.contents
check.holds(text:find("OpTypeFloat", 1, true), "the hover names the opcode: " .. vim.inspect(hover))

local places = check.request_at("textDocument/definition", "%%float_1 %%float_1")
local place = places[1] or places
check.equal((place.range or place.targetSelectionRange).start.line, (check.line_of("%%float_1 =")), "line of the definition")

-- By the keys of a user.
vim.api.nvim_win_set_cursor(0, { check.line_of("OpFAdd") + 1, 23 })
vim.lsp.buf.definition()
check.eventually("the cursor is at the definition", function()
  return vim.api.nvim_win_get_cursor(0)[1] == check.line_of("%%float =") + 1
end)
