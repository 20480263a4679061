-- The source of an instruction stands beside the module, and the cursor of each leads that of the other.
vim.fn.writefile(vim.fn.readfile(vim.env.SPVLS_ROOT .. "/fixtures/sources/debug.comp.spvasm"), "debug.spvasm")
vim.cmd("edit debug.spvasm")
check.attached()
local module = vim.api.nvim_get_current_buf()
local window = vim.api.nvim_get_current_win()

local function go_to(pattern)
  vim.api.nvim_win_set_cursor(0, { check.line_of(pattern) + 1, 0 })
  vim.cmd("doautocmd CursorMoved")
end

local namespace = vim.api.nvim_create_namespace("spvls_source")
local function marked(buffer)
  return vim.tbl_map(function(found)
    return found[2]
  end, vim.api.nvim_buf_get_extmarks(buffer, namespace, 0, -1, {}))
end

go_to("%%n = OpIAdd")
vim.cmd("SpirvSource")
local source
check.eventually("the source is shown", function()
  for _, other in ipairs(vim.api.nvim_list_wins()) do
    local buffer = vim.api.nvim_win_get_buf(other)
    if vim.api.nvim_buf_get_name(buffer):find("^spvls%-source:///add%.hlsl") then
      source = other
      return #marked(buffer) == 1
    end
  end
end)
local text = vim.api.nvim_win_get_buf(source)
check.equal(vim.api.nvim_buf_get_lines(text, 0, -1, false)[3], "  uint n = 1 + 2;", "the text of the source")
check.equal(vim.bo[text].modifiable, false, "the source can be edited")
check.equal(vim.api.nvim_get_current_win(), window, "the window with the focus")
check.equal(vim.api.nvim_win_get_cursor(source), { 3, 11 }, "the cursor of the source")
check.equal(marked(text), { 2 }, "the line that is marked")
check.equal(marked(module), { (check.line_of("%%line =")) }, "the instructions that are marked")

go_to("OpCapability")
check.eventually("nothing is marked", function()
  return #marked(text) == 0 and #marked(module) == 0
end)

vim.api.nvim_set_current_win(source)
vim.api.nvim_win_set_cursor(0, { 3, 4 })
vim.cmd("doautocmd CursorMoved")
check.eventually("the cursor of the module follows", function()
  return vim.api.nvim_win_get_cursor(window)[1] == vim.api.nvim_buf_call(module, function()
    return check.line_of("%%line =") + 1
  end)
end)

-- The definition of an opcode is its line.
vim.api.nvim_set_current_win(window)
local places = check.request_at("textDocument/definition", "OpIAdd %%uint %%u1")
check.equal((places[1] or places).uri, vim.api.nvim_buf_get_name(text), "the definition")
