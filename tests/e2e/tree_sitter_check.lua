-- Highlighting, folds and code blocks of Markdown by the parser, which is on the runtime path.
local function captures(row, column)
  return vim.tbl_map(function(capture)
    return capture.capture
  end, vim.treesitter.get_captures_at_pos(0, row, column))
end

local function expect(actual, expected)
  if not vim.deep_equal(actual, expected) then
    error(("expected %s, got %s"):format(vim.inspect(expected), vim.inspect(actual)), 2)
  end
end

local function check()
  expect(vim.treesitter.highlighter.active[vim.api.nvim_get_current_buf()] ~= nil, true)
  vim.treesitter.get_parser(0):parse(true)
  for row, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
    local column = line:find("Op%u")
    if column then
      expect(#vim.fn.uniq(captures(row - 1, column - 1)), 1)
    end
  end
  local main = vim.fn.search("OpFunction ")
  local start = vim.fn.matchstrpos(vim.fn.getline(main), "%main")[2]
  expect(captures(main - 1, start), { "variable", "function" })

  vim.wo.foldmethod = "expr"
  vim.wo.foldexpr = "v:lua.vim.treesitter.foldexpr()"
  vim.wait(5000, function()
    return vim.fn.foldlevel(main) == 1
  end, 20)
  expect({ vim.fn.foldlevel(main - 1), vim.fn.foldlevel(main), vim.fn.foldlevel(main + 2) }, { 0, 1, 2 })

  local text = "```spvasm\nOpCapability Shader\n```\n"
  local parser = vim.treesitter.get_string_parser(text, "markdown")
  parser:parse(true)
  expect(vim.tbl_keys(parser:children()), { "spirv" })
end

local ok, message = xpcall(check, debug.traceback)
io.stdout:write(ok and "PASSED\n" or tostring(message) .. "\n")
vim.cmd(ok and "qall!" or "cquit 1")
